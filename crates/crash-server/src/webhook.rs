//! Tells another server of bugs that are new, and of those that are met again after they were done with.
//!
//! What is to be told is written into the database in the transaction that changes the bug, and removed when it was taken: so nothing is lost with a
//! process, and may be told twice. It goes over plain HTTP, as the server itself does not encrypt: to other machines through a relay with TLS. The address that is connected to is the one that was
//! checked, and no redirect is followed, so nobody's name leads to the inside of a network.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::net::{TcpStream, lookup_host};

use crate::log::Log;
use crate::show;
use crate::store::{Result, Store};
use crate::time;

/// Where it is told.
#[derive(Clone)]
pub struct Webhook {
    pub url: Uri,
    /// Each message is signed with it.
    pub secret: String,
    /// Whether the address may be one of this machine or of a private network.
    pub is_private_allowed: bool,
    /// After the first try that failed; then twice as long each time.
    pub first_wait: Duration,
}

impl Webhook {
    pub fn new(url: &str, secret: String, is_private_allowed: bool) -> std::result::Result<Webhook, String> {
        let parsed: Option<Uri> = url.parse().ok();
        let url = parsed.filter(|url| url.scheme_str() == Some("http") && url.host().is_some());
        let url = url.ok_or("a webhook is written http://HOST/PATH; send it through a relay where TLS is wanted")?;
        if secret.is_empty() {
            return Err("a webhook needs a secret that is not empty: anybody could sign with none".to_owned());
        }
        Ok(Webhook { url, secret, is_private_allowed, first_wait: FIRST_WAIT })
    }
}

/// Without the secret.
impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Webhook({})", self.url)
    }
}

/// What is told of a bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    New,
    /// It was done with, and was met in a release that is new to it.
    Reopened,
}

impl Event {
    pub fn name(self) -> &'static str {
        match self {
            Event::New => "new",
            Event::Reopened => "reopened",
        }
    }
}

/// As often as there may be something to tell.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(10);
const LONGEST_CONNECT: Duration = Duration::from_secs(3);
/// The last try is about 17 hours after the first.
const MOST_TRIES: i64 = 12;
const FIRST_WAIT: Duration = Duration::from_secs(30);

pub async fn run(store: Store, webhook: Webhook, log: Log) {
    loop {
        match tell_next(&store, &webhook, &log).await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(LOOK_AGAIN).await,
            Err(error) => {
                log.say(&format!("the webhook could not be told: {error}"));
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
    }
}

/// Gives whether there was something to tell.
async fn tell_next(store: &Store, webhook: &Webhook, log: &Log) -> Result<bool> {
    let Some(next) = store.next_notification(time::now()).await? else { return Ok(false) };
    let bug = match store.bug(next.project, &next.bug).await {
        Ok(Some(bug)) => bug,
        // It was removed meanwhile.
        Ok(None) => {
            store.remove_notification(next.seq).await?;
            return Ok(true);
        }
        Err(error) if error.is_of_contents() => {
            log.say(&format!("the webhook was not told of bug {}: it cannot be read; it is not tried again", next.bug));
            store.remove_notification(next.seq).await?;
            return Ok(true);
        }
        Err(error) => return Err(error),
    };
    let message = json!({ "event": next.event, "project": next.project_name, "bug": show::summary(&bug) }).to_string();
    let sent = tokio::time::timeout(LONGEST, send(webhook, &message)).await.unwrap_or(Err("it took too long"));
    match sent {
        Ok(()) => store.remove_notification(next.seq).await?,
        Err(why) if next.n_tries + 1 >= MOST_TRIES => {
            log.say(&format!("the webhook was not told of bug {}: {why}; it is not tried again", next.bug));
            store.remove_notification(next.seq).await?;
        }
        Err(why) => {
            log.say(&format!("the webhook was not told of bug {}: {why}; it is tried again", next.bug));
            let wait = (webhook.first_wait.as_millis() as i64) << next.n_tries.clamp(0, MOST_TRIES);
            store.put_off_notification(next.seq, time::now() + wait).await?;
        }
    }
    Ok(true)
}

async fn send(webhook: &Webhook, message: &str) -> std::result::Result<(), &'static str> {
    let host = webhook.url.host().ok_or("its address names no host")?;
    let port = webhook.url.port_u16().unwrap_or(80);
    let found = lookup_host((host.trim_matches(['[', ']']), port)).await.map_err(|_| "its host is not known")?;
    let allowed = |address: &SocketAddr| webhook.is_private_allowed || is_public(address.ip());
    let addresses: Vec<SocketAddr> = found.into_iter().filter(allowed).collect();
    if addresses.is_empty() {
        return Err("its address is not a public one (--webhook-private allows it)");
    }
    let stream = connect(&addresses).await.ok_or("nobody listens there")?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|_| "it speaks no HTTP")?;
    let connection = tokio::spawn(connection);
    let path = webhook.url.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::post(path)
        .header("Host", webhook.url.authority().map_or(host, |authority| authority.as_str()))
        .header("Content-Type", "application/json")
        .header("X-Wherefore-Signature", format!("sha256={}", signature(webhook.secret.as_bytes(), message.as_bytes())))
        .body(Full::new(Bytes::from(message.to_owned())))
        .map_err(|_| "its address cannot be asked for")?;
    let answered = sender.send_request(request).await;
    connection.abort();
    match answered {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(_) => Err("it did not take the message"),
        Err(_) => Err("it did not answer"),
    }
}

/// The first that answers: a name can have addresses of both kinds, and somebody listen at one.
async fn connect(addresses: &[SocketAddr]) -> Option<TcpStream> {
    for address in addresses {
        if let Ok(Ok(stream)) = tokio::time::timeout(LONGEST_CONNECT, TcpStream::connect(address)).await {
            return Some(stream);
        }
    }
    None
}

/// Neither of this machine nor of a network that only some reach.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            let is_shared = a == 100 && (64..128).contains(&b);
            let is_reserved = a == 0 || a >= 240 || a == 192 && b == 0 || a == 198 && (18..20).contains(&b);
            let is_special = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast();
            !(is_special || is_shared || is_reserved || v4.is_documentation())
        }
        // Only global unicast addresses, and of these none that stands for one of the older kind.
        IpAddr::V6(v6) => match v6.segments() {
            [0, 0, 0, 0, 0, 0xFFFF, ..] => v6.to_ipv4_mapped().is_some_and(|v4| is_public(v4.into())),
            [0x2001, second, ..] => second >= 0x0200 && second != 0x0DB8,
            [0x2002, ..] => false,
            [first, ..] => first & 0xE000 == 0x2000,
        },
    }
}

/// HMAC-SHA256 (RFC 2104), in hexadecimal digits.
fn signature(secret: &[u8], message: &[u8]) -> String {
    const BLOCK: usize = 64;
    let mut key = [0; BLOCK];
    match secret.len() > BLOCK {
        true => key[..32].copy_from_slice(&Sha256::digest(secret)),
        false => key[..secret.len()].copy_from_slice(secret),
    }
    let padded = |pad: u8| key.map(|byte| byte ^ pad);
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    let outer = Sha256::new().chain_update(padded(0x5C)).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_signed_as_the_standard_says() {
        // RFC 4231, cases 2 and 6.
        assert_eq!(
            signature(b"Jefe", b"what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert_eq!(
            signature(&[0xAA; 131], b"Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
    }

    #[test]
    fn each_address_of_a_host_is_tried() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        // Nobody listens on the port of nothing.
        let nobody: SocketAddr = "127.0.0.1:1".parse().unwrap();
        let connected = runtime.block_on(connect(&[nobody, address])).map(|stream| stream.peer_addr().unwrap());
        assert_eq!(connected, Some(address));
        assert!(runtime.block_on(connect(&[nobody])).is_none());
    }

    #[test]
    fn only_public_addresses_are_public() {
        let public = |text: &str| is_public(text.parse().unwrap());
        for address in ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(public(address), "{address}");
        }
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
        ] {
            assert!(!public(address), "{address}");
        }
    }
}
