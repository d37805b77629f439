//! What somebody meant who mistyped a name.

/// The names that a mistyped one may have been, the nearest spelling first; none if all are far off.
pub fn meant<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let distance = distance(name, wanted);
        if is_near(distance, wanted, name) && !near.iter().any(|(_, known)| *known == name) {
            near.push((distance, name));
        }
    }
    // Letters that were exchanged are a likelier slip than one too many.
    near.sort_by_key(|(distance, name)| (*distance, name.chars().count().abs_diff(wanted.chars().count())));
    near.into_iter().map(|(_, name)| name).collect()
}

/// `; did you mean total or totals?`, or nothing.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 3;
    match meant(wanted, names).as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [rest @ .., last] if rest.len() < MOST => format!("; did you mean {} or {last}?", rest.join(", ")),
        [first, second, third, ..] => format!("; did you mean {first}, {second} or {third}?"),
        [..] => String::new(),
    }
}

/// How many letters have to be changed, added, left out or exchanged with their neighbour.
pub fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase())
}

/// One letter in three may be wrong. Of one or two letters, a name is another name.
fn is_near(distance: usize, wanted: &str, name: &str) -> bool {
    let n_letters = wanted.chars().count().max(name.chars().count());
    distance <= n_letters / 3 && (distance > 0 || wanted != name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!([distance("cart", "cart"), distance("crat", "cart"), distance("Cart", "cats")], [0, 1, 2]);
        assert_eq!([distance("", "ab"), distance("ab", ""), distance("total", "totl")], [2, 2, 1]);
    }

    #[test]
    fn what_was_meant() {
        let names = ["percent", "cart", "Cart", "line", "lines", "offer", "x"];
        assert_eq!(meant("percnt", names), ["percent"]);
        assert_eq!(meant("linse", names), ["lines", "line"]);
        assert_eq!(meant("CART", names), ["cart", "Cart"]);
        assert!(meant("y", names).is_empty() && meant("customer", names).is_empty());
        assert_eq!(did_you_mean("linse", names), "; did you mean lines or line?");
        assert_eq!(did_you_mean("customer", names), "");
    }
}
