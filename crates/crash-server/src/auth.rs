//! Keys. A key is `wfr_ID_SECRET` (for reports) or `wfo_ID_SECRET` (for operators).
//!
//! The id finds the row; the row has the SHA-256 of the whole key. A secret has 256 random bits, so nobody finds it by trying, and a
//! slow hash would only help those who want to keep us busy. Digests are compared in constant time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::refused::Refused;
use crate::store::{KeyKind, KeyRow, ProjectId, Store};
use crate::time;

/// Who asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The id of the key, which is no secret.
    pub key: String,
    pub project: ProjectId,
    pub project_name: String,
}

/// A revoked key is refused after this time at the latest.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Made-up ids must not fill the memory.
const MAX_REMEMBERED: usize = 10_000;

#[derive(Default)]
pub struct Keys {
    known: Mutex<HashMap<String, (Instant, Option<KeyRow>)>>,
}

/// Makes a key, stores its digest and gives the key, which nobody can tell again.
pub async fn make_key(store: &Store, project: &str, kind: KeyKind) -> Result<String, crate::Error> {
    let (id, secret) = (random::<6>()?, random::<32>()?);
    let key = format!("{}_{id}_{secret}", prefix(kind));
    store.add_key(project, kind, &id, &digest(&key), time::now()).await?;
    Ok(key)
}

impl Keys {
    /// A key of the other kind is refused as well as a wrong one, but told apart: its owner should know.
    pub async fn check(&self, store: &Store, headers: &HeaderMap, kind: KeyKind) -> Result<Caller, Refused> {
        let key = presented(headers).ok_or(Refused::NoKey)?;
        let id = id_of(&key).ok_or(Refused::WrongKey)?;
        let row = self.row(store, id).await?;
        // Where there is no such key something is compared all the same: the time must not tell which ids there are.
        let expected = row.as_ref().map_or_else(|| "0".repeat(64), |row| row.digest.clone());
        let is_right: bool = digest(&key).as_bytes().ct_eq(expected.as_bytes()).into();
        let row = row.filter(|_| is_right).ok_or(Refused::WrongKey)?;
        if row.kind != kind {
            return Err(Refused::KeyOfOtherKind);
        }
        Ok(Caller { key: id.to_owned(), project: row.project, project_name: row.project_name })
    }

    async fn row(&self, store: &Store, id: &str) -> Result<Option<KeyRow>, Refused> {
        if let Some((since, row)) = self.known.lock().expect("nobody panics here").get(id)
            && since.elapsed() < REMEMBERED
        {
            return Ok(row.clone());
        }
        let row = store.key(id).await?;
        let mut known = self.known.lock().expect("nobody panics here");
        if known.len() >= MAX_REMEMBERED {
            // Those that exist stay, or whoever makes ids up would have them all looked up again.
            known.retain(|_, (_, row)| row.is_some());
        }
        known.insert(id.to_owned(), (Instant::now(), row.clone()));
        Ok(row)
    }
}

/// `Bearer KEY`; or `Basic`, which browsers ask people for: the key is the password, and the name is not looked at.
fn presented(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, rest) = value.split_once(' ')?;
    match scheme.to_ascii_lowercase().as_str() {
        "bearer" => Some(rest.trim().to_owned()),
        "basic" => {
            let decoded = String::from_utf8(base64(rest.trim())?).ok()?;
            decoded.split_once(':').map(|(_, password)| password.to_owned())
        }
        _ => None,
    }
}

fn id_of(key: &str) -> Option<&str> {
    let mut parts = key.split('_');
    let (prefix, id, secret) = (parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_well_formed =
        matches!(prefix, "wfr" | "wfo") && id.len() == 12 && secret.len() == 64 && is_hex(id) && is_hex(secret);
    (is_well_formed && parts.next().is_none()).then_some(id)
}

fn prefix(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::Report => "wfr",
        KeyKind::Operator => "wfo",
    }
}

fn digest(key: &str) -> String {
    hex(&Sha256::digest(key.as_bytes()))
}

fn random<const N: usize>() -> Result<String, crate::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| crate::Error::NoRandomness(error.to_string()))?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(AUTHORIZATION, value.parse().expect("a header"))])
    }

    #[test]
    fn keys_come_as_bearer_or_as_the_password_of_a_browser() {
        assert_eq!(presented(&with("Bearer wfr_1")).as_deref(), Some("wfr_1"));
        assert_eq!(presented(&with("bearer  wfr_1 ")).as_deref(), Some("wfr_1"));
        assert_eq!(presented(&with("Basic bWU6d2ZvXzE=")).as_deref(), Some("wfo_1"));
        assert_eq!(presented(&with("Basic ???")), None);
        assert_eq!(presented(&with("Digest x")), None);
        assert_eq!(presented(&HeaderMap::new()), None);
    }

    #[test]
    fn a_key_has_three_parts() {
        let key = format!("wfr_{}_{}", "a".repeat(12), "0".repeat(64));
        assert_eq!(id_of(&key), Some("aaaaaaaaaaaa"));
        for wrong in ["", "wfr", "wfr_a_b", &format!("{key}_"), &key.replace("wfr", "xxx"), &key.replace('a', "G")] {
            assert_eq!(id_of(wrong), None, "{wrong}");
        }
    }
}
