//! What a person types as a place or as an expression.

use query::{Fault, Place, Scene};
use trace_model::{ExprId, Expression, distance};

use super::Moment;
use crate::Error;

/// A typed expression.
pub(crate) struct Typed {
    pub text: String,
    pub expressions: Vec<Expression>,
    pub root: ExprId,
}

impl Moment<'_> {
    pub(crate) fn parse(&self, text: &str) -> Result<Typed, Error> {
        let parsed = self.trace.language().parse_expression(text);
        let (expressions, root) = parsed.map_err(|error| Error::Expression {
            text: text.into(),
            at: error.at as usize,
            why: error.message,
        })?;
        Ok(Typed { text: text.into(), expressions, root })
    }

    /// The place that is meant: what was typed, or the expression that the point's column is at.
    pub(crate) fn place(&self, text: Option<&str>) -> Result<(Place, String), Error> {
        match (text, &self.at.focus) {
            (Some(text), _) => {
                let typed = self.parse(text)?;
                let place = self.trace.place(self.at.scene, &typed.expressions, typed.root);
                Ok((place.map_err(|fault| self.explain(fault, text))?, typed.text))
            }
            (None, Some(focus)) => {
                let code = self.trace.code(focus.unit).ok_or(Error::NothingRecorded)?;
                let text = code.words(focus.expression).into_owned();
                let place = self.trace.place_in(&code, self.at.scene, &focus.evaluation, focus.expression);
                Ok((place.map_err(|fault| self.explain(fault, &text))?, text))
            }
            (None, None) => Err(Error::NoPlace),
        }
    }

    /// A fault with what is there instead.
    pub(crate) fn explain(&self, fault: Fault, text: &str) -> Error {
        match fault {
            Fault::NoSuchName { name } => Error::NoSuchName { names: self.nearest_names(self.at.scene, &name), name },
            Fault::NotInitialised { name } => Error::NotInitialised { line: self.declared_in(&name), name },
            Fault::NoObject { value, key, .. } => Error::NoObject { text: text.into(), value, key },
            Fault::NotCaptured { what, why } if what == "the place" => Error::NoSuchPlace { text: text.into(), why },
            Fault::NotCaptured { why, .. } => Error::NotCaptured { text: text.into(), why },
        }
    }

    /// The line in which a name that is visible at the point is declared.
    fn declared_in(&self, name: &str) -> Option<u32> {
        let scene = self.at.scene;
        let code = self.trace.code(scene.unit)?;
        let variable = self.trace.resolve(scene, name)?;
        let declared = code.unit.code().ok()?.sites.variable(variable).span.start;
        Some(code.unit.place(declared)?.position.line)
    }

    /// The names in scope, the nearest spelling first.
    pub(crate) fn nearest_names(&self, scene: Scene, wanted: &str) -> Vec<String> {
        let Some(code) = self.trace.code(scene.unit) else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        for variable in self.trace.names_in_scope(scene) {
            let name = code.variable_name(variable);
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names.sort_by_cached_key(|name| distance(name, wanted));
        names
    }
}
