//! The inside of something large: a client asks for its elements by their places, and for the rest by itself.

use debugger::{Answer, Child, Elements, Handle, Page, PageRequest, QuestionKind, Where};

use crate::adapter::Adapter;
use crate::protocol::NumbersInside;
use crate::refusal::Refusal;
use crate::variables::Inside;

/// What a client is told of a value that has elements or entries.
pub fn numbers_of(elements: Option<Elements>) -> NumbersInside {
    let Some(Elements::List(n) | Elements::Entries(n)) = elements.filter(|elements| !elements.is_empty()) else {
        return NumbersInside::default();
    };
    // Whether it has properties as well is found out when somebody asks; a client that hears of none would not.
    NumbersInside { indexed_variables: Some(n), named_variables: Some(1) }
}

impl Adapter {
    pub fn children_of(&self, of: &Handle, start: u64, limit: u64) -> Result<Page<Child>, Refusal> {
        let page = PageRequest::of_children(start, usize::try_from(limit).unwrap_or(usize::MAX));
        let kind = QuestionKind::Children { of: of.clone(), page };
        match self.ask(kind, Where::default())?.answer {
            Answer::Children(children) => Ok(children),
            _ => Err(Refusal::nothing_open()),
        }
    }

    /// So many elements or entries from a place on; all for 0.
    pub fn indexed(&self, around: &Inside, start: u64, count: u64) -> Result<Vec<Child>, Refusal> {
        let end = |n: u64| if count == 0 { n } else { n.min(start.saturating_add(count)) };
        match around.elements {
            None => Ok(Vec::new()),
            Some(Elements::List(length)) => {
                let (start, end) = (start.min(length), end(length));
                let from = self.first_at(&around.handle, start)?;
                let mut found = self.children_of(&around.handle, from, end.saturating_sub(start))?.items;
                // Where elements are missing, there are fewer than places.
                found.retain(|child| place_of(child).is_some_and(|place| place < end));
                Ok(found)
            }
            Some(Elements::Entries(n)) => {
                let n_named = self.n_named(&around.handle, n)?;
                Ok(self.children_of(&around.handle, n_named + start.min(n), end(n).saturating_sub(start))?.items)
            }
        }
    }

    /// What else there is.
    pub fn named(
        &self,
        of: &Handle,
        elements: Option<Elements>,
        start: u64,
        count: u64,
    ) -> Result<Vec<Child>, Refusal> {
        let (first, n_most) = match elements {
            None => (0, u64::MAX),
            Some(Elements::List(length)) => (self.first_at(of, length)?, u64::MAX),
            Some(Elements::Entries(n)) => (0, self.n_named(of, n)?),
        };
        let wanted = if count == 0 { MOST_NAMED } else { count };
        Ok(self.children_of(of, first + start, wanted.min(n_most.saturating_sub(start)))?.items)
    }

    /// Which child is the first that is not an element before a place.
    fn first_at(&self, of: &Handle, place: u64) -> Result<u64, Refusal> {
        let is_before = |at: u64| -> Result<bool, Refusal> {
            let found = self.children_of(of, at, 1)?.items;
            Ok(found.first().and_then(place_of).is_some_and(|of| of < place))
        };
        // Mostly no element is missing.
        if place == 0 || is_before(place - 1)? {
            return Ok(place);
        }
        let (mut first, mut end) = (0, place - 1);
        while first < end {
            let middle = first + (end - first) / 2;
            if is_before(middle)? { first = middle + 1 } else { end = middle }
        }
        Ok(first)
    }

    /// Entries stand behind what has a name.
    fn n_named(&self, of: &Handle, n_entries: u64) -> Result<u64, Refusal> {
        let n_all = self.children_of(of, 1, 1)?.n_all;
        Ok(n_all.map_or(0, |n_all| n_all.saturating_sub(n_entries)))
    }
}

/// The place of an element, of what is one.
fn place_of(child: &Child) -> Option<u64> {
    child.access.as_ref()?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

const MOST_NAMED: u64 = 1000;
