//! What is seen from a frame, and what is inside of it: scopes and values behind handles, so that a person opens one after the other.

use std::ops::Range;

use query::{Datum, Scene};
use trace_model::{EntryAccess, FrameId, FunctionIndex, FunctionKind, ObjectId, Owner, VariableIndex};
use trace_store::{FrameInfo, Target};

use super::handle::Held;
use super::shown::{access_to_property, key_text, left_out};
use super::{Handle, Moment, Session};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Value, Where};

/// The variables of a function that are seen from a frame.
#[derive(Clone, Debug)]
pub struct ScopeShown {
    pub kind: ScopeKind,
    /// The function; nothing at the top level of a file.
    pub function: Option<String>,
    /// By which its variables are asked for.
    pub handle: Handle,
    pub n_variables: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// Of the frame itself.
    Local,
    /// Of a function around it.
    Closure,
    /// Of the file.
    File,
}

impl ScopeKind {
    pub fn name(self) -> &'static str {
        match self {
            ScopeKind::Local => "local",
            ScopeKind::Closure => "closure",
            ScopeKind::File => "file",
        }
    }
}

/// A variable, or what an object holds.
#[derive(Clone, Debug)]
pub struct Child {
    pub name: String,
    /// What the source writes behind an object to come to this: `.price`, `[0]`, `.get("pen")`. Nothing for a variable, and for what
    /// cannot be written.
    pub access: Option<String>,
    pub value: Value,
    /// By which what is inside is asked for; nothing: it has no inside.
    pub handle: Option<Handle>,
}

const LIST: &str = "children";
const NOT_ALL_KNOWN: &str = "not all that it holds is known";

impl PageRequest {
    /// Of what a scope or an object holds: so many from a position on.
    pub fn of_children(start: u64, limit: usize) -> PageRequest {
        PageRequest { from: Some(Cursor::at(LIST, [start])), limit: Some(limit) }
    }
}

impl Session {
    /// The scopes of a frame, innermost first: of that of a handle, or of that of the point.
    pub(crate) fn scopes(&self, from: &Where, frame: Option<&Handle>) -> Result<(Vec<ScopeShown>, Vec<String>), Error> {
        let (moment, frame) = match frame {
            Some(handle) => match self.held(handle)? {
                (moment, Held::Frame(frame)) => (moment, frame),
                _ => return Err(handle.refused()),
            },
            None => {
                let moment = self.moment(from)?;
                let frame = moment.at.scene.frame.ok_or(Error::NothingRecorded)?;
                (moment, frame)
            }
        };
        let scopes = moment.scopes_of(frame).ok_or(Error::NothingRecorded)?;
        Ok((scopes, moment.notes()))
    }

    /// What a scope or an object holds.
    pub(crate) fn children(&self, of: &Handle, page: &PageRequest) -> Result<(Page<Child>, Vec<String>), Error> {
        let (moment, held) = self.held(of)?;
        // A moment that is past does not change any more, so a position in it stays.
        let start = page.numbers(LIST)?.map_or(0, |[start]| start as usize);
        let part = start..start.saturating_add(page.limit());
        let (items, n_all) = match held {
            Held::Object(object) => moment.inside_of(object, part).ok_or_else(|| of.refused())?,
            Held::Scope(frame, function) => {
                let all = moment.variables_of(frame, function).ok_or_else(|| of.refused())?;
                let n_all = all.len();
                let wanted = all.into_iter().skip(part.start).take(part.len());
                (wanted.map(|(name, datum)| moment.child(name, None, &datum)).collect(), Some(n_all))
            }
            Held::Frame(_) => return Err(of.refused()),
        };
        let end = start.saturating_add(items.len());
        // Where it is not known how many there are, there are more.
        let next = n_all.is_none_or(|n_all| end < n_all).then(|| Cursor::at(LIST, [end as u64]));
        Ok((Page { items, next, n_all: n_all.map(|n_all| n_all as u64) }, moment.notes()))
    }
}

impl Moment<'_> {
    /// A part of what an object holds, and how much that is in all, where it is known; nothing if there is no such object.
    fn inside_of(&self, object: ObjectId, part: Range<usize>) -> Option<(Vec<Child>, Option<usize>)> {
        let before = self.at.scene.before;
        let Some((contents, n_all)) = self.part(object, before, part) else {
            // Of a function that is only called, nothing but the calls is recorded.
            let is_there = self.trace.next(&Target::Mentions(object), self.trace.thread.first_event()).is_some();
            self.note(NOT_ALL_KNOWN);
            return is_there.then(|| (Vec::new(), Some(0)));
        };
        if !contents.is_complete {
            // Of a part nothing tells how much of the whole was recorded.
            let whole = n_all.is_some().then(|| self.lasting(object, before)).flatten();
            let left_out = whole.and_then(|whole| left_out(whole.contents()));
            self.note(left_out.unwrap_or_else(|| NOT_ALL_KNOWN.to_owned()));
        }
        let language = self.trace.language();
        let is_set = self.is_set(&contents, before);
        let properties = contents
            .properties
            .iter()
            .map(|(key, slot)| self.child(key_text(language, key), access_to_property(language, key), &slot.value));
        let entries = contents.entries.iter().map(|(key, slot)| {
            let name = language.text(key);
            let access = if is_set { EntryAccess::Presence } else { EntryAccess::Value };
            let access = language.text_of_entry("", &name, access);
            self.child(name, Some(access), &slot.value)
        });
        Some((properties.chain(entries).collect(), n_all))
    }

    fn child(&self, name: String, access: Option<String>, datum: &Datum) -> Child {
        let value = self.value(datum, self.at.scene.before);
        let handle = datum.object().map(|object| self.handle(Held::Object(object)));
        Child { name, access, value, handle }
    }

    fn scopes_of(&self, frame: FrameId) -> Option<Vec<ScopeShown>> {
        let seen = self.seen_from(frame)?;
        let unit = self.trace.thread.code().unit(seen.info.unit)?;
        let code = unit.code().ok()?;
        let shown = |(function, variables): &(FunctionIndex, Vec<VariableIndex>)| ScopeShown {
            kind: match code.sites.function(*function).kind {
                _ if *function == seen.info.function => ScopeKind::Local,
                FunctionKind::Module => ScopeKind::File,
                _ => ScopeKind::Closure,
            },
            function: self.function_name(unit, *function),
            handle: self.handle(Held::Scope(frame, *function)),
            n_variables: variables.len(),
        };
        Some(seen.scopes.iter().map(shown).collect())
    }

    fn variables_of(&self, frame: FrameId, function: FunctionIndex) -> Option<Vec<(String, Datum)>> {
        let seen = self.seen_from(frame)?;
        let (_, variables) = seen.scopes.iter().find(|(of, _)| *of == function)?;
        let code = self.trace.code(seen.info.unit)?;
        let mut children = Vec::new();
        if function == seen.info.function
            && let Some((this, _)) = self.trace.this(frame)
            && this != Datum::Undefined
        {
            children.push(("this".to_owned(), this));
        }
        for variable in variables {
            if let Some(value) = self.variable_value(seen.scene, *variable) {
                children.push((code.variable_name(*variable).to_owned(), value));
            }
        }
        Some(children)
    }

    /// The variables that are seen from a frame, by the function that declares them; its own first.
    fn seen_from(&self, frame: FrameId) -> Option<Seen> {
        let info = self.trace.frame(frame)?;
        let scene = Scene { before: self.at.scene.before, frame: Some(frame), unit: info.unit, within: None };
        let code = self.trace.code(info.unit)?;
        let file = code.unit.code().ok()?;
        let mut scopes: Vec<(FunctionIndex, Vec<VariableIndex>)> = vec![(info.function, Vec::new())];
        let mut names: Vec<&str> = Vec::new();
        for variable in self.trace.names_in_scope(scene) {
            let declared = file.sites.variable(variable);
            let name = file.sites.name(declared.name);
            // One of an inner scope hides it.
            if names.contains(&name) {
                continue;
            }
            names.push(name);
            let function = match declared.owner {
                Owner::Function(function) => function,
                Owner::Block(block) => file.sites.site(block).function,
                // Everybody sees it, so it is of no scope.
                Owner::Global => continue,
            };
            match scopes.iter_mut().find(|(known, _)| *known == function) {
                Some((_, variables)) => variables.push(variable),
                None => scopes.push((function, vec![variable])),
            }
        }
        Some(Seen { info, scene, scopes })
    }
}

struct Seen {
    info: FrameInfo,
    scene: Scene,
    scopes: Vec<(FunctionIndex, Vec<VariableIndex>)>,
}
