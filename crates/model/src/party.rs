//! Parties, directions and kinds of messages.

/// One end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Party {
    /// The host's side.
    Client,
    /// The side that offers tools, resources and prompts.
    Server,
}

impl Party {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    /// The party of a name in reports.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Client, Self::Server]
            .into_iter()
            .find(|party| party.name() == name)
    }
}

/// The way a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Sent by the client.
    ClientToServer,
    /// Sent by the server.
    ServerToClient,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub fn reverse(self) -> Self {
        match self {
            Self::ClientToServer => Self::ServerToClient,
            Self::ServerToClient => Self::ClientToServer,
        }
    }

    /// The name in captures and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClientToServer => "c2s",
            Self::ServerToClient => "s2c",
        }
    }

    /// The parties in words, for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::ClientToServer => "client → server",
            Self::ServerToClient => "server → client",
        }
    }

    /// The sender.
    #[must_use]
    pub fn sender(self) -> Party {
        match self {
            Self::ClientToServer => Party::Client,
            Self::ServerToClient => Party::Server,
        }
    }
}

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageKind {
    /// Has a method and an id.
    Request,
    /// Has a method and no id.
    Notification,
    /// Has a result.
    Response,
    /// Has an error.
    Error,
    /// An array of messages.
    Batch,
    /// None of these, or not JSON.
    Unreadable,
    /// No message: a part of an HTTP exchange without a body.
    Empty,
}

impl MessageKind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Response => "response",
            Self::Error => "error",
            Self::Batch => "batch",
            Self::Unreadable => "unreadable",
            Self::Empty => "http",
        }
    }
}
