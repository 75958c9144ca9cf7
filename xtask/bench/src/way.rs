//! The route to a server: direct, or through the program, which checks nothing, watches or
//! enforces.

/// The route to the server.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    Direct,
    Unchecked,
    Shadow,
    Enforce,
}

impl Way {
    pub(crate) const ALL: [Self; 4] = [Self::Direct, Self::Unchecked, Self::Shadow, Self::Enforce];

    /// The name in tables, for a command of the program.
    pub(crate) fn name(self, command: &str) -> String {
        match self {
            Self::Direct => "direct".to_owned(),
            _ => [&[command], self.flags()].concat().join(" "),
        }
    }

    /// The flags of the command.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Direct | Self::Shadow => &[],
            Self::Unchecked => &["--no-check"],
            Self::Enforce => &["--mode", "enforce"],
        }
    }
}
