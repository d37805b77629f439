//! Names that are visible before control comes to their declaration, where reading them fails.

use trace_model::{SiteId, Span, Statement, VariableIndex, VariableKind};
use trace_store::{Target, VariablePlace};

use crate::{Code, Scene, Trace, VariableState};

impl Trace<'_> {
    /// Whether control has yet to come to the declaration of a variable: reading it would fail.
    pub fn is_uninitialised(&self, scene: Scene, variable: VariableIndex) -> bool {
        let code = self.thread.code().unit(scene.unit).and_then(|unit| unit.code().ok());
        let kind = code.and_then(|code| code.sites.variables.get(variable.0 as usize)).map(|declared| declared.kind);
        let is_never_written = || {
            let place = self.variable_place(scene, variable);
            place.is_some_and(|place| matches!(self.variable(&place, scene.before), VariableState::NeverWritten))
        };
        // What declares such a variable writes it, if only with undefined.
        matches!(kind, Some(VariableKind::Let | VariableKind::Const)) && is_never_written()
            || self.is_before_declaration(scene, variable)
    }

    /// Whether the statement of a scene stands before the declaration that it sees: what the variable held in an earlier time round
    /// a loop is no longer there.
    pub(crate) fn is_before_declaration(&self, scene: Scene, variable: VariableIndex) -> bool {
        let Some(code) = self.code(scene.unit) else { return false };
        let Ok(file) = code.unit.code() else { return false };
        let Some(declared) = file.sites.variables.get(variable.0 as usize) else { return false };
        if !matches!(declared.kind, VariableKind::Let | VariableKind::Const | VariableKind::Class) {
            return false;
        }
        // Where not everything is recorded, control may be further than its newest event.
        let reached = match self.is_sparse() {
            true => self.statement_here(&code, scene),
            false => self.statement_reached(&code, scene),
        };
        let Some(statement) = reached.map(|reached| &code.facts.statements[reached as usize]) else { return false };
        let (is_before, is_own) = (statement.span.end <= declared.span.start, holds(statement.span, declared.span));
        let Some(place) = self.variable_place(scene, variable).filter(|_| is_before || is_own) else { return false };
        // A function that sees the variable may be called at any time.
        let owner = place.owner.and_then(|owner| self.frame(owner));
        owner.is_some_and(|owner| scene.frame == Some(owner.frame))
            && (is_before || self.is_yet_to_declare(&code, statement, scene, &place))
    }

    /// Whether a scene is inside a declaration that has not written its variable this time.
    fn is_yet_to_declare(&self, code: &Code, statement: &Statement, scene: Scene, place: &VariablePlace) -> bool {
        // Variables that the head of a loop declares outlive it.
        if statement.head_end != statement.span.end {
            return false;
        }
        let is_of_statement =
            |site: SiteId| code.unit.record.holds(site) && statement.sites.contains(&code.local(site));
        let step = self.thread.step(scene.before).filter(|step| step.frame == scene.frame);
        let Some(step) = step.filter(|step| step.site().is_some_and(is_of_statement)) else { return false };
        let Some(written) = self.last(&Target::Variable(*place), scene.before) else { return true };
        let began = self.evaluation(&step).first();
        self.is_declaration(place, &written) && began.is_some_and(|began| written.id < began)
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
