//! Tells the connections apart that follow each other in one log.
//!
//! A log goes on for weeks while its server is started again and again. Ids and capabilities hold
//! for one connection only, so each is a session of its own.

use std::collections::HashMap;

/// The servers that are told apart; the rest have one session each. It is the default of
/// `limits.sessions`, where `session/memory-limit` says that sessions were dropped.
const MAX_SERVERS: usize = 1 << 20;

/// The connections of a log, by server.
#[derive(Default, Debug)]
pub(crate) struct Epochs(HashMap<Box<str>, Server>);

#[derive(Debug)]
struct Server {
    /// The number of the connection, from 1.
    number: u32,
    /// The name of the session.
    label: String,
    /// A message of this connection was seen.
    used: bool,
    /// The log said that a connection begins, and no message has come since.
    begun: bool,
    /// The log says when connections begin. If it does not, the handshake has to tell.
    tells: bool,
}

impl Epochs {
    /// The log says that a connection begins.
    pub(crate) fn begin(&mut self, server: &str) {
        if let Some(server) = self.server(server) {
            server.begun = true;
            server.tells = true;
        }
    }

    /// A message; `handshake` if it is the first of a connection. Answers with the name of its
    /// session.
    pub(crate) fn message<'s>(&'s mut self, name: &'s str, handshake: bool) -> Option<&'s str> {
        let label = match self.server(name) {
            Some(server) => {
                if server.used && (server.begun || handshake && !server.tells) {
                    server.number += 1;
                    server.label = format!("{name}#{}", server.number);
                }
                server.used = true;
                server.begun = false;
                &*server.label
            }
            None => name,
        };
        Some(label).filter(|label| !label.is_empty())
    }

    /// The session that the server is in.
    pub(crate) fn current<'s>(&'s self, name: &'s str) -> Option<&'s str> {
        let label = self.0.get(name).map_or(name, |server| &server.label);
        Some(label).filter(|label| !label.is_empty())
    }

    fn server(&mut self, name: &str) -> Option<&mut Server> {
        if !self.0.contains_key(name) {
            if self.0.len() >= MAX_SERVERS {
                return None;
            }
            let server = Server {
                number: 1,
                label: name.to_owned(),
                used: false,
                begun: false,
                tells: false,
            };
            self.0.insert(name.into(), server);
        }
        self.0.get_mut(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_start_is_a_new_session() {
        let mut epochs = Epochs::default();
        epochs.begin("a");
        assert_eq!(epochs.message("a", true), Some("a"));
        // A second handshake of one connection is a fault to be seen, not a new connection.
        assert_eq!(epochs.message("a", true), Some("a"));
        epochs.begin("a");
        epochs.begin("a");
        assert_eq!(epochs.message("a", true), Some("a#2"));
        assert_eq!(epochs.message("b", false), Some("b"));
        assert_eq!(epochs.current("a"), Some("a#2"));
    }

    #[test]
    fn without_words_of_the_log_the_handshake_tells() {
        let mut epochs = Epochs::default();
        assert_eq!(epochs.message("", true), None);
        assert_eq!(epochs.message("", false), None);
        assert_eq!(epochs.message("", true), Some("#2"));
    }

    #[test]
    fn memory_is_bounded() {
        let mut epochs = Epochs::default();
        for number in 0..=MAX_SERVERS {
            epochs.message(&number.to_string(), true);
        }
        assert_eq!(epochs.0.len(), MAX_SERVERS);
        assert_eq!(epochs.message("one more", true), Some("one more"));
    }
}
