//! Runs a program, and notes what it does at its sites.

use std::collections::HashMap;
use std::rc::Rc;

use trace_model::{
    BuiltinOp, Event, FrameId, LocalSite, ObjectClass, ObjectId, Record, SiteId, StringId, TailValues, Value,
};

use crate::lowering::{Code, Role};
use crate::syntax::{Expr, ExprKind, NodeId, Program, Statement, StatementKind};

/// What a program did.
pub struct Execution {
    pub events: Vec<Event>,
    pub output: String,
    /// The message with which it ended.
    pub failure: Option<String>,
}

/// The number of the first site in the process.
pub const FIRST_SITE: u32 = 1;

pub fn run(program: &Program, code: &Code) -> Execution {
    let mut machine = Machine {
        program,
        code,
        events: Vec::new(),
        strings: HashMap::new(),
        objects: Vec::new(),
        n_frames: 0,
        globals: HashMap::new(),
        output: String::new(),
    };
    let ended = machine.call(0, Vec::new());
    let failure = ended.err().map(|failure| {
        machine.look_at_error(&failure);
        machine.emit(Event::Record(Record::Uncaught { rejection: false, value: Value::Object(failure.object) }));
        failure.message
    });
    machine.emit(Event::Record(Record::ThreadEnd { code: u32::from(failure.is_some()) }));
    Execution { events: machine.events, output: machine.output, failure }
}

#[derive(Clone, PartialEq, Debug)]
enum Held {
    Nothing,
    Bool(bool),
    Number(f64),
    Text(Rc<str>),
    /// Where it lies. A record lies in one place only.
    Record(usize),
    List(usize),
}

enum Object {
    Record(Vec<(String, Held)>),
    List(Vec<Held>),
    Error,
}

/// Why a program does not go on.
struct Failed {
    message: String,
    object: ObjectId,
    is_seen: bool,
    /// What a check found, and what it wanted.
    compared: Option<(Held, Held)>,
}

enum Flow {
    Next,
    Return(Held),
}

type Variables = HashMap<String, Held>;

struct Machine<'p> {
    program: &'p Program,
    code: &'p Code,
    events: Vec<Event>,
    strings: HashMap<String, StringId>,
    objects: Vec<Object>,
    n_frames: u32,
    /// Variables of the top level, once it runs.
    globals: Variables,
    output: String,
}

impl Machine<'_> {
    /// Function 0 is the top level.
    fn call(&mut self, function: usize, arguments: Vec<Held>) -> Result<Held, Failed> {
        let program = self.program;
        let code = self.code;
        let sites = &code.frames[function];
        self.n_frames += 1;
        // The top level is the first frame.
        let around = (function > 0).then_some(FrameId(1));
        self.at(sites.enter, None, TailValues::ParentScope(around));
        let mut own = Variables::new();
        let (parameters, body) = match function.checked_sub(1).map(|number| &program.functions[number]) {
            Some(function) => (&function.parameters[..], &function.body),
            None => (&[][..], &program.body),
        };
        let given = arguments.into_iter().chain(std::iter::repeat(Held::Nothing));
        for ((parameter, site), value) in parameters.iter().zip(&sites.parameters).zip(given) {
            let told = self.told(&value);
            self.at(*site, Some(told), TailValues::None);
            own.insert(parameter.text.clone(), value);
        }
        let ended = self.block(body, &mut own, function == 0);
        if matches!(ended, Ok(Flow::Next)) {
            self.at(sites.end, Some(Value::Null), TailValues::None);
        }
        self.at(sites.exit, None, TailValues::None);
        match ended? {
            Flow::Return(value) => Ok(value),
            Flow::Next => Ok(Held::Nothing),
        }
    }

    fn block(&mut self, body: &[Statement], own: &mut Variables, is_top: bool) -> Result<Flow, Failed> {
        for statement in body {
            match self.statement(statement, own, is_top)? {
                Flow::Next => {}
                Flow::Return(value) => return Ok(Flow::Return(value)),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, own: &mut Variables, is_top: bool) -> Result<Flow, Failed> {
        let id = statement.id;
        match &statement.kind {
            StatementKind::Let { name, value } => {
                let value = self.taken(value, own)?;
                self.at_own(id, &value);
                let variables = if is_top { &mut self.globals } else { own };
                variables.insert(name.text.clone(), value);
            }
            StatementKind::Assign { target, value } => self.assign(id, target, value, own)?,
            StatementKind::If { test, then, otherwise } => {
                let body = if self.test(id, test, own)? { then } else { otherwise };
                return self.block(body, own, is_top);
            }
            StatementKind::While { test, body } => {
                while self.test(id, test, own)? {
                    if let Flow::Return(value) = self.block(body, own, is_top)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            StatementKind::For { name, list, body } => {
                let list = self.list(list, own)?;
                let mut place = 0;
                while let Some(element) = self.element(list, place) {
                    place += 1;
                    self.at_own(id, &element);
                    let variables = if is_top { &mut self.globals } else { &mut *own };
                    variables.insert(name.text.clone(), element);
                    if let Flow::Return(value) = self.block(body, own, is_top)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            StatementKind::Return(value) => {
                let value = value.as_ref().map_or(Ok(Held::Nothing), |value| self.taken(value, own))?;
                self.at_own(id, &value);
                return Ok(Flow::Return(value));
            }
            StatementKind::Fail(message) => {
                let message = self.value(message, own)?;
                let failed = self.failed(self.written(&message));
                return Err(self.thrown(id, Role::Own, failed));
            }
            StatementKind::Check(test) => {
                let compared = self.compared(test, own)?;
                let (is_met, compared) = match compared {
                    Some((is_met, found, wanted)) => (is_met, Some((found, wanted))),
                    None => (is_true(&self.value(test, own)?), None),
                };
                self.at_own(id, &Held::Bool(is_met));
                if !is_met {
                    let message = match &compared {
                        Some((found, wanted)) => {
                            format!("{} was found, {} was wanted", self.written(found), self.written(wanted))
                        }
                        None => "the check failed".to_owned(),
                    };
                    let failed = Failed { compared, ..self.failed(message) };
                    return Err(self.thrown(id, Role::Throw, failed));
                }
            }
            StatementKind::Print(value) => {
                self.at_role(id, Role::Call, None, TailValues::None);
                let value = self.value(value, own)?;
                let line = self.written(&value) + "\n";
                let text = self.string(&line);
                self.emit(Event::Record(Record::Output { fd: 1, bytes: line.len() as u32, text: Some(text) }));
                self.output.push_str(&line);
                self.at_role(id, Role::Result, Some(Value::Null), TailValues::None);
            }
            StatementKind::Do(value) => {
                self.value(value, own)?;
            }
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, id: NodeId, target: &Expr, value: &Expr, own: &mut Variables) -> Result<(), Failed> {
        match &target.kind {
            ExprKind::Name(name) => {
                let value = self.taken(value, own)?;
                self.at_own(id, &value);
                let variables = if own.contains_key(name) { own } else { &mut self.globals };
                variables.insert(name.clone(), value);
            }
            ExprKind::Field(object, field) => {
                let object = self.value(object, own)?;
                let Held::Record(record) = object else { return Err(self.no_field(&object, field)) };
                let value = self.taken(value, own)?;
                let told = self.told(&value);
                self.at_role(id, Role::Own, Some(told), TailValues::Object(Some(object_id(record))));
                if let Object::Record(fields) = &mut self.objects[record] {
                    match fields.iter_mut().find(|(known, _)| known == field) {
                        Some((_, held)) => *held = value,
                        None => fields.push((field.clone(), value)),
                    }
                }
            }
            ExprKind::Index(list, index) => {
                let list = self.list(list, own)?;
                let key = self.value(index, own)?;
                let Some(place) = self.place_in(list, &key) else { return Err(self.no_element(&key)) };
                let value = self.taken(value, own)?;
                let (told, key) = (self.told(&value), self.told(&key));
                self.at_role(id, Role::Own, Some(told), TailValues::ObjectAndKey(Some(object_id(list)), key));
                if let Object::List(elements) = &mut self.objects[list] {
                    elements[place] = value;
                }
            }
            _ => return Err(self.failed("this is no place".into())),
        }
        Ok(())
    }

    fn test(&mut self, id: NodeId, test: &Expr, own: &mut Variables) -> Result<bool, Failed> {
        let value = self.value(test, own)?;
        self.at_own(id, &value);
        Ok(is_true(&value))
    }

    /// Of a comparison: whether it holds, and what was compared.
    fn compared(&mut self, test: &Expr, own: &mut Variables) -> Result<Option<(bool, Held, Held)>, Failed> {
        let ExprKind::Binary("=", found, wanted) = &test.kind else { return Ok(None) };
        let (found, wanted) = (self.value(found, own)?, self.value(wanted, own)?);
        Ok(Some((self.are_equal(&found, &wanted), found, wanted)))
    }

    /// A value that somebody keeps.
    fn taken(&mut self, expr: &Expr, own: &mut Variables) -> Result<Held, Failed> {
        let value = self.value(expr, own)?;
        Ok(if expr.is_place() { self.copied(expr.id, value) } else { value })
    }

    fn copied(&mut self, id: NodeId, value: Held) -> Held {
        let fields = match &value {
            Held::Record(from) => match &self.objects[*from] {
                Object::Record(fields) => Some(fields.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(fields) = fields else {
            // It is what it was; that somebody took it is told all the same.
            let told = self.told(&value);
            self.at_role(id, Role::Copy, Some(told), TailValues::None);
            return value;
        };
        let own = |(name, value): (String, Held)| match value {
            Held::Record(_) => (name, self.copied(id, value)),
            value => (name, value),
        };
        let fields: Vec<(String, Held)> = fields.into_iter().map(own).collect();
        let entries = fields.iter().map(|(name, value)| (self.key(name), self.told(value))).collect::<Vec<_>>();
        let copy = self.add(Object::Record(fields));
        let object = object_id(copy);
        self.at_role(id, Role::Copy, Some(Value::Object(object)), TailValues::None);
        self.look(object, ObjectClass::Plain, None, entries);
        Held::Record(copy)
    }

    fn value(&mut self, expr: &Expr, own: &mut Variables) -> Result<Held, Failed> {
        Ok(match &expr.kind {
            ExprKind::Nothing => Held::Nothing,
            ExprKind::Bool(truth) => Held::Bool(*truth),
            ExprKind::Number(number) => Held::Number(*number),
            ExprKind::Text(text) => Held::Text(text.as_str().into()),
            ExprKind::Name(name) => match own.get(name).or_else(|| self.globals.get(name)) {
                Some(value) => value.clone(),
                None => return Err(self.failed(format!("there is no {name}"))),
            },
            ExprKind::Field(object, field) => {
                let object = self.value(object, own)?;
                match self.field(&object, field) {
                    Some(value) => value,
                    None => return Err(self.no_field(&object, field)),
                }
            }
            ExprKind::Index(list, index) => {
                let list = self.list(list, own)?;
                let key = self.value(index, own)?;
                let element = self.place_in(list, &key).and_then(|place| self.element(list, place));
                match element {
                    Some(element) => element,
                    None => return Err(self.no_element(&key)),
                }
            }
            ExprKind::Unary(operator, operand) => match (*operator, self.value(operand, own)?) {
                ("not", operand) => Held::Bool(!is_true(&operand)),
                ("-", Held::Number(number)) => Held::Number(-number),
                (_, operand) => return Err(self.failed(format!("{} is no number", self.written(&operand)))),
            },
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left, own)?, self.value(right, own)?);
                self.binary(operator, &left, &right)?
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let is_and = matches!(expr.kind, ExprKind::And(..));
                let left = self.value(left, own)?;
                self.at_own(expr.id, &left);
                if is_true(&left) == is_and { self.value(right, own)? } else { left }
            }
            ExprKind::Call(name, arguments) => {
                self.at_role(expr.id, Role::Call, None, TailValues::None);
                let arguments =
                    arguments.iter().map(|argument| self.taken(argument, own)).collect::<Result<Vec<_>, _>>()?;
                let result = self.called(&name.text, arguments)?;
                let told = self.told(&result);
                self.at_role(expr.id, Role::Result, Some(told), TailValues::None);
                result
            }
            ExprKind::Record(fields) => {
                let mut held = Vec::new();
                for (name, value) in fields {
                    held.push((name.clone(), self.taken(value, own)?));
                }
                let values = held.iter().map(|(_, value)| self.told(value)).collect::<Vec<_>>();
                let record = self.add(Object::Record(held));
                self.born(expr.id, record, values);
                Held::Record(record)
            }
            ExprKind::List(elements) => {
                let held = elements.iter().map(|element| self.taken(element, own)).collect::<Result<Vec<_>, _>>()?;
                let values = held.iter().map(|value| self.told(value)).collect::<Vec<_>>();
                let list = self.add(Object::List(held));
                self.born(expr.id, list, values);
                Held::List(list)
            }
        })
    }

    fn called(&mut self, name: &str, arguments: Vec<Held>) -> Result<Held, Failed> {
        if let Some(number) = self.program.functions.iter().position(|function| function.name.text == name) {
            return self.call(number + 1, arguments);
        }
        match (name, &arguments[..]) {
            ("add", [Held::List(list), value]) => {
                let told = self.told(value);
                self.emit(Event::Record(Record::Effect {
                    object: object_id(*list),
                    op: BuiltinOp::Push,
                    values: vec![told],
                }));
                if let Object::List(elements) = &mut self.objects[*list] {
                    elements.push(value.clone());
                }
                Ok(Held::Nothing)
            }
            _ => Err(self.failed(format!("{name} cannot be called"))),
        }
    }

    fn binary(&mut self, operator: &str, left: &Held, right: &Held) -> Result<Held, Failed> {
        Ok(match (operator, left, right) {
            ("=", ..) => Held::Bool(self.are_equal(left, right)),
            ("<>", ..) => Held::Bool(!self.are_equal(left, right)),
            ("&", ..) => Held::Text((self.written(left) + &self.written(right)).into()),
            ("has", Held::Record(_), Held::Text(name)) => Held::Bool(self.field(left, name).is_some()),
            ("/" | "mod", _, Held::Number(0.0)) => return Err(self.failed("nothing can be divided by 0".into())),
            (_, Held::Number(a), Held::Number(b)) => match operator {
                "+" => Held::Number(a + b),
                "-" => Held::Number(a - b),
                "*" => Held::Number(a * b),
                "/" => Held::Number((a / b).floor()),
                "mod" => Held::Number(a.rem_euclid(*b)),
                "<" => Held::Bool(a < b),
                ">" => Held::Bool(a > b),
                "<=" => Held::Bool(a <= b),
                _ => Held::Bool(a >= b),
            },
            _ => {
                let message = format!("{} {operator} {} has no meaning", self.written(left), self.written(right));
                return Err(self.failed(message));
            }
        })
    }

    /// Records are equal if all that is in them is; lists if they are the same one.
    fn are_equal(&self, left: &Held, right: &Held) -> bool {
        let (Held::Record(a), Held::Record(b)) = (left, right) else { return left == right };
        let (Object::Record(a), Object::Record(b)) = (&self.objects[*a], &self.objects[*b]) else { return false };
        let has =
            |name: &String, value: &Held| b.iter().any(|(known, other)| known == name && self.are_equal(value, other));
        a.len() == b.len() && a.iter().all(|(name, value)| has(name, value))
    }

    fn field(&self, object: &Held, field: &str) -> Option<Held> {
        match object {
            Held::Record(record) => match &self.objects[*record] {
                Object::Record(fields) => fields.iter().find(|(name, _)| name == field).map(|(_, held)| held.clone()),
                _ => None,
            },
            Held::List(list) => match &self.objects[*list] {
                Object::List(elements) if field == "count" => Some(Held::Number(elements.len() as f64)),
                _ => None,
            },
            _ => None,
        }
    }

    fn list(&mut self, list: &Expr, own: &mut Variables) -> Result<usize, Failed> {
        match self.value(list, own)? {
            Held::List(list) => Ok(list),
            other => Err(self.failed(format!("{} is no list", self.written(&other)))),
        }
    }

    fn element(&self, list: usize, place: usize) -> Option<Held> {
        match &self.objects[list] {
            Object::List(elements) => elements.get(place).cloned(),
            _ => None,
        }
    }

    /// Lists begin at 1.
    fn place_in(&self, list: usize, key: &Held) -> Option<usize> {
        let Held::Number(number) = key else { return None };
        let place = (*number as usize).checked_sub(1)?;
        self.element(list, place).map(|_| place)
    }

    fn written(&self, value: &Held) -> String {
        match value {
            Held::Nothing => "nothing".into(),
            Held::Bool(truth) => if *truth { "yes" } else { "no" }.into(),
            Held::Number(number) => number.to_string(),
            Held::Text(text) => text.to_string(),
            Held::Record(_) => "a record".into(),
            Held::List(_) => "a list".into(),
        }
    }

    fn failed(&mut self, message: String) -> Failed {
        let object = object_id(self.add(Object::Error));
        Failed { message, object, is_seen: false, compared: None }
    }

    fn no_field(&mut self, object: &Held, field: &str) -> Failed {
        self.failed(format!("{} has no field {field}", self.written(object)))
    }

    fn no_element(&mut self, key: &Held) -> Failed {
        self.failed(format!("there is no element {}", self.written(key)))
    }

    /// By the program itself.
    fn thrown(&mut self, id: NodeId, role: Role, mut failed: Failed) -> Failed {
        self.look_at_error(&failed);
        failed.is_seen = true;
        self.at_role(id, role, Some(Value::Object(failed.object)), TailValues::None);
        failed
    }

    fn look_at_error(&mut self, failed: &Failed) {
        if failed.is_seen {
            return;
        }
        let message = Value::String(self.string(&failed.message));
        let mut entries = vec![(self.key("message"), message)];
        if let Some((found, wanted)) = &failed.compared {
            let told = [("found", self.told(found)), ("wanted", self.told(wanted))];
            entries.extend(told.map(|(name, value)| (self.key(name), value)));
        }
        let name = if failed.compared.is_some() { "CheckFailed" } else { "Failure" };
        self.look(failed.object, ObjectClass::Error, Some(name), entries);
    }

    fn look(&mut self, object: ObjectId, class: ObjectClass, name: Option<&str>, entries: Vec<(Value, Value)>) {
        let name = name.map(|name| self.string(name));
        let size = entries.len() as u32;
        self.emit(Event::Record(Record::Look { object, class, prototype: None, name, size, is_cut: false, entries }));
    }

    fn add(&mut self, object: Object) -> usize {
        self.objects.push(object);
        self.objects.len() - 1
    }

    fn born(&mut self, id: NodeId, object: usize, values: Vec<Value>) {
        self.at_role(id, Role::Own, Some(Value::Object(object_id(object))), TailValues::Values(values));
    }

    fn at_own(&mut self, id: NodeId, value: &Held) {
        let told = self.told(value);
        self.at_role(id, Role::Own, Some(told), TailValues::None);
    }

    fn at_role(&mut self, id: NodeId, role: Role, value: Option<Value>, tail: TailValues) {
        if let Some(site) = self.code.site(id, role) {
            self.at(site, value, tail);
        }
    }

    fn at(&mut self, site: LocalSite, value: Option<Value>, tail: TailValues) {
        self.emit(Event::Site { site: SiteId(FIRST_SITE + site.0), value, tail });
    }

    fn told(&mut self, value: &Held) -> Value {
        match value {
            Held::Nothing => Value::Null,
            Held::Bool(truth) => Value::Bool(*truth),
            Held::Number(number) => Value::Number(*number),
            Held::Text(text) => Value::String(self.string(text)),
            Held::Record(object) | Held::List(object) => Value::Object(object_id(*object)),
        }
    }

    fn key(&mut self, name: &str) -> Value {
        Value::String(self.string(name))
    }

    fn string(&mut self, text: &str) -> StringId {
        if let Some(known) = self.strings.get(text) {
            return *known;
        }
        let id = StringId(self.strings.len() as u32 + 1);
        self.strings.insert(text.to_owned(), id);
        self.emit(Event::Record(Record::String(id, text.to_owned())));
        id
    }

    fn emit(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// `no` and `nothing` are not true; everything else is.
fn is_true(value: &Held) -> bool {
    !matches!(value, Held::Nothing | Held::Bool(false))
}

fn object_id(object: usize) -> ObjectId {
    ObjectId(object as u32 + 1)
}
