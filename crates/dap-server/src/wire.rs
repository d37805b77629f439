//! Messages on a stream: a header that gives the length, and JSON.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// The next message; nothing: the client has hung up.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    let mut text = vec![0; length];
    input.read_exact(&mut text)?;
    serde_json::from_slice(&text).map(Some).map_err(|error| wrong(format!("a message is no JSON: {error}")))
}

pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// No request is near as long: it holds breakpoints of a file, at most.
const LONGEST: usize = 64 << 20;
const LONGEST_LINE: u64 = 4096;

/// Whatever else begins a message is none of this protocol. A browser that was sent here says `POST`, and is refused.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let n_read = io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if n_read == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        match (line.is_empty(), line.split_once(':'), length) {
            (true, _, Some(length)) => return Ok(Some(length)),
            (false, Some((name, number)), _) if name.eq_ignore_ascii_case("Content-Length") => {
                let number: usize = number.trim().parse().map_err(|_| wrong(format!("`{line}` is no length")))?;
                length = Some(number).filter(|number| *number <= LONGEST);
                length.ok_or_else(|| wrong(format!("a message of {number} bytes is too long")))?;
            }
            // Of the headers that there may be, one more.
            (false, Some((name, _)), _) if name.eq_ignore_ascii_case("Content-Type") => {}
            _ => return Err(wrong(format!("`{line}` is no header of the Debug Adapter Protocol"))),
        }
    }
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut stream = Vec::new();
        let messages = [json!({"seq": 1, "command": "ü"}), json!({})];
        messages.iter().for_each(|message| write(&mut stream, message).unwrap());
        let mut input = &stream[..];
        assert_eq!(read(&mut input).unwrap().as_ref(), Some(&messages[0]));
        assert_eq!(read(&mut input).unwrap().as_ref(), Some(&messages[1]));
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let refused = |text: &str| read(&mut text.as_bytes()).unwrap_err().to_string();
        assert_eq!(refused("POST / HTTP/1.1\r\n\r\n"), "`POST / HTTP/1.1` is no header of the Debug Adapter Protocol");
        assert_eq!(refused("Content-Length: x\r\n\r\n"), "`Content-Length: x` is no length");
        assert!(refused("Content-Length: 99999999999\r\n\r\n").contains("too long"));
        assert!(refused("Content-Length: 1\r\n\r\n{").contains("no JSON"));
        assert!(read(&mut "Content-Length: 9\r\n\r\n{}".as_bytes()).is_err());
    }
}
