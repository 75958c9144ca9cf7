//! The settings of a connection.

use std::sync::Arc;

use mcp_assay::{Definitions, Direction, Party, Policy, Validator};
use mcp_assay_live::guard::{Guard, Judged, Mode, Repairs, Reporter, Values};

/// The settings of a connection: policy, mode and reporter.
///
/// ```
/// use mcp_assay_live::guard::{Judged, Mode};
/// use mcp_assay_tokio::Options;
///
/// let options = Options::server()
///     .mode(Mode::Enforce)
///     .reporter(|_: Option<&str>, judged: &Judged<'_>| println!("{:?}", judged.checked.verdict()));
/// # let _ = options;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Options {
    pub(crate) party: Party,
    pub(crate) policy: Policy,
    pub(crate) mode: Mode,
    pub(crate) values: Values,
    pub(crate) repairs: Repairs,
    pub(crate) reporter: Arc<dyn Reporter>,
    definitions: Option<Arc<dyn Definitions>>,
}

impl Options {
    /// For a server, which reads what clients send. Violations are told on standard error.
    pub fn server() -> Self {
        Self::of(Party::Server)
    }

    /// For a client, which reads what the server sends. Violations are told on standard error.
    pub fn client() -> Self {
        Self::of(Party::Client)
    }

    /// The rules and their levels.
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Whether faults are kept from passing; they are only seen unless told otherwise.
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// Whether refusals quote the value at fault; they do not unless told so.
    pub fn values(self, values: Values) -> Self {
        Self { values, ..self }
    }

    /// The faults that are mended rather than refused, in `enforce`.
    pub fn repairs(self, repairs: Repairs) -> Self {
        Self { repairs, ..self }
    }

    /// Reports each message, in place of standard error.
    pub fn reporter(self, reporter: impl Reporter + 'static) -> Self {
        let reporter = Arc::new(reporter);
        Self { reporter, ..self }
    }

    /// Definitions that replace the built-in model.
    pub fn definitions(self, definitions: Arc<dyn Definitions>) -> Self {
        let definitions = Some(definitions);
        Self {
            definitions,
            ..self
        }
    }

    fn of(party: Party) -> Self {
        Self {
            party,
            policy: Policy::default(),
            mode: Mode::default(),
            values: Values::default(),
            repairs: Repairs::default(),
            reporter: Arc::new(to_stderr),
            definitions: None,
        }
    }

    /// The direction of what is read.
    pub(crate) fn inbound(&self) -> Direction {
        match self.party {
            Party::Server => Direction::ClientToServer,
            Party::Client => Direction::ServerToClient,
        }
    }

    pub(crate) fn guard(&self) -> Guard {
        let mut validator = Validator::new(self.policy.clone());
        if let Some(definitions) = &self.definitions {
            validator.replace_definitions(Arc::clone(definitions));
        }
        let mut guard = Guard::with_validator(validator, self.mode);
        guard.values = self.values;
        guard.repairs = self.repairs;
        guard
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Options")
            .field("party", &self.party)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

fn to_stderr(_: Option<&str>, judged: &Judged<'_>) {
    for line in judged.in_words() {
        eprintln!("mcp-assay: {line}");
    }
}
