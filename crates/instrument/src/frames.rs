//! The functions that are being walked: what holds their numbers, and places for values on their way.

use helper_names::{SCOPE_VARIABLE, TEMPORARIES, TEMPORARY};
use oxc_syntax::symbol::SymbolId;
use trace_model::{FunctionIndex, FunctionKind};

use crate::anchors::Anchors;
use crate::sites::literal;
use crate::walker::Walker;

/// The function being walked.
pub(crate) struct Frame {
    pub index: FunctionIndex,
    pub kind: FunctionKind,
    /// The variable that holds its frame number, if it has one and it can be declared.
    pub variable: Option<String>,
    pub variable_used: bool,
    /// Whether temporaries can be declared as locals.
    pub has_locals: bool,
    pub temps_in_use: u32,
    pub temps_declared: u32,
    /// Whether a statement put into it could change a completion value.
    pub completion_value: bool,
    pub is_async_generator: bool,
    pub uses_this: bool,
    /// Its `this` is recorded as it begins, and has its number from there.
    pub records_this: bool,
    /// Arrow functions in it do not find its `this` through their scope, and can read it.
    pub has_unseen_this: bool,
    pub uses_arguments: bool,
    /// The properties of `this` that it writes itself, each with its site, where few are recorded.
    pub writes_to_this: Vec<(String, String)>,
    /// Its parameters, where writing an element of `arguments` writes them as well.
    pub mapped: Vec<(String, SymbolId)>,
    pub has_direct_eval: bool,
    /// An `await` was walked whose resumption could not be noted in place.
    pub late_resume: bool,
}

impl Frame {
    /// Nothing is known of it yet.
    pub fn new(index: FunctionIndex, kind: FunctionKind) -> Frame {
        Frame {
            index,
            kind,
            variable: None,
            variable_used: false,
            has_locals: false,
            temps_in_use: 0,
            temps_declared: 0,
            completion_value: false,
            is_async_generator: false,
            uses_this: false,
            records_this: false,
            has_unseen_this: false,
            uses_arguments: false,
            writes_to_this: Vec::new(),
            mapped: Vec::new(),
            has_direct_eval: false,
            late_resume: false,
        }
    }
}

/// A place for a value.
#[derive(Clone)]
pub(crate) struct Temp {
    pub text: String,
    /// Its number among the locals of the frame; 0 if it is none.
    local: u32,
}

impl<N: Anchors> Walker<'_, '_, N> {
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("the top level is a frame")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the top level is a frame")
    }

    pub fn is_entered(&self, function: FunctionIndex) -> bool {
        self.entered.is_none_or(|entered| entered[function.0 as usize])
    }

    /// The expression that gives the current frame's number.
    pub fn frame_number(&mut self) -> String {
        let frame = self.frame_mut();
        match &frame.variable {
            Some(variable) => {
                let variable = variable.clone();
                frame.variable_used = true;
                variable
            }
            None => "0".into(),
        }
    }

    /// The expression that gives the number of the scope around a function that is created here.
    pub fn scope_number(&mut self) -> String {
        let Some(scope) = self.scopes.last() else { return "0".into() };
        let name = scope.name.clone();
        if let Some(frame) = scope.frame {
            self.frames[frame].variable_used = true;
        }
        name.unwrap_or_else(|| "0".into())
    }

    pub fn fresh_scope_variable(&mut self) -> String {
        self.next_scope += 1;
        format!("{SCOPE_VARIABLE}{}", self.next_scope)
    }

    /// A place to keep a value while the expression that needs it is evaluated.
    pub fn take_temp(&mut self) -> String {
        let temp = self.reserve_temp();
        self.declare_temp(temp)
    }

    /// A place that may turn out to be needed.
    pub fn reserve_temp(&mut self) -> Temp {
        let next_site = self.table.sites.len() as u32;
        let frame = self.frame_mut();
        frame.temps_in_use += 1;
        if !frame.has_locals {
            let text = match frame.temps_in_use {
                1 => format!("{TEMPORARIES}[{}]", literal(next_site)),
                more => format!("{TEMPORARIES}[{}+{more}]", literal(next_site)),
            };
            return Temp { text, local: 0 };
        }
        Temp { text: format!("{TEMPORARY}{}", frame.temps_in_use), local: frame.temps_in_use }
    }

    /// It is needed.
    pub fn declare_temp(&mut self, temp: Temp) -> String {
        let frame = self.frame_mut();
        frame.temps_declared = frame.temps_declared.max(temp.local);
        temp.text
    }

    pub fn give_back_temps(&mut self, in_use: u32) {
        self.frame_mut().temps_in_use = in_use;
    }
}
