//! Numbers of seven bits a byte, lowest first; the top bit says that more follow.

use crate::FormatError;

pub fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u32);
    bytes.extend_from_slice(text.as_bytes());
}

/// Small distances in either direction become small numbers.
pub fn put_distance(bytes: &mut Vec<u8>, from: u32, to: u32) {
    let distance = to.wrapping_sub(from);
    put(bytes, distance << 1 ^ ((distance as i32) >> 31) as u32);
}

/// Takes numbers and texts from the front of `bytes`; every failure names `file`.
pub struct Reader<'a> {
    pub file: &'a str,
    pub bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn number(&mut self) -> Result<u32, FormatError> {
        let mut number = 0u32;
        for shift in (0..32).step_by(7) {
            let Some((&byte, rest)) = self.bytes.split_first() else { return Err(self.ends_early()) };
            self.bytes = rest;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number is too long"))
    }

    /// What [`put_distance`] led to.
    pub fn distance(&mut self, from: u32) -> Result<u32, FormatError> {
        let number = self.number()?;
        Ok(from.wrapping_add(number >> 1 ^ (number & 1).wrapping_neg()))
    }

    /// The length of a list whose elements take at least one byte each.
    pub fn length(&mut self) -> Result<usize, FormatError> {
        let length = self.number()? as usize;
        if length > self.bytes.len() { Err(self.ends_early()) } else { Ok(length) }
    }

    pub fn text(&mut self) -> Result<String, FormatError> {
        let length = self.length()?;
        let (text, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        String::from_utf8(text.to_vec()).map_err(|_| self.damaged("a name is not UTF-8"))
    }

    pub fn damaged(&self, what: &str) -> FormatError {
        FormatError::damaged(self.file, what)
    }

    fn ends_early(&self) -> FormatError {
        self.damaged("it ends too early")
    }
}
