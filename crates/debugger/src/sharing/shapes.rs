//! The shapes in which a name and its value stand in texts: in JSON, in code, in forms, addresses, connection strings, command lines and
//! sentences.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::rules::{Rules, Secrecy, looks_secret};
use super::secrets::{TextOf, Why};

/// What of a text is secret because a name says so, which stands in it too.
pub(super) fn named_parts(text: &str, of: TextOf, rules: &Rules) -> Vec<(Range<usize>, Why)> {
    let mut parts = Vec::new();
    if !rules.may_have_names(text) {
        return parts;
    }
    let literals = if of == TextOf::Source { literals(text) } else { Vec::new() };
    for shape in SHAPES.iter() {
        let mut at = 0;
        while let Some(found) = shape.regex.captures_at(text, at) {
            let (Some(name), Some(value)) = (found.name("name"), found.name("value")) else { break };
            // What is behind one name may hold another.
            at = name.end().max(at + 1);
            while !text.is_char_boundary(at) {
                at += 1;
            }
            // Most are not, which is told at once.
            let secrecy = if rules.may_have_names(name.as_str()) { rules.secrecy(name.as_str()) } else { None };
            let Some(secrecy) = secrecy else { continue };
            let range = shape.value_in(text, value.range(), of);
            let short = &text[range.clone()];
            let rule = match secrecy {
                Secrecy::IfItLooksSo(_) if !looks_secret(short) => continue,
                Secrecy::Always(rule) | Secrecy::IfItLooksSo(rule) => rule,
            };
            // `{ password: user.password }`, in what the program printed of itself.
            let is_path = short.rsplit_once('.').is_some_and(|(_, key)| is_about(key, name.as_str()));
            let is_word = is_about(short, name.as_str()) || is_path || is_no_value(short);
            let is_read = of == TextOf::Program || shape.is_read(name.start(), value.start(), &literals);
            if is_read && !is_word && shape.takes(short) && short.chars().count() >= SHORTEST_NAMED {
                let last = name.as_str().rsplit('.').next().unwrap_or_default().to_owned();
                parts.push((range, Why { rule, name: Some(last) }));
            }
        }
    }
    parts
}

/// A mark takes two characters.
const SHORTEST_NAMED: usize = 2;

struct Shape {
    regex: Regex,
    end: ValueEnd,
}

/// Where a value ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueEnd {
    /// At the quote that it starts with.
    Quote,
    /// At what cannot be part of it.
    Separator,
    /// With the word, of a sentence that says that it is the value.
    Word,
    /// The same of a sentence that may go on with any word.
    OddWord,
}

impl Shape {
    /// What of the value is one: in a source, a template has parts that are code.
    fn value_in(&self, text: &str, mut range: Range<usize>, of: TextOf) -> Range<usize> {
        if of == TextOf::Source {
            range.end = range.start + text[range.clone()].find("${").unwrap_or(range.len());
        }
        if matches!(self.end, ValueEnd::Word | ValueEnd::OddWord) {
            let word = text[range.clone()].trim_end_matches(|c| ".,;:!?)".contains(c));
            range.end = range.start + word.len();
        }
        range
    }

    /// Whether a word may be a value.
    fn takes(&self, value: &str) -> bool {
        match self.end {
            ValueEnd::Quote => true,
            ValueEnd::Separator | ValueEnd::Word => !GOES_ON.contains(&value.to_lowercase().as_str()),
            ValueEnd::OddWord => is_odd(value),
        }
    }

    /// Whether it means that in a source: what stands there without quotes is code, and so is what stands between two texts.
    fn is_read(&self, name: usize, value: usize, literals: &[Range<usize>]) -> bool {
        let within = |at: usize| literals.iter().find(|literal| literal.contains(&at));
        match self.end {
            ValueEnd::Quote => {
                let quote = value - 1;
                within(quote).is_some_and(|literal| literal.start == quote || literal.contains(&name))
            }
            _ => within(value).is_some_and(|literal| literal.contains(&name)),
        }
    }
}

/// Nobody would write such a word: it has digits, signs or large letters in it.
fn is_odd(word: &str) -> bool {
    let inner = word.chars().skip(1).any(|c| c.is_uppercase()) && word.chars().any(char::is_lowercase);
    inner
        || word.chars().any(|c| c.is_ascii_digit())
        || word.chars().any(|c| !c.is_alphanumeric() && !"'’-".contains(c))
}

/// `Password`, under the name `password`: a label, and no value.
pub(super) fn is_about(value: &str, name: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (value, name) = (letters(value), letters(name));
    value.is_empty() || name == value || name.ends_with(&value) && value.len() > 3
}

/// What stands behind `password=` may be no value but say where it is.
fn is_no_value(value: &str) -> bool {
    let code = value.trim();
    value.contains("process.env")
        || value.starts_with('$')
        || KINDS.contains(&value)
        // `'?password=' + value + '&x=1'`: what is between two texts.
        || code.len() > 1 && code.starts_with('+') && code.ends_with('+')
        || code.len() > 1 && code.starts_with('+') && value.starts_with(char::is_whitespace)
}

/// Words that say what kind of value there should be.
pub(super) const KINDS: &[&str] =
    &["string", "number", "boolean", "object", "function", "undefined", "null", "true", "false", "required", "none"];

/// With these a sentence about a password goes on: `with password must`.
const GOES_ON: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "authentication",
    "because",
    "but",
    "by",
    "can",
    "cannot",
    "change",
    "changed",
    "check",
    "could",
    "did",
    "does",
    "entered",
    "error",
    "expired",
    "failed",
    "field",
    "fields",
    "for",
    "from",
    "given",
    "has",
    "hash",
    "hashing",
    "have",
    "if",
    "in",
    "incorrect",
    "input",
    "instead",
    "into",
    "invalid",
    "is",
    "it",
    "length",
    "login",
    "manager",
    "may",
    "missing",
    "must",
    "needed",
    "needs",
    "new",
    "not",
    "of",
    "on",
    "only",
    "or",
    "policy",
    "prompt",
    "protected",
    "protection",
    "provided",
    "required",
    "reset",
    "set",
    "should",
    "so",
    "strength",
    "than",
    "that",
    "the",
    "then",
    "this",
    "to",
    "too",
    "used",
    "valid",
    "was",
    "when",
    "where",
    "which",
    "will",
    "with",
    "without",
    "wrong",
    "yet",
    "you",
    "your",
];

/// Strings, templates and comments; what a regular expression holds may look like one.
pub(super) fn literals(source: &str) -> Vec<Range<usize>> {
    LITERALS.find_iter(source).map(|found| found.range()).collect()
}

static LITERALS: LazyLock<Regex> = LazyLock::new(|| {
    let literals = r#"'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|//[^\n]*|/\*[\s\S]*?\*/"#;
    Regex::new(literals).expect("the pattern is right")
});

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    use ValueEnd::{OddWord, Quote, Separator, Word};
    // What names a thing, and what holds it: `{name: 'password', value: 'x'}`, also the other way round.
    let names = r#"\b(?:name|key|field|header|label|id|param|parameter|variable|option|property|attribute)\\?["']?\s*[:=]\s*\\?["'](?P<name>[A-Za-z_$-][A-Za-z0-9_$. -]{0,60})\\?["']"#;
    let holds = r#"\b(?:value|val|content|contents|text|data|default)\\?["']?\s*[:=]\s*\\?"#;
    let mut shapes = vec![
        (r#"(?P<name>[A-Za-z_$][A-Za-z0-9_$.-]*)\\?["'\]]{0,2}\s*(?:=>|[:=])\s*\\?"(?P<value>(?:[^"\\\n]|\\[^"\n])+)"#.to_owned(), Quote),
        (r#"(?P<name>[A-Za-z_$][A-Za-z0-9_$.-]*)["'\]]{0,2}\s*(?:=>|[:=])\s*'(?P<value>(?:[^'\\\n]|\\.)+)'"#.into(), Quote),
        (r"(?P<name>[A-Za-z_$][A-Za-z0-9_$.-]*)[\x22'\]]{0,2}\s*(?:=>|[:=])\s*`(?P<value>[^`$\\\n]+)`".into(), Quote),
        (r#"(?P<name>[A-Za-z_$][A-Za-z0-9_$-]*)=(?P<value>[^\s"'`&;,<>(){}\[\]]+)"#.into(), Separator),
        // A line of YAML, of a log or of a header; one that goes on may be a sentence.
        (r#"(?m)(?P<name>[A-Za-z_$][A-Za-z0-9_$-]*):[ \t]+(?P<value>[^\s"'`,;<>(){}\[\]]+)[ \t]*(?:$|[\r,;}\]"'`\\])"#.into(), Separator),
        (r#"(?P<name>[A-Za-z_$][A-Za-z0-9_$-]*):[ \t]+(?P<value>[^\s"'`,;<>(){}\[\]]+)"#.into(), OddWord),
        // A command line, as one text and as a list of words.
        (r#"(?:^|[\s"'`])--?(?P<name>[A-Za-z][A-Za-z0-9_-]*)[ \t]+(?P<value>[^\s"'`-][^\s"'`]*)"#.into(), Separator),
        (r#"["'`]--?(?P<name>[A-Za-z][A-Za-z0-9_-]*)\\?["'`]\s*,\s*\\?"(?P<value>(?:[^"\\\n]|\\[^"\n])+)"#.into(), Quote),
        (r#"["'`]--?(?P<name>[A-Za-z][A-Za-z0-9_-]*)["'`]\s*,\s*'(?P<value>(?:[^'\\\n]|\\.)+)'"#.into(), Quote),
        // A sentence.
        (r#"(?P<name>[A-Za-z_$#][A-Za-z0-9_$.#-]*)\s+(?:became|was|is|held|holds|got)\s+\\?["'](?P<value>(?:[^"'\\\n]|\\[^\n])+)\\?["']"#.into(), Quote),
        (r#"(?i)\b(?:with|using|by|and)\s+(?:the\s+|a\s+|your\s+|my\s+)?(?P<name>[a-z$_][a-z0-9$_-]*(?:[ ](?:key|token|code|phrase|word|secret|id))?)(?:\s+of|\s+is)?\s+["'`]?(?P<value>[^\s"'`()\[\]{}<>=+*/|&-][^\s"'`]*)"#.into(), Word),
        (r#"(?i)\b(?P<name>[a-z$_][a-z0-9$_-]*(?:[ ](?:key|token|code|phrase|word|secret|id))?)(?:\s+(?:is|was|of))?\s+["'`]?(?P<value>[^\s"'`()\[\]{}<>=+*/|&-][^\s"'`]*)"#.into(), OddWord),
    ];
    for value in
        [r#""(?P<value>(?:[^"\\\n]|\\[^"\n])+)"#, r"'(?P<value>(?:[^'\\\n]|\\.)+)'", r"`(?P<value>[^`$\\\n]+)`"]
    {
        shapes.push((format!(r"{names}\s*,\s*\\?[\x22']?{holds}{value}"), Quote));
        shapes.push((format!(r"{holds}{value}\\?[\x22']?\s*,\s*\\?[\x22']?{names}"), Quote));
    }
    let shape =
        |(regex, end): (String, ValueEnd)| Shape { regex: Regex::new(&regex).expect("the pattern is right"), end };
    shapes.into_iter().map(shape).collect()
});

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use trace_model::with_redactions_shown;

    use super::super::rules::RedactRequest;
    use super::super::secrets::{Secrets, Size};
    use super::*;

    fn secrets() -> Secrets {
        let mut secrets = Secrets::new(Rules::new(&RedactRequest::default()).unwrap(), HashSet::new());
        secrets.prepare().unwrap();
        secrets
    }

    fn without(text: &str, of: TextOf) -> String {
        let taken_out = secrets().taken_out_of(text, of, Size::Bytes).into_owned();
        assert_eq!(taken_out.len(), text.len(), "{text}");
        with_redactions_shown(&taken_out).into_owned()
    }

    /// `N` is the name, `V` the value.
    const IN_TEXTS: &[&str] = &[
        r#"{"N":"V","x":1}"#,
        r#"{\"N\":\"V\",\"x\":1}"#,
        r#"{"name":"N","value":"V"}"#,
        r#"{ name: 'N', value: 'V' }"#,
        r#"{"value": "V", "key": "N"}"#,
        "GET /a?x=1&N=V&y=2 HTTP/1.1",
        "x=N=V",
        "Server=db;N=V;Port=1",
        "N: V\nport: 1",
        "export N=V",
        "mysql --N V -u root",
        "mysql --N=V -u root",
        r#"["--N","V","--verbose"]"#,
        "cannot log in with N V",
        "tried using the N V, and failed",
        "log in with N 'V'",
        "the N is V today",
        "this.N became \"V\"",
    ];

    const IN_SOURCES: &[&str] = &[
        "const N = 'V';",
        "const N = \"V\"; f(N);",
        "const N = `V`;",
        "const o = { N: 'V', x: 1 };",
        "const o = { name: 'N', value: 'V' };",
        "const o = { value: 'V', name: \"N\" };",
        "run('mysql', ['--N', 'V']);",
        "run('mysql --N V');",
        "f('?N=V&q=1');",
        "f('?a=' + v + '&N=V');",
        "// log in with N V",
        "/* N: V */",
        "throw new Error('with N V');",
    ];

    /// What must stay: nothing in it is a value.
    const CODE: &[&str] = &[
        "f('?N=' + v + '&q=1');",
        "f('?N=' + encodeURIComponent(v) + \"&q=1\");",
        "f(\"?N=\" + v + '&q=' + w + '');",
        "f(`?N=${v}&q=1`);",
        "const N = read(v);",
        "function f(N: string, q: Map<string>) {}",
        "o.N = v; p['N'] = w;",
        "if (N === v) throw new Error('wrong N for ' + user);",
        "const o = { N, value: v, name: 'N' };",
        "const o = { name: 'N', value: v };",
        "run('mysql', ['--N', v]);",
        "const N = process.env.N;",
    ];

    fn name() -> impl Strategy<Value = &'static str> {
        prop::sample::select(&["password", "access_token", "apiKey", "clientSecret", "db_password", "SECRET_KEY"][..])
    }

    /// As people and machines make them; no character that ends a value in one of the shapes.
    fn value() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z]{3,8}[0-9]{1,4}[A-Za-z0-9]{2,8}",
            "[A-Za-z0-9_]{8,40}[0-9][A-Za-z]",
            "[A-Z][a-z]{3,7}[0-9][!@#%^*~]{1,3}x"
        ]
    }

    proptest! {
        #[test]
        fn a_value_is_found_in_every_shape(name in name(), value in value(), before in "[a-z ,.]{0,20}", shape in any::<prop::sample::Index>()) {
            let shape = IN_TEXTS[shape.index(IN_TEXTS.len())];
            let text = shape.replace('N', name).replace('V', &value);
            let text = if shape.starts_with('N') { text } else { format!("{before} {text}") };
            let without = without(&text, TextOf::Program);
            prop_assert!(!without.contains(&value), "{} -> {}", text, without);
        }

        #[test]
        fn a_value_is_found_in_sources(name in name(), value in value(), shape in any::<prop::sample::Index>()) {
            let text = IN_SOURCES[shape.index(IN_SOURCES.len())].replace('N', name).replace('V', &value);
            let text = format!("g();\n{text}\nh('other', 7);");
            let without = without(&text, TextOf::Source);
            prop_assert!(!without.contains(&value), "{} -> {}", text, without);
            prop_assert!(without.starts_with("g();\n") && without.ends_with("\nh('other', 7);"), "{}", without);
        }

        #[test]
        fn code_is_no_value(name in name(), v in "[a-z]{1,12}", shape in any::<prop::sample::Index>()) {
            let text = CODE[shape.index(CODE.len())].replace('N', name);
            let text = Regex::new(r"\bv\b").unwrap().replace_all(&text, v.as_str()).into_owned();
            prop_assert_eq!(without(&text, TextOf::Source), text);
        }

        #[test]
        fn no_text_is_too_strange(text in "\\PC{0,80}", of_source: bool) {
            let of = if of_source { TextOf::Source } else { TextOf::Program };
            let taken_out = secrets().taken_out_of(&format!("password={text} 'token: {text}"), of, Size::Bytes).into_owned();
            prop_assert!(taken_out.len() >= text.len());
        }
    }

    #[test]
    fn sentences_about_secrets_say_none() {
        for text in [
            "Unexpected token :",
            "the password must have 8 characters",
            "log in with password or key",
            "username and password are required",
            "password: must be set",
            "reset your password, please",
            "the cookie was not set",
            "{ password: user.password }",
        ] {
            assert_eq!(without(text, TextOf::Program), text);
        }
    }
}
