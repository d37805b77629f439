//! Numbers of eight bytes, and what has a length behind its length.

#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn number(&mut self, number: u64) {
        self.raw(&number.to_le_bytes());
    }

    pub fn flag(&mut self, flag: bool) {
        self.raw(&[u8::from(flag)]);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn words(&mut self, words: &[u32]) {
        self.number(words.len() as u64 * 4);
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    pub fn option<T>(&mut self, value: Option<&T>, write: impl FnOnce(&mut Writer, &T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Gives `None` from the first thing on that is not there.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub fn flag(&mut self) -> Option<bool> {
        match self.take(1)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?.try_into().ok()?;
        self.take(length)
    }

    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    pub fn words(&mut self) -> Option<Vec<u32>> {
        let (words, rest) = self.bytes()?.as_chunks::<4>();
        rest.is_empty().then(|| words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    pub fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.flag()? {
            true => read(self).map(Some),
            false => Some(None),
        }
    }

    /// Memory is taken for what was read, and not for what is announced.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.number()?;
        let mut all = Vec::new();
        for _ in 0..n {
            all.push(read(self)?);
        }
        Some(all)
    }
}
