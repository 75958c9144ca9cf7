//! Limits on the work that a schema of a stranger may cause.

/// Limits on schemas, on checks against them, and on the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SchemaLimits {
    /// Bytes of a schema as it was sent.
    pub bytes: usize,
    /// Levels of nesting of a schema.
    pub depth: usize,
    /// Subschemas of a schema.
    pub subschemas: usize,
    /// Subschemas that may have to check one value: composition and references multiply.
    pub branches: u64,
    /// Schemas that refer to the next one about the same value: the depth of a check that does not
    /// descend into the value.
    pub chain: u32,
    /// Different patterns of a schema.
    pub patterns: usize,
    /// Steps of one check; in addition each token and each byte of the value pays for a few.
    pub steps: u64,
    /// Mismatches of one value that are listed.
    pub mismatches: usize,
    /// Schemas that are kept.
    pub kept: usize,
    /// The estimated bytes of the kept ones.
    pub kept_bytes: usize,
}

impl SchemaLimits {
    /// 1 MiB, 100 levels, 10,000 subschemas, 10,000 branches, chains of 100, 500 patterns, 2
    /// million steps, 100 mismatches; 4096 schemas are kept, or as many as fit in 256 MiB.
    pub const DEFAULT: Self = Self {
        bytes: 1 << 20,
        depth: 100,
        subschemas: 10_000,
        branches: 10_000,
        chain: 100,
        patterns: 500,
        steps: 2_000_000,
        mismatches: 100,
        kept: 4096,
        kept_bytes: 256 << 20,
    };
}

impl Default for SchemaLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
