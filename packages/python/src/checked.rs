//! The result of a check as Python holds it: owned, and independent of the validator.

use std::borrow::Cow;

use mcp_assay::{Direction, Ending, Level, MessageKind, Party, Revision};
use mcp_assay_live::guard::{Action, Judged};
use mcp_assay_report::clause;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::Deserialize;
use serde_json::value::RawValue;

type Text = Cow<'static, str>;

/// The result of a check: true if nothing was found.
#[pyclass(frozen, module = "mcp_assay")]
#[derive(Deserialize)]
pub(crate) struct Checked {
    /// `pass`, `flag` (warnings or notes only) or `block` (an error).
    #[pyo3(get)]
    verdict: Text,
    /// `request`, `notification`, `response`, `error`, `batch` or `unreadable`.
    #[pyo3(get)]
    kind: Option<Text>,
    /// The method that the message calls or answers.
    #[pyo3(get)]
    method: Option<String>,
    /// The revision that it was checked under.
    #[pyo3(get)]
    revision: Option<Text>,
    /// `c2s` or `s2c`.
    #[pyo3(get)]
    #[serde(rename = "dir")]
    direction: Option<Text>,
    /// The action of live checking: `forward`, `replace`, `refuse`, `split`, `drop` or `divert`.
    #[pyo3(get)]
    #[serde(default = "forward")]
    action: Text,
    /// `exact`, or `reserialised` if a program wrote the message anew before the check.
    #[pyo3(get)]
    #[serde(default = "exact")]
    fidelity: Text,
    /// Whether the end of the session shows it, and not the message itself.
    #[pyo3(get)]
    #[serde(default)]
    end: bool,
    /// The file of the message, and the session that it names.
    #[pyo3(get)]
    #[serde(default)]
    source: Option<String>,
    #[pyo3(get)]
    #[serde(default)]
    session: Option<String>,
    /// The line in the file, or the number of the message in its session.
    #[pyo3(get)]
    line: u64,
    /// The reason why the message was not checked as far as asked.
    #[pyo3(get)]
    #[serde(default)]
    not_judged: Option<Text>,
    id: Option<Box<RawValue>>,
    violations: Vec<Violation>,
}

/// A violation of a rule.
#[pyclass(frozen, from_py_object, get_all, module = "mcp_assay")]
#[derive(Clone, Deserialize)]
pub(crate) struct Violation {
    /// The name of the rule.
    rule: Text,
    /// The layer that the rule checks.
    layer: Text,
    /// `error`, `warning` or `note`.
    level: Text,
    /// Found and expected, in one sentence.
    message: Text,
    /// The JSON Pointer of the value at fault; empty for the whole message.
    pointer: String,
    /// The bytes at fault, from and to.
    #[serde(deserialize_with = "span")]
    span: (u32, u32),
    /// The JSON-RPC code of a refusal.
    code: Option<i32>,
    /// The remedy.
    help: Text,
    /// The clause of the specification.
    spec: String,
    /// The party at fault: `client` or `server`.
    party: Option<Text>,
}

impl Checked {
    pub(crate) fn new(judged: &Judged<'_>, line: u64, reserialised: bool) -> Self {
        let checked = judged.checked;
        let kind = checked.kind();
        Self {
            verdict: checked.verdict().name().into(),
            kind: (kind != MessageKind::Empty).then(|| checked.kind_name().into()),
            method: checked.method().map(Cow::into_owned),
            revision: checked.revision().map(|it| it.name().into()),
            direction: checked.direction().map(|it| it.name().into()),
            action: action(judged.action).into(),
            fidelity: if reserialised {
                "reserialised".into()
            } else {
                exact()
            },
            end: false,
            source: None,
            session: None,
            line,
            not_judged: (!checked.is_judged()).then_some(mcp_assay_report::NOT_JUDGED.into()),
            id: checked
                .id()
                .and_then(|id| serde_json::from_slice(id.raw()).ok()),
            violations: checked
                .violations()
                .iter()
                .map(|violation| {
                    let rule = violation.rule;
                    Violation {
                        rule: rule.name.into(),
                        layer: rule.layer.name().into(),
                        level: checked.level(violation).name().into(),
                        message: checked.message(violation).into(),
                        pointer: checked.pointer(violation),
                        span: (violation.span.start, violation.span.end),
                        code: (rule.code != 0).then_some(rule.code),
                        help: checked.help(violation).into(),
                        spec: clause(rule, checked.revision()),
                        party: checked.party(violation).map(|it| it.name().into()),
                    }
                })
                .collect(),
        }
    }

    /// A message that is missing at the end of a session.
    pub(crate) fn ending(ending: &Ending, reserialised: bool) -> Self {
        let rule = ending.rule;
        Self {
            verdict: match ending.level {
                Level::Error => "block".into(),
                Level::Warning | Level::Note => "flag".into(),
            },
            kind: Some(ending.kind.name().into()),
            method: ending.method.as_deref().map(str::to_owned),
            revision: ending.revision.map(Revision::name).map(Cow::from),
            direction: ending.direction.map(Direction::name).map(Cow::from),
            action: forward(),
            fidelity: if reserialised {
                "reserialised".into()
            } else {
                exact()
            },
            end: true,
            source: None,
            session: None,
            line: ending.at,
            not_judged: None,
            id: ending
                .id
                .as_deref()
                .and_then(|id| serde_json::from_str(id).ok()),
            violations: vec![Violation {
                rule: rule.name.into(),
                layer: rule.layer.name().into(),
                level: ending.level.name().into(),
                message: ending.message.into(),
                pointer: String::new(),
                span: (0, 0),
                code: (rule.code != 0).then_some(rule.code),
                help: rule.help.into(),
                spec: clause(rule, ending.revision),
                party: ending.party.map(Party::name).map(Cow::from),
            }],
        }
    }
}

#[pymethods]
impl Checked {
    /// Reads a line of `mcp-assay check --format ndjson`.
    #[staticmethod]
    fn from_row(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The violations, in the order in which they were found.
    #[getter]
    fn violations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.violations.iter().cloned())
    }

    /// The id of the message, as Python reads it; `None` if it has none that can be read.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let read = |id: &RawValue| py.import("json")?.call_method1("loads", (id.get(),));
        self.id.as_deref().map(read).transpose()
    }

    /// One line for each violation, safe to show on a terminal.
    #[getter]
    fn lines(&self) -> Vec<String> {
        let mut place = String::new();
        for part in [&self.direction, &self.kind].into_iter().flatten() {
            place.push_str(part);
            place.push(' ');
        }
        place.push_str(self.method.as_deref().unwrap_or_default());
        let place = place.trim();
        let action = match &*self.action {
            "forward" => "",
            "replace" => " (replaced)",
            "refuse" => " (refused)",
            "split" => " (refused in part)",
            "drop" => " (dropped)",
            _ => " (moved to standard error)",
        };
        let line = |violation: &Violation| {
            let Violation {
                rule,
                level,
                message,
                pointer,
                ..
            } = violation;
            let at = if pointer.is_empty() { "" } else { " at " };
            mcp_assay_report::visible(&format!(
                "{place}: {level}[{rule}]{at}{pointer}: {message}{action}"
            ))
        };
        self.violations.iter().map(line).collect()
    }

    fn __bool__(&self) -> bool {
        self.violations.is_empty()
    }

    fn __str__(&self) -> String {
        if self.violations.is_empty() {
            return "clean".to_owned();
        }
        self.lines().join("\n")
    }

    fn __repr__(&self) -> String {
        let rules: Vec<&str> = self.violations.iter().map(|it| &*it.rule).collect();
        format!("<Checked {} {rules:?}>", self.verdict)
    }
}

#[pymethods]
impl Violation {
    fn __repr__(&self) -> String {
        let text = format!("{}[{}]: {}", self.level, self.rule, self.message);
        format!("<Violation {}>", mcp_assay_report::visible(&text))
    }
}

/// Reads a span as the report writes it.
fn span<'de, D: serde::Deserializer<'de>>(from: D) -> Result<(u32, u32), D::Error> {
    #[derive(Deserialize)]
    struct Bytes {
        start: u32,
        end: u32,
    }
    Bytes::deserialize(from).map(|Bytes { start, end }| (start, end))
}

fn action(action: Action<'_>) -> &'static str {
    match action {
        Action::Forward => "forward",
        Action::Replace(_) => "replace",
        Action::Refuse(_) => "refuse",
        Action::Split { .. } => "split",
        Action::Drop => "drop",
        Action::Divert => "divert",
    }
}

fn forward() -> Text {
    "forward".into()
}

fn exact() -> Text {
    "exact".into()
}
