//! Values with what is inside them, in one line: what a person needs to judge a tree of objects.

use std::collections::HashMap;

use debugger::{ObjectShown, QuestionShown, Value};

/// Which state of the objects is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Entry,
    Exit,
}

pub struct Values<'q> {
    objects: HashMap<u32, &'q ObjectShown>,
}

impl<'q> Values<'q> {
    pub fn of(question: &'q QuestionShown) -> Values<'q> {
        Values { objects: question.objects.iter().map(|object| (object.object, object)).collect() }
    }

    /// The value, opened as far as so many characters allow.
    pub fn text(&self, value: &Value, moment: Moment, room: usize) -> String {
        let mut above = Vec::new();
        let mut left = room;
        self.open(value, moment, &mut left, &mut above)
    }

    fn open(&self, value: &Value, moment: Moment, room: &mut usize, above: &mut Vec<u32>) -> String {
        let object = value.object.and_then(|number| self.objects.get(&number));
        let fields = object.and_then(|object| match moment {
            Moment::Entry => object.entry.as_ref(),
            Moment::Exit => object.exit.as_ref(),
        });
        let (Some(object), Some(fields)) = (object, fields) else {
            *room = room.saturating_sub(value.text.chars().count());
            return value.text.clone();
        };
        let number = object.object;
        if above.contains(&number) {
            return format!("#{number}");
        }
        let is_array = object.class == "Array";
        let name = if is_array || object.class == "Object" { String::new() } else { format!("{} ", object.class) };
        *room = room.saturating_sub(name.len() + 4);
        above.push(number);
        let mut parts = Vec::new();
        let shown = fields.iter().filter(|(key, _)| !(is_array && key == "length"));
        for (key, held) in shown.clone() {
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
}
