//! Problems of an input, for programs and in one line.

use core::fmt;

use super::reason::Reason;

/// One problem of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The reason.
    pub reason: Reason,
    /// The particulars as names and values, in a fixed order for each reason. They quote names of
    /// the input, made safe to print and cut at 64 characters, but no values of it; for a text that
    /// is not JSON, the bytes of the fault. Pointers are those of the message, or of the message in
    /// the batch.
    pub details: Vec<(&'static str, String)>,
    /// The message in the batch, from 0.
    pub index: Option<usize>,
    /// The value at fault, as a JSON Pointer; empty for the whole. Keys are quoted as they were
    /// sent.
    pub pointer: String,
    /// The name of the violated rule, if there is one.
    pub rule: Option<&'static str>,
    /// The found and the expected value, in a sentence.
    pub message: String,
}

impl Problem {
    /// A problem of the whole input, with its sentence for people.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            details: Vec::new(),
            index: None,
            pointer: String::new(),
            rule: None,
            message: message.into(),
        }
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    /// Names the violated rule.
    #[must_use]
    pub fn by(mut self, rule: &'static str) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets the value at fault, as a JSON Pointer.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }

    /// The value of a detail.
    #[must_use]
    pub fn detail(&self, name: &str) -> Option<&str> {
        let found = self.details.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The same problem, in a message of a batch.
    #[must_use]
    pub fn within(mut self, index: usize) -> Self {
        self.index = Some(index);
        self.pointer = format!("/{index}{}", self.pointer);
        self.details.insert(0, ("index", index.to_string()));
        self
    }
}

/// `reason: name=value, name=value`
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.as_str())?;
        for (position, (name, value)) in self.details.iter().enumerate() {
            let before = if position == 0 { ": " } else { ", " };
            write!(f, "{before}{name}=")?;
            write_printable(value, f)?;
        }
        Ok(())
    }
}

/// Writes a text that may have come from a caller, with control characters escaped.
fn write_printable(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if text.chars().any(char::is_control) {
        let escaped = text.chars().map(|it| match it {
            it if it.is_control() => it.escape_default().to_string(),
            it => it.to_string(),
        });
        return f.write_str(&escaped.collect::<String>());
    }
    f.write_str(text)
}

/// All problems of an input: at least one, and at most as many as [`Limits`](mcp_assay::Limits)
/// lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidationError {
    /// Boxed, so that results stay small.
    first: Box<Problem>,
    others: Vec<Problem>,
}

impl ValidationError {
    /// The violation of a rule of the caller's own, with its sentence for people.
    ///
    /// ```
    /// use mcp_assay_contract::protocol::{Problem, Reason, ValidationError, validate_request};
    ///
    /// fn check(params: &str) -> Result<(), ValidationError> {
    ///     validate_request("tools/call", params)?;
    ///     if params.contains("debug") {
    ///         return Err(ValidationError::of_rule("house/no-debug", "debug is not for production"));
    ///     }
    ///     Ok(())
    /// }
    ///
    /// let error = check(r#"{"name":"debug"}"#).unwrap_err();
    /// assert_eq!(error.reason(), Reason::RuleViolated);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "rule_violated: rule=house/no-debug, problem=debug is not for production",
    /// );
    ///
    /// let problem = Problem::new(Reason::OutOfRange, "too late").at("/params/at").with("limit", "9");
    /// assert_eq!(ValidationError::from(problem).to_string(), "out_of_range: limit=9");
    /// ```
    #[must_use]
    pub fn of_rule(rule: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        let problem = Problem::new(Reason::RuleViolated, message.clone()).by(rule);
        problem.with("rule", rule).with("problem", message).into()
    }

    /// An error if there are problems.
    pub fn check(problems: impl IntoIterator<Item = Problem>) -> Result<(), Self> {
        let mut problems = problems.into_iter();
        match problems.next() {
            None => Ok(()),
            Some(first) => Err(Self {
                first: Box::new(first),
                others: problems.collect(),
            }),
        }
    }

    /// The reason of the first problem.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.first.reason
    }

    /// The details of the first problem.
    #[must_use]
    pub fn details(&self) -> &[(&'static str, String)] {
        &self.first.details
    }

    /// The first problem.
    #[must_use]
    pub fn first(&self) -> &Problem {
        &self.first
    }

    /// All problems, in the order in which they were found.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        core::iter::once(&*self.first).chain(&self.others)
    }

    /// The same problems, in a message of a batch.
    pub(crate) fn within(self, index: usize) -> Self {
        let others = self.others.into_iter();
        Self {
            first: Box::new(self.first.within(index)),
            others: others.map(|problem| problem.within(index)).collect(),
        }
    }
}

impl From<Problem> for ValidationError {
    fn from(first: Problem) -> Self {
        Self {
            first: Box::new(first),
            others: Vec::new(),
        }
    }
}

/// All problems in one line, separated by `; `.
impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        for problem in &self.others {
            write!(f, "; {problem}")?;
        }
        Ok(())
    }
}

impl core::error::Error for ValidationError {}
