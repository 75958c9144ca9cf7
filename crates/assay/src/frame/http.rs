//! A part of an HTTP exchange: the head of a request, the head of a response, an event of a stream, or its end.

/// A part of an HTTP exchange, as the carrier of a message or on its own.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Http<'a> {
    /// The number of the exchange: one HTTP request and all that answers it.
    pub exchange: Option<i64>,
    /// Which part it is.
    pub part: Part<'a>,
}

impl<'a> Http<'a> {
    /// A part of an exchange.
    #[must_use]
    pub fn new(exchange: Option<i64>, part: Part<'a>) -> Self {
        Self { exchange, part }
    }
}

/// Which part of an exchange.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// The request.
    Request {
        /// `POST`, `GET` or another.
        method: &'a str,
        /// The path with its query.
        path: &'a str,
        /// The headers.
        headers: Headers<'a>,
    },
    /// The response.
    Response {
        /// The status code.
        status: u16,
        /// The headers.
        headers: Headers<'a>,
        /// Whether its body is streamed, event by event.
        streamed: bool,
    },
    /// One event of a stream.
    Event {
        /// The field `event`.
        name: Option<&'a str>,
        /// The field `id`.
        id: Option<&'a str>,
        /// The field `retry`, in milliseconds.
        retry: Option<u64>,
    },
    /// The end of a stream.
    End,
}

/// Headers in wire order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a>(pub &'a [(&'a str, &'a str)]);

impl<'a> Headers<'a> {
    /// The value of the first header of this name, whatever its case.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.find(name).map(|(_, value)| value)
    }

    /// The first header of this name with its position.
    #[must_use]
    pub fn find(self, name: &str) -> Option<(u16, &'a str)> {
        self.all(name).next()
    }

    /// All headers of this name with their positions.
    pub fn all(self, name: &str) -> impl Iterator<Item = (u16, &'a str)> {
        self.iter()
            .filter(move |(_, key, _)| key.eq_ignore_ascii_case(name))
            .map(|(position, _, value)| (position, value))
    }

    /// All headers: position, name, value.
    pub fn iter(self) -> impl Iterator<Item = (u16, &'a str, &'a str)> {
        (0..=u16::MAX)
            .zip(self.0)
            .map(|(position, (key, value))| (position, *key, *value))
    }
}
