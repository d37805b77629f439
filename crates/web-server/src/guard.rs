//! Who may ask. A request must come
//!
//! - for our own name (`Host`): a page elsewhere whose name was made to lead to loopback has another;
//! - from our own page (`Origin`, which a browser sends with whatever could change something): no other page may ask on behalf of
//!   the person;
//! - with the token: in the address the first time, and from then on in a cookie that only this server is sent. Cookies know no
//!   ports, so that its name does.
//!
//! Answers may be read by our own page alone, and the page itself may load nothing from anywhere else (`Content-Security-Policy`).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::token::Token;

pub struct Guard {
    /// Who may show the page inside of another.
    framing: Framing,
    hosts: [String; 2],
    cookie: String,
    token: Token,
}

/// Whether the page may be shown inside of another one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Framing {
    #[default]
    Nobody,
    /// A panel of VS Code, or of one that is served from this machine. A browser sends the cookie into a frame only if it is marked for
    /// that, and then into any: so that this is asked for, and not the rule.
    Editor,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refusal {
    OtherHost,
    OtherOrigin,
    NoToken,
}

impl Guard {
    pub fn new(address: SocketAddr, token: Token, framing: Framing) -> Guard {
        let port = address.port();
        Guard {
            framing,
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            cookie: format!("wherefore-{port}"),
            token,
        }
    }

    fn look(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours == host);
        if !text(header::HOST).is_some_and(is_ours) {
            return Err(Refusal::OtherHost);
        }
        let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
        match text(header::ORIGIN) {
            Some(origin) if !is_own_origin(origin) => return Err(Refusal::OtherOrigin),
            // Browsers send it with everything but GET and HEAD.
            None if !matches!(*method, Method::GET | Method::HEAD) => return Err(Refusal::OtherOrigin),
            _ => {}
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.any(|(name, value)| name == self.cookie && self.token.is(value)) {
            true => Ok(()),
            false => Err(Refusal::NoToken),
        }
    }

    /// Of an address that has the token: the same address without it.
    fn without_token(&self, uri: &Uri) -> Option<String> {
        let pairs: Vec<&str> = uri.query()?.split('&').collect();
        let has_it = |pair: &&&str| pair.strip_prefix("token=").is_some_and(|guess| self.token.is(guess));
        pairs.iter().find(has_it)?;
        let others: Vec<&str> = pairs.into_iter().filter(|pair| !pair.starts_with("token=")).collect();
        Some(match others.is_empty() {
            true => "/".to_owned(),
            false => format!("/?{}", others.join("&")),
        })
    }
}

pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.look(request.method(), request.headers()) {
        Err(Refusal::NoToken) => match guard.without_token(request.uri()).filter(|_| request.uri().path() == "/") {
            Some(address) => {
                let sent = match guard.framing {
                    Framing::Nobody => "SameSite=Strict",
                    Framing::Editor => "SameSite=None; Secure; Partitioned",
                };
                let cookie = format!("{}={}; HttpOnly; {sent}; Path=/", guard.cookie, guard.token.text());
                (StatusCode::SEE_OTHER, [(header::LOCATION, address), (header::SET_COOKIE, cookie)]).into_response()
            }
            None => refused(Refusal::NoToken),
        },
        Err(refusal) => refused(refusal),
        Ok(()) => match guard.without_token(request.uri()) {
            // The token need not stay in the history of the browser.
            Some(address) => (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response(),
            None => next.run(request).await,
        },
    };
    let headers = response.headers_mut();
    let ancestors = match guard.framing {
        Framing::Nobody => "'none'",
        Framing::Editor => "vscode-webview: vscode-file: http://127.0.0.1:* http://localhost:*",
    };
    let policy = format!("{POLICY}; frame-ancestors {ancestors}");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.parse().expect("words of ours"));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The editor of the page makes its styles while it runs; pictures that are downloaded are made in the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'";

fn refused(refusal: Refusal) -> Response {
    let (status, text) = match refusal {
        Refusal::OtherHost => (StatusCode::MISDIRECTED_REQUEST, "this server answers on loopback, under its own name"),
        Refusal::OtherOrigin => (StatusCode::FORBIDDEN, "this server answers its own page only"),
        Refusal::NoToken => (
            StatusCode::UNAUTHORIZED,
            "open the address that `wherefore open` printed: it has the token that is needed here",
        ),
    };
    (status, format!("{text}\n")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new("127.0.0.1:4000".parse().unwrap(), Token::random().unwrap(), Framing::Nobody)
    }

    fn look(guard: &Guard, method: Method, lines: &[(HeaderName, String)]) -> Result<(), Refusal> {
        let headers = lines.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        guard.look(&method, &headers)
    }

    #[test]
    fn only_our_own_page_with_the_token_may_ask() {
        let guard = guard();
        let cookie = (header::COOKIE, format!("a=b; wherefore-4000={}", guard.token.text()));
        let host = |text: &str| (header::HOST, text.to_owned());
        let origin = |text: &str| (header::ORIGIN, text.to_owned());
        let ours = host("127.0.0.1:4000");
        let own = origin("http://localhost:4000");
        assert_eq!(look(&guard, Method::POST, &[ours.clone(), own.clone(), cookie.clone()]), Ok(()));
        assert_eq!(look(&guard, Method::GET, &[ours.clone(), cookie.clone()]), Ok(()));
        assert_eq!(look(&guard, Method::GET, &[host("evil.example:4000"), cookie.clone()]), Err(Refusal::OtherHost));
        assert_eq!(look(&guard, Method::GET, &[host("127.0.0.1"), cookie.clone()]), Err(Refusal::OtherHost));
        assert_eq!(look(&guard, Method::GET, std::slice::from_ref(&cookie)), Err(Refusal::OtherHost));
        assert_eq!(look(&guard, Method::POST, &[ours.clone(), cookie.clone()]), Err(Refusal::OtherOrigin));
        for other in ["http://127.0.0.1:5000", "https://127.0.0.1:4000", "null", "http://evil.example"] {
            let refusal = look(&guard, Method::GET, &[ours.clone(), origin(other), cookie.clone()]);
            assert_eq!(refusal, Err(Refusal::OtherOrigin), "{other}");
        }
        for wrong in ["", "wherefore-4000=", "wherefore-4000=x", &format!("wherefore-1={}", guard.token.text())] {
            let refusal = look(&guard, Method::GET, &[ours.clone(), (header::COOKIE, wrong.to_owned())]);
            assert_eq!(refusal, Err(Refusal::NoToken), "{wrong}");
        }
    }

    #[test]
    fn an_address_loses_its_token_and_nothing_else() {
        let guard = guard();
        let with = format!("/?run=3&token={}&at=@5", guard.token.text()).parse().unwrap();
        assert_eq!(guard.without_token(&with), Some("/?run=3&at=@5".into()));
        assert_eq!(guard.without_token(&"/?token=wrong".parse().unwrap()), None);
    }
}
