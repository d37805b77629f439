//! On which TCP port a program listens, as Linux tells it.

use std::collections::HashSet;
use std::fs;

use crate::processes::Tree;

/// Whether this system can tell.
pub const CAN_TELL: bool = cfg!(target_os = "linux");

pub struct Listening {
    /// Sockets that listened before the program started: not worth a look at all its open files.
    of_others: HashSet<u64>,
}

impl Listening {
    pub fn before_start() -> Listening {
        Listening { of_others: sockets().into_iter().map(|socket| socket.inode).collect() }
    }

    pub fn port_of(&self, program: &mut Tree) -> Option<u16> {
        let new: Vec<Socket> = sockets().into_iter().filter(|it| !self.of_others.contains(&it.inode)).collect();
        if new.is_empty() {
            return None;
        }
        let open: HashSet<u64> = program.living().into_iter().flat_map(open_sockets).collect();
        new.into_iter().find(|socket| open.contains(&socket.inode)).map(|socket| socket.port)
    }
}

struct Socket {
    inode: u64,
    port: u16,
}

fn sockets() -> Vec<Socket> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| fs::read_to_string(path).unwrap_or_default());
    tables.iter().flat_map(|table| table.lines().filter_map(listening_socket)).collect()
}

/// `  0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  0 12345 …`
fn listening_socket(line: &str) -> Option<Socket> {
    const LISTEN: &str = "0A";
    let words: Vec<&str> = line.split_whitespace().collect();
    let (_, port) = words.get(1)?.rsplit_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let inode = words.get(9)?.parse().ok()?;
    (*words.get(3)? == LISTEN).then_some(Socket { inode, port })
}

fn open_sockets(pid: i32) -> Vec<u64> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let inode = |file: fs::DirEntry| {
        let target = fs::read_link(file.path()).ok()?;
        target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    };
    files.filter_map(inode).collect()
}
