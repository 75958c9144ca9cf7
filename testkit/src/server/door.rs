//! A server that lets nobody in without a token, and says where tokens are to be had.

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::server::faults::Fault;

pub(crate) struct Door {
    pub(crate) fault: Fault,
    pub(crate) port: u16,
}

impl Door {
    /// The answer to a client that may not come in.
    pub(crate) fn stop(&self, request: &Request) -> Option<Response> {
        let here = format!("http://127.0.0.1:{}", self.port);
        match request.path.as_str() {
            "/.well-known/oauth-protected-resource/mcp" if !self.fault.is("auth-nowhere") => {
                let servers = if self.fault.is("auth-no-servers") {
                    json!([])
                } else {
                    json!([format!("{here}/as")])
                };
                let metadata =
                    json!({"resource": format!("{here}/mcp"), "authorization_servers": servers});
                return Some(Response::json(200, &metadata));
            }
            "/.well-known/oauth-authorization-server/as" => {
                return Some(Response::json(200, &self.authorization_server(&here)));
            }
            "/mcp" => {}
            _ => return Some(Response::bare(404)),
        }
        let token = request.header("authorization");
        let welcome =
            token == Some("Bearer good") || (token.is_some() && self.fault.is("auth-any-token"));
        if welcome {
            return None;
        }
        let mut challenge = "Bearer scope=\"mcp\"".to_owned();
        if !self.fault.is("auth-nowhere") {
            challenge = format!(
                "{challenge}, resource_metadata=\"{here}/.well-known/oauth-protected-resource/mcp\""
            );
        }
        let mut response = Response::bare(401);
        response.headers.push(("www-authenticate", challenge));
        Some(response)
    }

    fn authorization_server(&self, here: &str) -> Value {
        let token = if self.fault.is("auth-plain-endpoint") {
            "http://as.example/token"
        } else {
            "https://as.example/token"
        };
        json!({
            "issuer": format!("{here}/as"),
            "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": token,
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        })
    }
}
