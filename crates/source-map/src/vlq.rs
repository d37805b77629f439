//! The digits of base 64, alone and as numbers of variable length.

/// Takes the next number of a segment off the front; `None` if there is none, or no such digit.
pub fn take_number(digits: &mut &[u8]) -> Option<i64> {
    let mut number = 0u64;
    for shift in (0..35).step_by(5) {
        let (&first, rest) = digits.split_first()?;
        *digits = rest;
        let digit = u64::from(digit(first)?);
        number |= (digit & 31) << shift;
        if digit < 32 {
            let magnitude = (number >> 1) as i64;
            return Some(if number & 1 == 0 { magnitude } else { -magnitude });
        }
    }
    None
}

pub fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut word = 0u32;
        for (i, c) in group.iter().enumerate() {
            word |= u32::from(digit(*c)?) << (18 - 6 * i);
        }
        bytes.extend_from_slice(&word.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

fn digit(c: u8) -> Option<u8> {
    Some(match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut digits: &[u8] = b"ACDgBhBggggggg";
        let numbers: Vec<_> = std::iter::from_fn(|| take_number(&mut digits)).collect();
        assert_eq!(numbers, [0, 1, -1, 16, -16]);
    }

    #[test]
    fn bytes() {
        let decoded = |text| base64_bytes(text).unwrap();
        assert_eq!([decoded(""), decoded("YQ=="), decoded("YWI="), decoded("YWJj")], [&b""[..], b"a", b"ab", b"abc"]);
        assert_eq!(base64_bytes("Y!=="), None);
    }
}
