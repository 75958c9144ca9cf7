//! Limits on the size of a JSON text.

/// The limits at which a scan stops with a [`Fault`](crate::Fault).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScanLimits {
    /// Bytes of the text.
    pub bytes: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Tokens: values and keys.
    pub tokens: usize,
}

impl ScanLimits {
    /// 64 MiB, 128 levels, 4 million tokens.
    pub const DEFAULT: Self = Self {
        bytes: 64 << 20,
        depth: 128,
        tokens: 4_000_000,
    };
}

impl Default for ScanLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
