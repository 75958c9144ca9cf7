//! The keys of recordings and logs of live traffic.

use std::time::Duration;

use mcp_assay::toml_keys::{self as keys, Fault, Name, Value};

use crate::log::key_pattern;

/// The longest time between two files: a year, in seconds.
pub(super) const MAX_AGE: u64 = 366 * 24 * 60 * 60;

/// The largest size of a file before another is begun: a pebibyte.
pub(super) const MAX_SIZE: u64 = 1 << 50;

/// The settings of recordings and logs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outputs {
    pub(crate) record_secrets: bool,
    pub(crate) redact: Vec<String>,
    pub(crate) rotate_size: Option<u64>,
    pub(crate) rotate_age: Option<Duration>,
    pub(crate) rotate_keep: Option<usize>,
}

impl Outputs {
    /// Reads one of its keys.
    pub(super) fn read(&mut self, key: &Name<'_>, value: Value<'_>) -> Result<(), Fault> {
        let what = format!("`{}`", key.text);
        match key.text {
            "record_secrets" => self.record_secrets = keys::boolean(value, &what)?,
            "redact" => {
                for pattern in keys::texts(value, &what)? {
                    let known = key_pattern(pattern.text);
                    let known = known.map_err(|_| pattern.fault("`redact` has a bad pattern"))?;
                    self.redact.push(known);
                }
            }
            "rotate_size" => {
                let bytes = keys::count(value, &what, MAX_SIZE)?;
                self.rotate_size = Some(bytes as u64);
            }
            "rotate_age" => {
                let seconds = keys::count(value, &what, MAX_AGE)?;
                self.rotate_age = Some(Duration::from_secs(seconds as u64));
            }
            _ => self.rotate_keep = Some(keys::count(value, &what, u64::from(u32::MAX))?),
        }
        Ok(())
    }
}
