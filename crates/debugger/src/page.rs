//! Lists come in pages, each behind a cursor: nobody holds a list of a million things to see ten of them.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// Where a list goes on. A text that means nothing to whoever holds it, is good in any process, and stays good while the run grows:
/// it names what comes next, and not how many came before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cursor(String);

/// Which part of a list is wanted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PageRequest {
    /// Nothing: from the start.
    pub from: Option<Cursor>,
    /// Nothing: all of it.
    pub limit: Option<usize>,
}

/// A part of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where it goes on; nothing: this is the end.
    pub next: Option<Cursor>,
    /// How many there are on all pages, where that is known without reading them.
    pub n_all: Option<u64>,
}

impl PageRequest {
    /// The first so many.
    pub fn first(limit: usize) -> PageRequest {
        PageRequest { from: None, limit: Some(limit) }
    }

    /// The same number of them, from there on.
    pub fn behind(&self, next: Cursor) -> PageRequest {
        PageRequest { from: Some(next), limit: self.limit }
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }

    /// The numbers that a cursor of this list holds.
    pub(crate) fn numbers<const N: usize>(&self, list: &str) -> Result<Option<[u64; N]>, Error> {
        let Some(text) = self.text(list)? else { return Ok(None) };
        let numbers: Option<Vec<u64>> = text.split('-').map(|number| number.parse().ok()).collect();
        match numbers.and_then(|numbers| numbers.try_into().ok()) {
            Some(numbers) => Ok(Some(numbers)),
            None => Err(self.refused()),
        }
    }

    /// What a cursor of this list holds.
    pub(crate) fn text(&self, list: &str) -> Result<Option<&str>, Error> {
        let Some(cursor) = &self.from else { return Ok(None) };
        let text = cursor.0.strip_prefix(list).and_then(|rest| rest.strip_prefix('-'));
        text.map(Some).ok_or_else(|| self.refused())
    }

    /// The cursor is of another list.
    pub(crate) fn refused(&self) -> Error {
        Error::NoSuchCursor { cursor: self.from.as_ref().map(Cursor::to_string).unwrap_or_default() }
    }
}

impl Cursor {
    pub(crate) fn at<const N: usize>(list: &str, numbers: [u64; N]) -> Cursor {
        Cursor(format!("{list}-{}", numbers.map(|number| number.to_string()).join("-")))
    }

    pub(crate) fn named(list: &str, name: &str) -> Cursor {
        Cursor(format!("{list}-{name}"))
    }
}

impl<T> Page<T> {
    /// A part of a list that is at hand as a whole.
    pub(crate) fn cut(all: Vec<T>, start: usize, request: &PageRequest, cursor: impl FnOnce(&T) -> Cursor) -> Page<T> {
        let n_all = Some(all.len() as u64);
        let mut rest = all.into_iter().skip(start);
        let items = rest.by_ref().take(request.limit()).collect();
        Page { items, next: rest.next().as_ref().map(cursor), n_all }
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Any text may be one; whether it is of the list is known when it is asked for.
impl FromStr for Cursor {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Cursor, Self::Err> {
        Ok(Cursor(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_a_text_that_leads_on() {
        let all: Vec<u64> = (10..15).collect();
        let mut request = PageRequest::first(2);
        let mut seen = Vec::new();
        loop {
            let start = request.numbers::<1>("things").unwrap().map_or(0, |[next]| (next - 10) as usize);
            let page = Page::cut(all.clone(), start, &request, |next| Cursor::at("things", [*next]));
            assert_eq!(page.n_all, Some(5));
            seen.extend(page.items);
            let Some(next) = page.next else { break };
            request = request.behind(next.to_string().parse().unwrap());
        }
        assert_eq!(seen, all);
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        for text in ["others-1", "things", "things-", "things-x", "things-1-2", "things-1x", ""] {
            let request = PageRequest { from: text.parse().ok(), limit: None };
            assert_eq!(request.numbers::<1>("things").unwrap_err().id(), "no-such-cursor", "{text}");
        }
    }
}
