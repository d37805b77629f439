//! Numbers in the elements of binary data.

/// A number as an element of this class holds it; nothing for a class that is not known.
pub(super) fn cut_to_size(number: f64, class: &str) -> Option<f64> {
    let bits = |n: u32| {
        let size = 2f64.powi(n as i32);
        let whole = if number.is_finite() { number.trunc().rem_euclid(size) } else { 0.0 };
        (whole, size)
    };
    let unsigned = |n| bits(n).0;
    let signed = |n| match bits(n) {
        (whole, size) if whole >= size / 2.0 => whole - size,
        (whole, _) => whole,
    };
    Some(match class {
        "Uint8Array" | "Buffer" => unsigned(8),
        "Uint16Array" => unsigned(16),
        "Uint32Array" => unsigned(32),
        "Int8Array" => signed(8),
        "Int16Array" => signed(16),
        "Int32Array" => signed(32),
        "Uint8ClampedArray" if number.is_nan() => 0.0,
        "Uint8ClampedArray" => number.clamp(0.0, 255.0).round_ties_even(),
        "Float32Array" => f64::from(number as f32),
        "Float64Array" => number,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::cut_to_size;

    #[test]
    fn numbers_are_cut_as_the_elements_of_each_class_are() {
        let cases = [
            (300.0, "Uint8Array", 44.0),
            (-1.0, "Uint8Array", 255.0),
            (-1.9, "Buffer", 255.0),
            (200.0, "Int8Array", -56.0),
            (40000.0, "Int16Array", -25536.0),
            (-1.0, "Uint32Array", 4294967295.0),
            (4294967296.0, "Int32Array", 0.0),
            (f64::INFINITY, "Uint16Array", 0.0),
            (f64::NAN, "Int32Array", 0.0),
            (1.5, "Uint8ClampedArray", 2.0),
            (2.5, "Uint8ClampedArray", 2.0),
            (-7.0, "Uint8ClampedArray", 0.0),
            (f64::NAN, "Uint8ClampedArray", 0.0),
            (0.5, "Float64Array", 0.5),
        ];
        for (number, class, held) in cases {
            assert_eq!(cut_to_size(number, class), Some(held), "{number} in {class}");
        }
        assert_eq!(cut_to_size(1.0, "Mine"), None);
    }
}
