//! Event streams as programs with closures, blocks, exceptions and suspensions emit them.

use trace_model::*;

/// Functions: 0 the module; 1 in it; 2 in 1, which does not say when it leaves; 3 in 0, asynchronous; 4 in 3, which does not say
/// when it leaves.
const PARENTS: [Option<u32>; 5] = [None, Some(0), Some(1), Some(0), Some(3)];
const EXACT: [bool; 5] = [true, true, false, true, false];
pub const N_FUNCTIONS: u32 = 5;
const ASYNC: u32 = 3;

/// The sites of each function, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Enter,
    Exit,
    Return,
    Call,
    Result,
    Catch,
    Suspend,
    Resume,
    Outer,
    Inner,
    OwnVariable,
    OuterVariable,
    InnerVariable,
    ParentVariable,
    ParentOuterVariable,
    ParentInnerVariable,
    GlobalVariable,
    This,
    PutA,
    PutComputed,
    FieldB,
    DeleteA,
    DeleteComputed,
    ObjectLiteral,
    ArrayLiteral,
    Literal,
    FunctionBirth,
    Branch,
}

pub const ROLES: [Role; 28] = [
    Role::Enter,
    Role::Exit,
    Role::Return,
    Role::Call,
    Role::Result,
    Role::Catch,
    Role::Suspend,
    Role::Resume,
    Role::Outer,
    Role::Inner,
    Role::OwnVariable,
    Role::OuterVariable,
    Role::InnerVariable,
    Role::ParentVariable,
    Role::ParentOuterVariable,
    Role::ParentInnerVariable,
    Role::GlobalVariable,
    Role::This,
    Role::PutA,
    Role::PutComputed,
    Role::FieldB,
    Role::DeleteA,
    Role::DeleteComputed,
    Role::ObjectLiteral,
    Role::ArrayLiteral,
    Role::Literal,
    Role::FunctionBirth,
    Role::Branch,
];

pub const BASE: SiteId = SiteId(1);

pub fn site(function: u32, role: Role) -> SiteId {
    let at = ROLES.iter().position(|known| *known == role).unwrap() as u32;
    SiteId(BASE.0 + function * ROLES.len() as u32 + at)
}

pub fn local(function: u32, role: Role) -> LocalSite {
    LocalSite(site(function, role).0 - BASE.0)
}

/// Variables: three of each function, then a global one.
pub fn owners() -> Vec<Owner> {
    let of = |function| {
        let block = |role| Owner::Block(local(function, role));
        [Owner::Function(FunctionIndex(function)), block(Role::Outer), block(Role::Inner)]
    };
    (0..N_FUNCTIONS).flat_map(of).chain([Owner::Global]).collect()
}

pub fn table() -> SiteTable {
    let function = |at: u32| Function {
        kind: FunctionKind::Plain,
        name: NameIndex(0),
        span: Span::default(),
        parent: PARENTS[at as usize].map(FunctionIndex),
        is_async: at == ASYNC,
        is_generator: false,
        exact_exit: EXACT[at as usize],
        recorded: true,
    };
    let variable = |owner| Variable { name: NameIndex(0), owner, kind: VariableKind::Let, span: Span::default() };
    SiteTable {
        functions: (0..N_FUNCTIONS).map(function).collect(),
        sites: (0..N_FUNCTIONS).flat_map(|function| ROLES.map(|role| made_site(function, role))).collect(),
        names: vec!["f".into(), "a".into(), "b".into()],
        variables: owners().into_iter().map(variable).collect(),
        not_captured: vec![],
        made: None,
    }
}

fn made_site(function: u32, role: Role) -> Site {
    let parent = PARENTS[function as usize].unwrap_or(function);
    let variable = match role {
        Role::OwnVariable => Some(function * 3),
        Role::OuterVariable => Some(function * 3 + 1),
        Role::InnerVariable => Some(function * 3 + 2),
        Role::ParentVariable => Some(parent * 3),
        Role::ParentOuterVariable => Some(parent * 3 + 1),
        Role::ParentInnerVariable => Some(parent * 3 + 2),
        Role::GlobalVariable => Some(N_FUNCTIONS * 3),
        _ => None,
    };
    let kind = match role {
        Role::Enter => SiteKind::Enter,
        Role::Exit => SiteKind::Exit,
        Role::Return => SiteKind::Return,
        Role::Call => SiteKind::Call,
        Role::Result => SiteKind::Result,
        Role::Catch => SiteKind::Catch,
        Role::Suspend => SiteKind::Suspend,
        Role::Resume => SiteKind::Resume,
        Role::Outer | Role::Inner => SiteKind::Scope,
        Role::OwnVariable => SiteKind::Param,
        Role::GlobalVariable => SiteKind::VarIncrement,
        _ if variable.is_some() => SiteKind::Var,
        Role::This => SiteKind::This,
        Role::PutA => SiteKind::Put,
        Role::PutComputed => SiteKind::PutComputed,
        Role::FieldB => SiteKind::Field,
        Role::DeleteA => SiteKind::Delete,
        Role::DeleteComputed => SiteKind::DeleteComputed,
        Role::ObjectLiteral => SiteKind::ObjectLiteral,
        Role::ArrayLiteral => SiteKind::ArrayLiteral,
        Role::Literal => SiteKind::Literal,
        Role::FunctionBirth => SiteKind::FunctionBirth,
        _ => SiteKind::Branch,
    };
    let (start, end) = match role {
        Role::Outer => (10, 50),
        Role::Inner => (20, 30),
        _ => (1, 2),
    };
    Site {
        kind,
        span: Span { start, end },
        function: FunctionIndex(function),
        names: match role {
            Role::PutA | Role::DeleteA => vec![NameIndex(1)],
            Role::FieldB => vec![NameIndex(2)],
            Role::ObjectLiteral => vec![NameIndex(1), NameIndex(2)],
            _ => vec![],
        },
        extra: if role == Role::ArrayLiteral { 2 } else { 0 },
        variable: variable.map(VariableIndex),
    }
}

/// What decides what happens next.
pub type Choice = (u8, u32, u32);

/// Runs a program: each choice is a few events of it.
pub fn events(choices: &[Choice]) -> Vec<Event> {
    let mut program = Program::default();
    for choice in choices {
        program.go_on(*choice);
    }
    program.events
}

#[derive(Default)]
struct Program {
    events: Vec<Event>,
    stack: Vec<Activation>,
    suspended: Vec<Activation>,
    /// Every frame and scope: its number and the function it is of.
    instances: Vec<(FrameId, u32)>,
    n_frames: u32,
    n_objects: u32,
    n_strings: u32,
    n_symbols: u32,
}

#[derive(Clone, Copy)]
struct Activation {
    id: FrameId,
    function: u32,
    /// Whether its caller said that it calls.
    is_awaited: bool,
}

impl Program {
    fn go_on(&mut self, (what, a, b): Choice) {
        match (what % 16, self.stack.last().copied()) {
            (0..=2, _) | (_, None) if what % 16 != 12 => self.enter(a, b),
            (3 | 4, Some(top)) => self.leave(top, a),
            (5, Some(top)) if top.function == ASYNC => {
                self.mark(top.function, Role::Suspend);
                // Whoever called it got its promise.
                self.suspended.extend(self.stack.pop().map(|frame| Activation { is_awaited: false, ..frame }));
            }
            (6, _) if !self.suspended.is_empty() => {
                let frame = self.suspended.swap_remove(a as usize % self.suspended.len());
                self.emit(frame.function, Role::Resume, None, TailValues::Frame(frame.id));
                self.stack.push(frame);
            }
            (7, Some(_)) => {
                self.stack.truncate(a as usize % self.stack.len() + 1);
                let top = self.stack[self.stack.len() - 1];
                self.emit(top.function, Role::Catch, None, TailValues::Frame(top.id));
            }
            (8, Some(top)) => {
                self.n_frames += 1;
                self.instances.push((FrameId(self.n_frames), top.function));
                self.mark(top.function, if a.is_multiple_of(2) { Role::Outer } else { Role::Inner });
            }
            (9 | 10, Some(top)) => {
                let roles = &ROLES[10..17];
                let value = self.value(b);
                self.emit(top.function, roles[a as usize % roles.len()], Some(value), TailValues::None);
            }
            (11..=13, _) => self.record(a, b),
            (_, Some(top)) => self.touch(top.function, a, b),
            (_, None) => self.record(a, b),
        }
    }

    fn enter(&mut self, a: u32, b: u32) {
        let is_awaited = !self.stack.is_empty() && a.is_multiple_of(2);
        if let (Some(top), true) = (self.stack.last().copied(), is_awaited) {
            self.mark(top.function, Role::Call);
        }
        let function = (a / 2) % N_FUNCTIONS;
        let around: Vec<_> = self
            .instances
            .iter()
            .filter(|(_, of)| Some(*of) == PARENTS[function as usize])
            .map(|(id, _)| *id)
            .collect();
        let scope =
            if around.is_empty() { None } else { Some(around[around.len() - 1 - b as usize % around.len().min(9)]) };
        self.n_frames += 1;
        let id = FrameId(self.n_frames);
        self.instances.push((id, function));
        self.emit(function, Role::Enter, None, TailValues::ParentScope(scope));
        self.stack.push(Activation { id, function, is_awaited });
    }

    fn leave(&mut self, top: Activation, a: u32) {
        let is_exact = EXACT[top.function as usize];
        if !a.is_multiple_of(4) {
            self.mark(top.function, Role::Return);
        }
        if is_exact {
            self.mark(top.function, Role::Exit);
        }
        self.stack.pop();
        if let (Some(below), true) = (self.stack.last().copied(), top.is_awaited && !a.is_multiple_of(3)) {
            self.mark(below.function, Role::Result);
        }
    }

    fn touch(&mut self, function: u32, a: u32, b: u32) {
        let roles = &ROLES[17..];
        let role = roles[a as usize % roles.len()];
        let object = self.object(a / 16);
        let (value, tail) = match role {
            Role::This if b.is_multiple_of(2) => {
                let prototype = (b.is_multiple_of(3)).then(|| self.object(b));
                (Value::NewObject { id: object, prototype }, TailValues::None)
            }
            Role::PutA | Role::FieldB => (self.value(b), TailValues::Object((!a.is_multiple_of(9)).then_some(object))),
            Role::DeleteA => (Value::Bool(true), TailValues::Object(Some(object))),
            Role::PutComputed | Role::DeleteComputed => {
                (self.value(b), TailValues::ObjectAndKey(Some(object), self.key(b / 8)))
            }
            Role::ObjectLiteral | Role::ArrayLiteral => {
                (Value::Object(object), TailValues::Values(vec![self.value(b), self.value(b / 8)]))
            }
            Role::Branch => (self.value(b), TailValues::None),
            _ => (Value::Object(object), TailValues::None),
        };
        self.emit(function, role, Some(value), tail);
    }

    fn record(&mut self, a: u32, b: u32) {
        let record = match a % 9 {
            0 => {
                self.n_strings += 1;
                Record::String(
                    StringId(self.n_strings),
                    ["a", "b", "length", "1", "é", "long text"][b as usize % 6].into(),
                )
            }
            1 => {
                self.n_symbols += 1;
                let description = (b.is_multiple_of(2) && self.n_strings > 0).then_some(StringId(self.n_strings));
                Record::Symbol(SymbolId(self.n_symbols), description)
            }
            2 | 3 => Record::Look {
                object: self.object(b),
                class: ObjectClass::Plain,
                prototype: (b.is_multiple_of(3)).then(|| self.object(b / 3)),
                name: None,
                size: 1,
                is_cut: false,
                entries: vec![(self.key(b), self.value(b / 4))],
            },
            4 | 5 => {
                let op = BuiltinOp::ALL[b as usize % BuiltinOp::ALL.len()];
                Record::Effect { object: self.object(b / 17), op, values: vec![self.key(b / 3), self.value(b / 5)] }
            }
            6 => Record::Output { fd: 1, bytes: b % 9, text: None },
            7 if b.is_multiple_of(4) => Record::Uncaught { rejection: b.is_multiple_of(8), value: self.value(b / 8) },
            7 if b.is_multiple_of(2) => {
                let step = MessageStep::ALL[b as usize % MessageStep::ALL.len()];
                Record::Message { step, channel: b % 3, from: b.into(), length: 1, value: self.value(b / 8) }
            }
            _ => Record::Time { micros: b.into() },
        };
        self.events.push(Event::Record(record));
    }

    fn mark(&mut self, function: u32, role: Role) {
        self.emit(function, role, None, TailValues::None);
    }

    fn emit(&mut self, function: u32, role: Role, value: Option<Value>, tail: TailValues) {
        self.events.push(Event::Site { site: site(function, role), value, tail });
    }

    /// Mostly a known one, sometimes the next, seldom one further on.
    fn object(&mut self, choice: u32) -> ObjectId {
        let id = match choice % 8 {
            0 => self.n_objects + 1,
            1 if choice % 64 == 1 => self.n_objects + 2,
            _ => choice / 8 % self.n_objects.max(1) + 1,
        };
        self.n_objects = self.n_objects.max(id);
        ObjectId(id)
    }

    fn value(&mut self, choice: u32) -> Value {
        match choice % 4 {
            0 => Value::Number(f64::from(choice)),
            1 if self.n_strings > 0 => Value::String(StringId(choice % self.n_strings + 1)),
            1 => Value::Undefined,
            _ => Value::Object(self.object(choice / 4)),
        }
    }

    fn key(&mut self, choice: u32) -> Value {
        match choice % 8 {
            0 => Value::Number(1.0),
            1 => Value::Number(1.5),
            2 => Value::NotCaptured,
            3 if self.n_symbols > 0 => Value::Symbol(SymbolId(choice % self.n_symbols + 1)),
            _ if self.n_strings > 0 => Value::String(StringId(choice / 8 % self.n_strings + 1)),
            _ => Value::Number(2.0),
        }
    }
}
