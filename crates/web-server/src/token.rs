use std::io;

/// What whoever may ask knows. Of this start of the server only.
pub struct Token(String);

impl Token {
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// In a time that does not depend on how much of a guess is right.
    pub fn is(&self, guess: &str) -> bool {
        let differs = self.0.bytes().zip(guess.bytes()).fold(0, |differs, (ours, theirs)| differs | (ours ^ theirs));
        self.0.len() == guess.len() && differs == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_and_nothing_else() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert!(one.is(one.text()) && !one.is(other.text()));
        assert!(!one.is("") && !one.is(&one.text()[1..]) && !one.is(&format!("{}0", one.text())));
    }
}
