//! What is secret: by the name it stands under, and by what it looks like.

use aho_corasick::AhoCorasick;
use regex::Regex;

use crate::Error;

/// What a person wants to be taken out.
#[derive(Clone, Debug, Default)]
pub struct RedactRequest {
    /// Names, and patterns between slashes: `ssn`, `/ORD-\d+/`.
    pub redact: Vec<String>,
    /// Also addresses of people.
    pub emails: bool,
    /// Only what `redact` says.
    pub no_defaults: bool,
}

pub(super) struct Rules {
    /// Names that were asked for, in the words that they consist of.
    names: Vec<(String, Vec<String>)>,
    has_defaults: bool,
    pub patterns: Vec<Pattern>,
    /// Finds the words with which names of secrets end; nothing if no name is one.
    ends: Option<AhoCorasick>,
}

pub(super) struct Pattern {
    pub label: String,
    pub regex: Regex,
    /// The numbers of credit cards have a check digit.
    has_check_digit: bool,
}

/// Why what stands under a name is taken out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Secrecy {
    /// Whatever it is.
    Always(String),
    /// If it looks like a secret: the word has other meanings.
    IfItLooksSo(String),
}

impl Rules {
    pub fn new(request: &RedactRequest) -> Result<Rules, Error> {
        let mut rules =
            Rules { names: Vec::new(), has_defaults: !request.no_defaults, patterns: Vec::new(), ends: None };
        for wanted in &request.redact {
            match wanted.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|rest| !rest.is_empty()) {
                Some(pattern) => {
                    let regex = Regex::new(pattern).map_err(|error| {
                        let why = error.to_string();
                        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                        Error::Usage(format!("{wanted} is not a pattern: {why}"))
                    })?;
                    if regex.is_match("") {
                        return Err(Error::Usage(format!("{wanted} matches the empty text, which is everywhere")));
                    }
                    rules.patterns.push(Pattern { label: wanted.clone(), regex, has_check_digit: false });
                }
                None => rules.names.push((wanted.clone(), words(wanted))),
            }
        }
        if !request.no_defaults {
            rules.patterns.extend(DEFAULT_PATTERNS.iter().map(|(label, regex)| Pattern::fixed(label, regex)));
        }
        if request.emails {
            rules
                .patterns
                .push(Pattern::fixed("e-mail address", r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"));
        }
        rules.ends = rules.last_words()?;
        Ok(rules)
    }

    fn last_words(&self) -> Result<Option<AhoCorasick>, Error> {
        let known = ALWAYS.iter().chain(MAYBE).filter(|_| self.has_defaults).filter_map(|words| words.last().copied());
        let asked = self.names.iter().map(|(name, words)| words.last().map_or(name.as_str(), String::as_str));
        let ends: Vec<&str> = known.chain(asked).collect();
        if ends.is_empty() {
            return Ok(None);
        }
        let built = AhoCorasick::builder().ascii_case_insensitive(true).build(&ends);
        built.map(Some).map_err(|error| Error::Usage(format!("there is too much to remove: {error}")))
    }

    /// Whether a text may hold a name that makes a value secret: looked at first, as few do.
    pub fn may_have_names(&self, text: &str) -> bool {
        // Other large letters have small ones that only `words` knows.
        self.ends
            .as_ref()
            .is_some_and(|ends| ends.is_match(text) || self.names.iter().any(|(name, _)| !name.is_ascii()))
    }

    /// Whether what stands under a name is secret.
    pub fn secrecy(&self, name: &str) -> Option<Secrecy> {
        let own = words(name);
        if let Some((label, _)) = self.names.iter().find(|(wanted, words)| wanted == name || *words == own) {
            return Some(Secrecy::Always(label.clone()));
        }
        // Where a program was started is no secret.
        if !self.has_defaults || own.is_empty() || matches!(name, "PWD" | "OLDPWD") {
            return None;
        }
        let mut own = &own[..];
        while let Some((last, rest)) = own.split_last()
            && !rest.is_empty()
            && (HARMLESS_ENDS.contains(&last.as_str()) || last.bytes().all(|c| c.is_ascii_digit()))
        {
            own = rest;
        }
        let ends = |with: &[&str]| own.len() >= with.len() && own[own.len() - with.len()..].iter().eq(with.iter());
        let label = |with: &[&str]| with.join(" ");
        if let Some(known) = ALWAYS.iter().find(|known| ends(known)) {
            return Some(Secrecy::Always(label(known)));
        }
        MAYBE.iter().find(|known| ends(known)).map(|known| Secrecy::IfItLooksSo(label(known)))
    }
}

impl Pattern {
    fn fixed(label: &str, regex: &str) -> Pattern {
        Pattern { label: label.into(), regex: fixed(regex), has_check_digit: label == CARD }
    }

    /// The parts of a text that are secret: what the first group matches, or else all of it.
    pub fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = std::ops::Range<usize>> + 't {
        let found = self.regex.captures_iter(text);
        let parts = found.filter_map(|captures| captures.get(1).or_else(|| captures.get(0)));
        parts.filter(|part| !self.has_check_digit || is_checked(part.as_str())).map(|part| part.range())
    }
}

/// Whether a value is one that nobody would type: it stands under a name that need not mean anything secret.
pub(super) fn looks_secret(text: &str) -> bool {
    text.len() >= 12
        && !text.contains(char::is_whitespace)
        && text.bytes().any(|c| c.is_ascii_digit())
        && text.bytes().any(|c| c.is_ascii_alphabetic())
}

/// `userPassword2`, `USER_PASSWORD` and `user-password` have the same words.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for (i, c) in name.char_indices() {
        let next_is_small = name[i + c.len_utf8()..].chars().next().is_some_and(char::is_lowercase);
        let starts = !before.is_alphanumeric()
            || c.is_uppercase()
                && (before.is_lowercase() || before.is_ascii_digit() || before.is_uppercase() && next_is_small)
            || c.is_ascii_digit() != before.is_ascii_digit();
        if c.is_alphanumeric() {
            if starts {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    words
}

fn is_checked(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let sum: u32 = digits.iter().rev().enumerate().map(|(i, digit)| doubled(*digit, i % 2 == 1)).sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

fn doubled(digit: u32, doubles: bool) -> u32 {
    if doubles { digit * 2 - if digit > 4 { 9 } else { 0 } } else { digit }
}

fn fixed(regex: &str) -> Regex {
    Regex::new(regex).expect("the pattern is right")
}

const ALWAYS: &[&[&str]] = &[
    &["password"],
    &["passwords"],
    &["passwd"],
    &["pwd"],
    &["passphrase"],
    &["passcode"],
    &["pass", "word"],
    &["pass", "phrase"],
    &["secret"],
    &["secrets"],
    &["credential"],
    &["credentials"],
    &["authorization"],
    &["cookie"],
    &["cookies"],
    &["apikey"],
    &["api", "key"],
    &["access", "key"],
    &["access", "key", "id"],
    &["secret", "key"],
    &["private", "key"],
    &["signing", "key"],
    &["encryption", "key"],
    &["account", "key"],
    &["auth", "key"],
    &["master", "key"],
    &["auth", "token"],
    &["access", "token"],
    &["refresh", "token"],
    &["id", "token"],
    &["api", "token"],
    &["bearer", "token"],
    &["csrf", "token"],
    &["session", "id"],
    &["session", "token"],
    &["connection", "string"],
    &["card", "number"],
    &["credit", "card"],
    &["cvv"],
    &["cvc"],
    &["ssn"],
    &["otp"],
];

/// Words with other meanings: a parser has tokens too.
const MAYBE: &[&[&str]] =
    &[&["token"], &["tokens"], &["jwt"], &["sid"], &["bearer"], &["pass"], &["signature"], &["auth"]];

/// Behind a name these change nothing: `passwordHash`, `api_key_value`.
const HARMLESS_ENDS: &[&str] = &[
    "value",
    "text",
    "string",
    "hash",
    "hashed",
    "digest",
    "salt",
    "plain",
    "base",
    "hex",
    "old",
    "new",
    "current",
    "confirm",
    "confirmation",
    "header",
    "raw",
];

const CARD: &str = "credit card";

const DEFAULT_PATTERNS: &[(&str, &str)] = &[
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"),
    ("private key", r"-----BEGIN PGP PRIVATE KEY BLOCK-----[\s\S]*?(?:-----END PGP PRIVATE KEY BLOCK-----|$)"),
    ("JWT", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    ("AWS key", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z0-9]{16}\b"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{16,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}"),
    ("Slack webhook", r"hooks\.slack\.com/services/([A-Za-z0-9/_-]{10,})"),
    ("Stripe key", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9+/=]{10,}"),
    ("Google key", r"\bAIza[0-9A-Za-z_-]{30,}"),
    ("API key", r"\bsk-[A-Za-z0-9_-]{20,}"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("Twilio key", r"\bSK[0-9a-f]{32}\b"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{32,}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{20,}"),
    ("bearer token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{6,})"),
    ("basic authorization", r"(?i)\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})"),
    ("header", r"(?im)^(?:proxy-)?authorization:[ \t]*(\S[^\r\n]*)"),
    ("header", r"(?im)^(?:set-)?cookie:[ \t]*(\S[^\r\n]*)"),
    ("password in an address", r#"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"'`]*:([^\s/@"'`]+)@"#),
    (CARD, r"\b(?:\d[ -]?){12,18}\d\b"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(redact: &[&str]) -> Rules {
        let redact = redact.iter().map(|rule| (*rule).to_owned()).collect();
        Rules::new(&RedactRequest { redact, ..RedactRequest::default() }).unwrap()
    }

    #[test]
    fn names_are_read_by_their_words() {
        assert_eq!(words("userPassword2"), ["user", "password", "2"]);
        assert_eq!(words("AWS_SECRET_ACCESS_KEY"), ["aws", "secret", "access", "key"]);
        assert_eq!(words("x-api-key"), ["x", "api", "key"]);
        assert_eq!(words("HTTPSecret"), ["http", "secret"]);
        let rules = rules(&["orderNumber"]);
        for name in [
            "password",
            "userPassword",
            "PASSWORD",
            "db_password",
            "passwordHash",
            "password2",
            "apiKey",
            "x-api-key",
            "AWS_SECRET_ACCESS_KEY",
            "clientSecret",
            "Authorization",
            "set-cookie",
            "order_number",
            "#password",
        ] {
            assert!(matches!(rules.secrecy(name), Some(Secrecy::Always(_))), "{name}");
        }
        for name in [
            "passwordLength",
            "hasPassword2Fields",
            "tokenType",
            "secretary",
            "key",
            "keyboard",
            "cookieParser",
            "order",
        ] {
            assert_eq!(rules.secrecy(name), None, "{name}");
        }
        assert!(matches!(rules.secrecy("token"), Some(Secrecy::IfItLooksSo(_))));
    }

    #[test]
    fn patterns_find_what_is_secret_and_no_more() {
        let found = |text: &str| {
            let rules = rules(&[]);
            let mut all: Vec<String> = rules
                .patterns
                .iter()
                .flat_map(|pattern| pattern.find(text))
                .map(|part| text[part].to_owned())
                .collect();
            all.sort();
            all.dedup();
            all
        };
        assert_eq!(found("Bearer abc.def-123"), ["abc.def-123"]);
        assert_eq!(found("postgres://me:s3cret@db/x"), ["s3cret"]);
        assert_eq!(found("4111 1111 1111 1111 and 4111 1111 1111 1112"), ["4111 1111 1111 1111"]);
        assert_eq!(found("AKIAIOSFODNN7EXAMPLE"), ["AKIAIOSFODNN7EXAMPLE"]);
        assert_eq!(found("at 12:30 http://host:8080/a@b bearer of news 1234567890123"), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        let refused = |rule: &str| {
            Rules::new(&RedactRequest { redact: vec![rule.into()], ..RedactRequest::default() })
                .err()
                .map(|e| e.to_string())
        };
        assert!(refused("/(/").is_some_and(|why| why.starts_with("/(/ is not a pattern: ")));
        assert!(refused("/x*/").is_some());
        assert_eq!(refused("name"), None);
    }
}
