//! As little HTTP as the tests need, so that they can also send what no proper client would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

pub struct Client {
    address: SocketAddr,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Client {
        Client { address }
    }

    pub fn get(&self, path: &str, key: &str) -> Answer {
        self.send("GET", path, &[("Authorization", &format!("Bearer {key}"))], b"")
    }

    /// As JSON.
    pub fn post(&self, path: &str, key: &str, body: &str) -> Answer {
        self.with_json("POST", path, key, body)
    }

    pub fn with_json(&self, method: &str, path: &str, key: &str, body: &str) -> Answer {
        let authorization = format!("Bearer {key}");
        self.send(
            method,
            path,
            &[("Authorization", &authorization), ("Content-Type", "application/json")],
            body.as_bytes(),
        )
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).expect("a head");
        // Who refuses a large body need not read it.
        let _ = stream.write_all(body);
        read_answer(stream)
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

fn read_answer(stream: TcpStream) -> Answer {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a status line");
    let status =
        line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("no status: {line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => break,
        }
    }
    let mut body = Vec::new();
    let _ = reader.read_to_end(&mut body);
    Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
}
