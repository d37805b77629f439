//! Habits of programs: what the methods and words that everybody uses mean, for who reads the source.

pub trait Habits {
    /// Whether a built-in puts what a function gives that it calls back under the key that it calls it with.
    fn stores_what_is_given(&self, _built_in: &str) -> bool {
        false
    }

    /// Whether a method calls a function back with what the call before gave, and hands out what the last one gave.
    fn folds(&self, _method: &str) -> bool {
        false
    }

    /// Whether a method puts something into the object that it is called on.
    fn fills(&self, _method: &str) -> bool {
        false
    }

    /// What a method puts between the texts of a list that it joins, unless it is told otherwise.
    fn joins_with(&self, _method: &str) -> Option<&'static str> {
        None
    }

    /// How a method of a function calls it.
    fn calls_through(&self, _method: &str) -> Option<CallThrough> {
        None
    }

    /// What a method asks of an entry, if it is given its key.
    fn entry_access(&self, _method: &str) -> Option<EntryAccess> {
        None
    }

    /// An entry as the source would ask for it; `owner` and `key` as they are written.
    fn text_of_entry(&self, owner: &str, key: &str, _access: EntryAccess) -> String {
        format!("{owner}[{key}]")
    }

    /// Whether a name, called or read as a member of the global object, evaluates a text as code.
    fn evaluates(&self, _name: &str) -> bool {
        false
    }

    /// Whether the text of a statement begins with what leads out of the code around it.
    fn leads_out(&self, _text: &str) -> bool {
        false
    }

    /// Whether a text ends with the word behind which stands what a function gives.
    fn ends_with_return(&self, _text: &str) -> bool {
        false
    }

    /// Whether an expression asks for what the object would inherit, and not for what it has.
    fn is_of_parent_class(&self, _text: &str) -> bool {
        false
    }

    /// The name of the object that a method is called on.
    fn receiver_name(&self) -> &'static str;

    /// The name of all that a function was given.
    fn arguments_name(&self) -> &'static str;

    /// Whether a parameter of the top level of a file is what the file exports.
    fn is_exports(&self, _parameter: &str) -> bool {
        false
    }

    /// Whether an experiment may put other text into a file of this path.
    fn can_be_changed(&self, _path: &str) -> bool {
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallThrough {
    /// With a receiver, then the arguments.
    Arguments,
    /// With a receiver, then a list of the arguments.
    List,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryAccess {
    Value,
    Presence,
}
