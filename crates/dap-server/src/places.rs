//! Names of places, as the source would write them.

/// What is in an object under a name, as an expression: `cart.lines`, `cart["a b"]`, `lines[0]`.
pub fn inside(object: &str, name: &str) -> Option<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_quoted = |quote: char| name.len() > 1 && name.starts_with(quote) && name.ends_with(quote);
    match name.chars().next()? {
        _ if name.bytes().all(|c| c.is_ascii_digit()) => Some(format!("{object}[{name}]")),
        first if !first.is_ascii_digit() && name.chars().all(is_name) => Some(format!("{object}.{name}")),
        _ if is_quoted('"') || is_quoted('\'') => Some(format!("{object}[{name}]")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_what_is_inside() {
        let of = |name: &str| inside("#17", name).unwrap_or_default();
        assert_eq!([of("price"), of("0"), of("\"a b\"")], ["#17.price", "#17[0]", "#17[\"a b\"]"]);
        assert_eq!([of("[symbol]"), of(""), of("1a")], ["", "", ""]);
    }
}
