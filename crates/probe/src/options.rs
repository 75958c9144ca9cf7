//! Options of a probe: the target, and how far to go.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_assay::{CurrentDefinitions, Policy, Revision, Validator};
use serde_json::Value;

use crate::interrupt::Interrupt;
use crate::transport::Target;

/// Options of a probe: the target, and how far to go.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The server.
    pub target: Target,
    /// Variables for the environment of a command, besides our own.
    pub environment: Vec<(String, String)>,
    /// The working directory of a command; ours if there is none.
    pub folder: Option<PathBuf>,
    /// The selection and the levels of passive rules.
    pub policy: Policy,
    /// Definitions that replace the built-in model of passive rules.
    pub definitions: Option<Arc<CurrentDefinitions>>,
    /// How long the first answer of a connection may take: a command may still be installing.
    pub start_timeout: Duration,
    /// How long one step may take.
    pub step_timeout: Duration,
    /// The deadline.
    pub deadline: Instant,
    /// Ends the probe early, from another thread; the report covers what was done by then.
    pub interrupt: Interrupt,
    /// The revisions to negotiate; all if empty.
    pub revisions: Vec<Revision>,
    /// Handshake, lists and one ping only.
    pub quick: bool,
    /// Call tools that are not annotated as read-only.
    pub call_tools: bool,
    /// Tools to call with these arguments.
    pub calls: Vec<(String, Value)>,
    /// The seed of generated arguments.
    pub seed: u64,
    /// Report these rules only; all if empty.
    pub only: Vec<String>,
    /// Leave these rules out.
    pub except: Vec<String>,
    /// Keep all that passes, for a timeline.
    pub keep_transcript: bool,
}

impl Options {
    /// Probes everything that is safe, within a minute for the first answer, five seconds a step
    /// and two minutes altogether.
    #[must_use]
    pub fn new(target: Target) -> Self {
        Self {
            target,
            environment: Vec::new(),
            folder: None,
            policy: Policy::default(),
            definitions: None,
            start_timeout: Duration::from_secs(60),
            step_timeout: Duration::from_secs(5),
            deadline: Instant::now() + Duration::from_secs(120),
            interrupt: Interrupt::default(),
            revisions: Vec::new(),
            quick: false,
            call_tools: false,
            calls: Vec::new(),
            seed: 0,
            only: Vec::new(),
            except: Vec::new(),
            keep_transcript: false,
        }
    }

    /// Whether a rule is asked for.
    #[must_use]
    pub fn wants(&self, id: &str) -> bool {
        let names = |names: &[String]| names.iter().any(|name| name == id || is_family(name, id));
        (self.only.is_empty() || names(&self.only)) && !names(&self.except)
    }

    /// A validator of what passes.
    pub(crate) fn validator(&self) -> Validator {
        let mut validator = Validator::new(self.policy.clone());
        if let Some(definitions) = &self.definitions {
            validator.replace_definitions(Arc::clone(definitions) as Arc<_>);
        }
        validator
    }

    pub(crate) fn wants_revision(&self, revision: Revision) -> bool {
        self.revisions.is_empty() || self.revisions.contains(&revision)
    }

    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.interrupt.is_set()
    }

    /// The limit of a step, with the flag that sets it.
    pub(crate) fn step_limit(&self) -> String {
        format!("{:?} (--step-timeout)", self.step_timeout)
    }

    /// The limit of the first answer, with the flag that sets it.
    pub(crate) fn start_limit(&self) -> String {
        format!("{:?} (--start-timeout)", self.start_timeout)
    }

    /// The reason why the probe ended before everything was put to the test.
    pub(crate) fn why_over(&self) -> &'static str {
        if self.interrupt.is_set() {
            "interrupted before everything was put to the test"
        } else {
            "time was up before everything was put to the test (--timeout)"
        }
    }
}

fn is_family(name: &str, id: &str) -> bool {
    id.strip_prefix(name)
        .is_some_and(|rest| rest.starts_with('/'))
}
