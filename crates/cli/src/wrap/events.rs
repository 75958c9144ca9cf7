//! The events that the pump waits for, on every system.

/// The result of waiting: first for the direction to the server, then for that to the client.
#[derive(Default)]
pub(super) struct Ready {
    /// A signal came, or the server may have ended.
    pub(super) events: bool,
    /// Bytes are there, or the end.
    pub(super) inputs: [bool; 2],
    pub(super) outputs: [Room; 2],
}

#[cfg(windows)]
impl Ready {
    pub(super) fn is_any(&self) -> bool {
        let is_known = |room: &Room| *room != Room::Unknown;
        self.events || self.inputs.contains(&true) || self.outputs.iter().any(is_known)
    }
}

/// The state of a reader.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Room {
    #[default]
    Unknown,
    /// It takes bytes.
    Some,
    /// It is gone.
    Gone,
}

/// The result of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    Some(usize),
    Later,
    End,
}

/// The result of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// The number of bytes.
    Some(usize),
    /// Nothing for now.
    Later,
    /// Nobody reads any more.
    Gone,
}
