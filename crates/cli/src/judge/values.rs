//! Values with what is inside them, in one line: what a person needs to judge a tree of objects.

use std::collections::HashMap;

use debugger::{ObjectShown, QuestionShown, Value, ValueType};

/// So deep is looked for anything but functions.
const MOST_DEEP: usize = 4;

/// Which state of the objects is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Entry,
    Exit,
}

pub struct Values<'q> {
    objects: HashMap<u32, &'q ObjectShown>,
    /// Functions are told as well.
    is_whole: bool,
}

impl<'q> Values<'q> {
    pub fn of(question: &'q QuestionShown, is_whole: bool) -> Values<'q> {
        Values { objects: question.objects.iter().map(|object| (object.object, object)).collect(), is_whole }
    }

    /// Whether there is nothing in it but functions and symbols: that is code, and no state.
    pub fn is_code(&self, value: &Value, moment: Moment) -> bool {
        self.holds_only_code(value, moment, MOST_DEEP)
    }

    fn holds_only_code(&self, value: &Value, moment: Moment, n_levels: usize) -> bool {
        if matches!(value.kind, ValueType::Function | ValueType::Symbol) {
            return true;
        }
        let fields = self.fields(value, moment).filter(|fields| !fields.is_empty() && n_levels > 0);
        fields.is_some_and(|fields| fields.iter().all(|(_, held)| self.holds_only_code(held, moment, n_levels - 1)))
    }

    fn fields(&self, value: &Value, moment: Moment) -> Option<&'q Vec<(String, Value)>> {
        let object = self.objects.get(&value.object?)?;
        match moment {
            Moment::Entry => object.entry.as_ref(),
            Moment::Exit => object.exit.as_ref(),
        }
    }

    /// What an object holds but for its methods; nothing if that is all.
    pub fn state(&self, object: &ObjectShown, moment: Moment, room: usize) -> Option<String> {
        let fields = match moment {
            Moment::Entry => object.entry.as_ref(),
            Moment::Exit => object.exit.as_ref(),
        };
        let state = fields?.iter().filter(|(_, held)| held.kind != ValueType::Function);
        let parts: Vec<String> = state.map(|(key, held)| format!("{key}: {}", self.text(held, moment, room))).collect();
        (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(", ")))
    }

    /// The value, opened as far as so many characters allow.
    pub fn text(&self, value: &Value, moment: Moment, room: usize) -> String {
        let mut above = Vec::new();
        let mut left = room;
        self.open(value, moment, &mut left, &mut above)
    }

    fn open(&self, value: &Value, moment: Moment, room: &mut usize, above: &mut Vec<u32>) -> String {
        let object = value.object.and_then(|number| self.objects.get(&number));
        let (Some(object), Some(fields)) = (object, self.fields(value, moment)) else {
            let text = self.plain(value);
            *room = room.saturating_sub(text.chars().count());
            return text;
        };
        if let ("RegExp", [(key, source), ..]) = (object.class.as_str(), fields.as_slice())
            && key == "<value>"
        {
            let source = source.text.trim_matches('"').replace("\\\\", "\\");
            *room = room.saturating_sub(source.chars().count() + 2);
            return format!("/{source}/");
        }
        let number = object.object;
        if above.contains(&number) {
            return format!("#{number}");
        }
        let is_array = object.class == "Array";
        let name = if is_array || object.class == "Object" { String::new() } else { format!("{} ", object.class) };
        *room = room.saturating_sub(name.len() + 4);
        above.push(number);
        let mut parts = Vec::new();
        let is_method = |held: &Value| !self.is_whole && !is_array && held.kind == ValueType::Function;
        let has_state = fields.iter().any(|(_, held)| held.kind != ValueType::Function);
        let shown = fields.iter().filter(|(key, held)| !(is_array && key == "length" || has_state && is_method(held)));
        for (key, held) in shown {
            if *room == 0 {
                parts.push("…".to_owned());
                break;
            }
            let head = if is_array && key.parse::<u32>().is_ok() { String::new() } else { format!("{key}: ") };
            *room = room.saturating_sub(head.len() + 2);
            parts.push(format!("{head}{}", self.open(held, moment, room, above)));
        }
        above.pop();
        let inside = parts.join(", ");
        if is_array { format!("[{inside}]") } else { format!("{name}{{{inside}}}") }
    }

    /// The number of a function tells nobody anything.
    fn plain(&self, value: &Value) -> String {
        match value.kind {
            ValueType::Function if !self.is_whole => {
                let name = value.text.split_once(' ').map_or(value.text.as_str(), |(_, name)| name);
                name.trim_end_matches(" <anonymous>").to_owned()
            }
            _ => value.text.clone(),
        }
    }
}
