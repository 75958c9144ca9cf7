//! Yes, no or unknown, with reasons.

/// So many reasons are kept: nobody reads more.
const KEPT: usize = 8;

/// Why the answer is not yes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::drift) struct Reason {
    /// The place in the accepting schema.
    pub(in crate::drift) pointer: String,
    pub(in crate::drift) text: String,
}

/// Yes if there is no reason against it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::drift) struct Answer {
    /// Why it is no.
    pub(in crate::drift) against: Vec<Reason>,
    /// Why it cannot be told.
    pub(in crate::drift) doubts: Vec<Reason>,
}

impl Answer {
    pub(super) const YES: Self = Self {
        against: Vec::new(),
        doubts: Vec::new(),
    };

    pub(super) fn no(pointer: &str, text: impl Into<String>) -> Self {
        Self {
            against: vec![Reason::new(pointer, text)],
            ..Self::YES
        }
    }

    pub(super) fn unknown(pointer: &str, text: impl Into<String>) -> Self {
        Self {
            doubts: vec![Reason::new(pointer, text)],
            ..Self::YES
        }
    }

    pub(in crate::drift) fn is_yes(&self) -> bool {
        self.against.is_empty() && self.doubts.is_empty()
    }

    /// Both have to be yes.
    pub(super) fn and(&mut self, other: Self) {
        self.against.extend(other.against);
        self.against.truncate(KEPT);
        self.doubts.extend(other.doubts);
        self.doubts.truncate(KEPT);
    }

    /// What was found against it is no more than a doubt.
    pub(super) fn doubtful(mut self) -> Self {
        self.doubts.append(&mut self.against);
        self.doubts.truncate(KEPT);
        self
    }
}

impl Reason {
    fn new(pointer: &str, text: impl Into<String>) -> Self {
        Self {
            pointer: pointer.to_owned(),
            text: text.into(),
        }
    }
}
