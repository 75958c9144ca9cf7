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
    pub(super) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            details: Vec::new(),
            index: None,
            pointer: String::new(),
            rule: None,
            message: message.into(),
        }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    pub(super) fn by(mut self, rule: &'static str) -> Self {
        self.rule = Some(rule);
        self
    }

    /// The value of a detail.
    #[must_use]
    pub fn detail(&self, name: &str) -> Option<&str> {
        let found = self.details.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The same problem, in a message of a batch.
    pub(super) fn within(mut self, index: usize) -> Self {
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
            write!(f, "{before}{name}={value}")?;
        }
        Ok(())
    }
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
    /// An error if there are problems.
    pub(crate) fn check(problems: Vec<Problem>) -> Result<(), Self> {
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
