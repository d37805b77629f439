//! The protocol over HTTP (streamable), on loopback and for who has the token.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use subtle::ConstantTimeEq;

use crate::hanging_up::Line;
use crate::server::Agent;
use crate::{Options, Shared};

/// Listens already, and answers once it is run.
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    shared: Arc<Shared>,
}

impl HttpServer {
    /// On a port of loopback; 0: any that is free. Without a token one is made for this start.
    pub fn bind(options: Options, port: u16, token: Option<String>) -> io::Result<HttpServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let token = token.map_or_else(random, Ok)?;
        Ok(HttpServer { listener, address, token, shared: Shared::new(options)? })
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// What a client sends as `Authorization: Bearer TOKEN`.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Answers until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let shared = self.shared;
            // No page of a browser is a client: whatever says its origin is refused.
            let config = StreamableHttpServerConfig::default().enforce_origin_validation();
            let service = StreamableHttpService::new(
                move || Ok(Agent::new(shared.clone(), Line::open())),
                Arc::new(LocalSessionManager::default()),
                config,
            );
            let token: Arc<str> = self.token.into();
            let router =
                Router::new().route_service("/mcp", service).layer(middleware::from_fn_with_state(token, check));
            axum::serve(tokio::net::TcpListener::from_std(self.listener)?, router).await
        })
    }
}

async fn check(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let sent =
        request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    match sent.is_some_and(|sent| sent.as_bytes().ct_eq(token.as_bytes()).into()) {
        true => next.run(request).await,
        false => {
            let text = "send the token that `wherefore mcp --port` printed: Authorization: Bearer TOKEN\n";
            (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], text).into_response()
        }
    }
}

fn random() -> io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
