//! Everything that a request can be refused for.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::store::StoreError;
use crate::wire::Refusal;

#[derive(Debug)]
pub enum Refused {
    NoKey,
    WrongKey,
    KeyOfOtherKind,
    /// The report names a policy that another project gave out.
    PolicyOfOtherProject,
    NotJson(String),
    WrongContentType,
    TooLarge(usize),
    Unreadable(String),
    NotFound,
    /// With what the path does allow.
    NotThisMethod,
    TooMany {
        seconds: u64,
    },
    /// More is under way than can be stored.
    Busy,
    /// The database failed. What happened is in the log, as it is nobody's business outside.
    Store(StoreError),
}

/// Goes with an answer, for the log.
#[derive(Clone)]
pub struct OurFault(pub String);

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        Refused::Store(error)
    }
}

impl Refused {
    pub fn status(&self) -> StatusCode {
        match self {
            Refused::NoKey | Refused::WrongKey => StatusCode::UNAUTHORIZED,
            Refused::KeyOfOtherKind | Refused::PolicyOfOtherProject => StatusCode::FORBIDDEN,
            Refused::NotJson(_) => StatusCode::BAD_REQUEST,
            Refused::WrongContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refused::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refused::Unreadable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refused::NotFound => StatusCode::NOT_FOUND,
            Refused::NotThisMethod => StatusCode::METHOD_NOT_ALLOWED,
            Refused::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Refused::Busy | Refused::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub fn id(&self) -> &'static str {
        match self {
            Refused::NoKey => "no-key",
            Refused::WrongKey => "wrong-key",
            Refused::KeyOfOtherKind => "key-of-other-kind",
            Refused::PolicyOfOtherProject => "policy-of-other-project",
            Refused::NotJson(_) => "not-json",
            Refused::WrongContentType => "wrong-content-type",
            Refused::TooLarge(_) => "too-large",
            Refused::Unreadable(_) => "unreadable",
            Refused::NotFound => "not-found",
            Refused::NotThisMethod => "not-this-method",
            Refused::TooMany { .. } => "too-many",
            Refused::Busy => "busy",
            Refused::Store(_) => "no-database",
        }
    }

    fn message(&self) -> String {
        match self {
            Refused::NoKey => "send the key of the project: Authorization: Bearer KEY".to_owned(),
            Refused::WrongKey => "there is no such key".to_owned(),
            Refused::KeyOfOtherKind => {
                "this key is not for that: reports have their own keys, and so do operators".to_owned()
            }
            Refused::PolicyOfOtherProject => "the policy is one of another project".to_owned(),
            Refused::NotJson(why) => format!("the body is not JSON: {why}"),
            Refused::WrongContentType => "this content type is not taken here".to_owned(),
            Refused::TooLarge(most) => format!("the body has more than {most} bytes"),
            Refused::Unreadable(why) => why.clone(),
            Refused::NotFound => "there is no such thing".to_owned(),
            Refused::NotThisMethod => "that cannot be done here".to_owned(),
            Refused::TooMany { seconds } => format!("too many requests with this key: try again in {seconds} s"),
            Refused::Busy => "too much is under way: try again later".to_owned(),
            Refused::Store(_) => "the database does not answer: try again later".to_owned(),
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = Refusal { error: self.id().to_owned(), message: self.message() };
        let text = serde_json::to_string(&body).expect("two texts");
        let mut response = (self.status(), [(CONTENT_TYPE, "application/json")], text).into_response();
        if let Refused::Store(error) = &self {
            response.extensions_mut().insert(OurFault(error.to_string()));
        }
        let headers = response.headers_mut();
        match &self {
            Refused::NoKey | Refused::WrongKey => {
                // A line for each: of two ways in one line Chromium takes none, and asks the person for nothing.
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"wherefore\""));
                headers.append(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Refused::TooMany { seconds } => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*seconds));
            }
            Refused::Busy | Refused::Store(_) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(1));
            }
            _ => {}
        }
        response
    }
}
