//! Everything at a moment: the stack, the variables of its frames, what objects hold.

use query::{Datum, Scene, StackFrame, VariableState};
use trace_model::{Owner, VariableIndex, VariableKind};
use trace_store::FrameInfo;

use super::shown::{key_text, left_out};
use super::{Moment, Point};
use crate::{Error, Value};

/// How much of the state is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateRequest {
    /// The frame whose variables are shown with those around it, from 0, the innermost.
    pub frame: usize,
    /// How deep objects are opened.
    pub depth: usize,
    /// So many entries of each object, and as many are passed over.
    pub limit: usize,
    pub skip: usize,
}

impl Default for StateRequest {
    fn default() -> StateRequest {
        StateRequest { frame: 0, depth: 0, limit: 20, skip: 0 }
    }
}

#[derive(Clone, Debug)]
pub struct StateAnswer {
    pub point: Point,
    /// Innermost first.
    pub frames: Vec<FrameShown>,
}

#[derive(Clone, Debug)]
pub struct FrameShown {
    /// From 0, the innermost.
    pub number: usize,
    /// Nothing at the top level of a file.
    pub function: Option<String>,
    /// Where it is.
    pub point: Option<Point>,
    /// Set if the frame is on the stack no more: how it led to the one above.
    pub parent: Option<AsyncParent>,
    pub variables: Vec<Named>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsyncParent {
    /// It called the frame above, which waited and was resumed later.
    Called,
    /// It handed out the function above.
    HandedOut,
}

impl AsyncParent {
    /// How a frame led to the one above it.
    pub(super) fn below(above: Option<&FrameInfo>) -> AsyncParent {
        match above.is_some_and(|above| above.caller.is_some()) {
            true => AsyncParent::Called,
            false => AsyncParent::HandedOut,
        }
    }
}

/// A variable, or an entry of an object, with what is inside.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: String,
    pub scope: NameScope,
    pub value: Value,
    pub entries: Vec<Named>,
    /// Entries that were left out.
    pub n_more: usize,
    /// What was not recorded of it, in words.
    pub not_recorded: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameScope {
    Local,
    /// Of a function or file around.
    Closure,
    /// Not a variable.
    Entry,
}

impl NameScope {
    pub fn name(self) -> &'static str {
        match self {
            NameScope::Local => "local",
            NameScope::Closure => "closure",
            NameScope::Entry => "entry",
        }
    }
}

impl Moment<'_> {
    /// The stack at the point, with the variables of each frame.
    pub(crate) fn state(&self, request: &StateRequest) -> Result<StateAnswer, Error> {
        let before = self.at.scene.before;
        let (frames, _) = self.stack_part(0..usize::MAX);
        if request.frame >= frames.len().max(1) {
            let there_are = match frames.len() {
                0 | 1 => "only frame 0".into(),
                n => format!("frames 0 to {}", n - 1),
            };
            return Err(Error::Usage(format!("there is no frame {}; the stack has {there_are}", request.frame)));
        }
        let mut shown: Vec<FrameShown> = Vec::new();
        let mut above: Option<FrameInfo> = None;
        for (number, StackFrame { frame, at, is_async_parent }) in frames.into_iter().enumerate() {
            // Variables of a frame that waits are those of the moment all the same: closures may have changed them.
            let scene = Scene { before, frame: Some(frame.id), unit: frame.unit, within: None };
            let unit = self.trace.thread.code().unit(frame.unit);
            let parent = is_async_parent.then(|| AsyncParent::below(above.as_ref()));
            shown.push(FrameShown {
                number,
                function: unit.and_then(|unit| self.function_name(unit, frame.function)),
                point: if number == 0 { Some(self.here()) } else { at.map(|at| self.point(&at)) },
                parent,
                variables: self.variables(scene, &frame, number == request.frame, request),
            });
            above = Some(frame);
        }
        Ok(StateAnswer { point: self.here(), frames: shown })
    }

    /// One value, opened.
    pub(crate) fn inspect(&self, place: &str, request: &StateRequest) -> Result<Named, Error> {
        let datum = self.datum(Some(place))?;
        let depth = request.depth.max(1);
        Ok(self.named(place.into(), NameScope::Local, &datum, depth, request))
    }

    fn variables(&self, scene: Scene, info: &FrameInfo, with_closures: bool, request: &StateRequest) -> Vec<Named> {
        let Some(code) = self.trace.code(scene.unit) else { return Vec::new() };
        let Ok(file) = code.unit.code() else { return Vec::new() };
        let mut variables: Vec<Named> = Vec::new();
        let depth = request.depth;
        if let Some(frame) = scene.frame
            && let Some((this, _)) = self.trace.this(frame)
            && this != Datum::Undefined
        {
            variables.push(self.named("this".into(), NameScope::Local, &this, depth, request));
        }
        for variable in self.trace.names_in_scope(scene) {
            let declared = file.sites.variable(variable);
            let name = file.sites.name(declared.name);
            let scope = match declared.owner {
                Owner::Function(function) if function == info.function => NameScope::Local,
                Owner::Block(block) if file.sites.site(block).function == info.function => NameScope::Local,
                _ => NameScope::Closure,
            };
            let is_hidden = scope == NameScope::Closure && !with_closures;
            if is_hidden || variables.iter().any(|known| known.name == name) {
                continue;
            }
            if let Some(value) = self.variable_value(scene, variable) {
                variables.push(self.named(name.into(), scope, &value, depth, request));
            }
        }
        variables
    }

    /// Nothing for what is declared further down and has no value yet.
    pub(super) fn variable_value(&self, scene: Scene, variable: VariableIndex) -> Option<Datum> {
        let Some(place) = self.trace.variable_place(scene, variable) else { return Some(Datum::NotCaptured) };
        if self.trace.is_uninitialised(scene, variable) {
            return None;
        }
        let code = self.trace.thread.code().unit(place.unit)?.code().ok()?;
        match self.trace.variable(&place, scene.before) {
            VariableState::NeverWritten => {
                let kind = code.sites.variable(variable).kind;
                (kind == VariableKind::Var).then_some(Datum::Undefined)
            }
            state => Some(state.value()),
        }
    }

    fn named(&self, name: String, scope: NameScope, datum: &Datum, depth: usize, request: &StateRequest) -> Named {
        let value = self.value(datum, self.at.scene.before);
        let mut named = Named { name, scope, value, entries: Vec::new(), n_more: 0, not_recorded: None };
        if depth == 0 {
            return named;
        }
        let Some(contents) = datum.object().and_then(|object| self.trace.contents(object, self.at.scene.before)) else {
            return named;
        };
        let language = self.trace.language();
        let properties = contents.properties.iter().map(|(key, slot)| (key_text(language, key), &slot.value));
        let entries = contents.entries.iter().map(|(key, slot)| (language.text(key), &slot.value));
        let all: Vec<(String, &Datum)> = properties.chain(entries).collect();
        named.not_recorded = left_out(&contents);
        named.n_more = all.len().saturating_sub(request.skip + request.limit);
        for (key, value) in all.into_iter().skip(request.skip).take(request.limit) {
            let inner = StateRequest { skip: 0, ..request.clone() };
            named.entries.push(self.named(key, NameScope::Entry, value, depth - 1, &inner));
        }
        named
    }
}
