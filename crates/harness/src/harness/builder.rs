//! The settings of a test, before its server is started.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_assay::profile::Profile;
use mcp_assay::{CurrentDefinitions, Layer, Level, LevelOverride, Policy, Revision, UnknownName};
use mcp_assay_probe::{Link, Options, Target};
use serde_json::Value;

use super::{Harness, Mode, Strictness};
use crate::handlers::Handlers;
use crate::{Error, RpcError};

/// Longer than any test.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The settings of a test of a server.
///
/// ```no_run
/// use std::time::Duration;
/// use mcp_assay_harness::{Error, Harness};
///
/// # fn a_test() -> Result<(), Error> {
/// let mut server = Harness::command(["python3", "server.py"])
///     .environment("LOG_LEVEL", "debug")
///     .timeout(Duration::from_secs(2))
///     .allow_stdout_noise()
///     .ignore("tools/name-charset")
///     .start()?;
/// server.initialize()?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is started yet"]
pub struct Builder {
    options: Options,
    strictness: Strictness,
    allows_noise: bool,
    revision: Option<Revision>,
    capabilities: Option<Value>,
    handlers: Handlers,
    unknown: Option<UnknownName>,
}

impl Builder {
    /// Any target, with everything else as usual.
    pub fn new(target: Target) -> Self {
        let mut options = Options::new(target);
        options.deadline = Instant::now() + FOR_EVER;
        Self {
            options,
            strictness: Strictness {
                mode: Mode::Strict,
                level: Level::Error,
            },
            allows_noise: false,
            revision: None,
            capabilities: None,
            handlers: Handlers::default(),
            unknown: None,
        }
    }

    /// Lets calls succeed although rules are broken. Violations are kept, for
    /// [`Harness::violations`] and [`Harness::expect_no_violations`].
    pub fn lenient(mut self) -> Self {
        self.strictness.mode = Mode::Lenient;
        self
    }

    /// Fails calls at violations of this level or a graver one: errors, unless
    /// [`Level::Warning`] is given here.
    pub fn fail_at(mut self, level: Level) -> Self {
        self.strictness.level = level;
        self
    }

    /// Lets lines on standard output pass that are text and no message. They stay in the record.
    pub fn allow_stdout_noise(mut self) -> Self {
        self.allows_noise = true;
        self
    }

    /// Judges by rules, families, layers or levels of this name only; may be called several times.
    pub fn select(mut self, what: &str) -> Self {
        let outcome = self.options.policy.selection.select(what);
        self.note(outcome)
    }

    /// Lets rules, families, layers or levels of this name pass; may be called several times.
    pub fn ignore(mut self, what: &str) -> Self {
        let outcome = self.options.policy.selection.ignore(what);
        self.note(outcome)
    }

    /// Gives rules, families, layers or levels of this name another level.
    pub fn level(mut self, what: &str, level: LevelOverride) -> Self {
        let outcome = self.options.policy.selection.set_level(what, level);
        self.note(outcome)
    }

    /// Judges at these layers only.
    pub fn layers(mut self, layers: impl IntoIterator<Item = Layer>) -> Self {
        self.options.policy.layers = layers.into_iter().collect();
        self
    }

    /// Judges by a dialect. Goes before what is selected or ignored, which it undoes.
    pub fn profile(self, profile: Arc<Profile>) -> Self {
        self.policy(Policy::with_profile(profile))
    }

    /// Checks against definitions of one's own, in place of the built-in ones.
    pub fn definitions(mut self, definitions: Arc<CurrentDefinitions>) -> Self {
        self.options.definitions = Some(definitions);
        self
    }

    /// Judges by a policy of one's own, with its limits. Goes before what is selected or ignored,
    /// which it undoes.
    pub fn policy(mut self, mut policy: Policy) -> Self {
        // The traffic says which revision is in force.
        policy.revision = None;
        self.options.policy = policy;
        self
    }

    /// Speaks this revision, and fails if the server chooses another. Usually the newest with a
    /// handshake is offered, and the choice is the server's.
    pub fn revision(mut self, revision: Revision) -> Self {
        self.revision = Some(revision);
        self
    }

    /// How long an answer may take, and the end of the server; five seconds unless something else
    /// is said.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.options.step_timeout = timeout.min(FOR_EVER);
        self
    }

    /// How long everything together may take, from now on; for ever unless something is said.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.options.deadline = Instant::now() + timeout.min(FOR_EVER);
        self
    }

    /// A variable for the environment of the server, besides those of the test.
    pub fn environment(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.environment.push((name.into(), value.into()));
        self
    }

    /// The working directory of the server.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.folder = Some(folder.into());
        self
    }

    /// A header for every request over HTTP. It is not recorded: it may be secret.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Target::Url { headers, .. } = &mut self.options.target {
            headers.push((name.into(), value.into()));
        }
        self
    }

    /// Declares these capabilities, instead of those that follow from the handlers.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = Some(capabilities);
        self
    }

    /// Answers requests of the server, given their params. For `sampling/createMessage`,
    /// `elicitation/create` and `roots/list` the capability is declared too. What has no handler is
    /// answered as by a client that does not know the method.
    pub fn on_request(
        self,
        method: &str,
        handler: impl FnMut(&Value) -> Result<Value, RpcError> + Send + 'static,
    ) -> Self {
        self.handlers.set(method, Box::new(handler));
        self
    }

    /// Starts the server, or gets ready to talk to it. Nothing is sent yet.
    pub fn start(self) -> Result<Harness, Error> {
        if let Some(unknown) = self.unknown {
            return Err(unknown.into());
        }
        let timeout = self.options.step_timeout;
        let mut link = Link::open(self.options)?;
        if self.allows_noise {
            link.allow_noise();
        }
        if self.strictness.mode == Mode::Strict {
            link.stop_at(self.strictness.level);
        }
        link.answer_with(self.handlers.handler());
        Ok(Harness::new(
            link,
            self.strictness,
            self.revision,
            timeout,
            self.handlers,
            self.capabilities,
        ))
    }

    /// Keeps the first name that nothing bears, until there is somebody to tell.
    fn note(mut self, outcome: Result<(), UnknownName>) -> Self {
        if let Err(unknown) = outcome {
            self.unknown.get_or_insert(unknown);
        }
        self
    }
}
