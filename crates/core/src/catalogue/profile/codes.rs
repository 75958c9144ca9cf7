//! The error codes that a dialect knows.

use core::ops::RangeInclusive;

use super::fault::ProfileFault;
use crate::catalogue::LevelOverride;

/// The maximum number of ranges of error codes in a profile.
pub const MAX_RANGES: usize = 256;

/// Ranges of error codes and their levels. The rules of the protocol check all other codes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes {
    /// The ranges; the first one that contains a code decides.
    ranges: Vec<(RangeInclusive<i64>, LevelOverride)>,
    others: Option<LevelOverride>,
}

impl Codes {
    pub(super) fn add(
        &mut self,
        codes: RangeInclusive<i64>,
        level: LevelOverride,
    ) -> Result<(), ProfileFault> {
        if codes.is_empty() {
            return Err(ProfileFault::new(
                "the range is empty: its end is below its beginning",
            ));
        }
        if self.ranges.len() >= MAX_RANGES {
            return Err(ProfileFault::new(format!(
                "a profile has at most {MAX_RANGES} ranges of error codes"
            )));
        }
        self.ranges.push((codes, level));
        Ok(())
    }

    pub(super) fn set_others(&mut self, level: LevelOverride) {
        self.others = Some(level);
    }

    /// Appends the entries of a weaker profile; entries of this one take precedence.
    pub(super) fn extend(&mut self, weaker: &Self) -> Result<(), ProfileFault> {
        for (codes, level) in &weaker.ranges {
            self.add(codes.clone(), *level)?;
        }
        self.others = self.others.or(weaker.others);
        Ok(())
    }

    /// The level of a code, if a range or the default of this profile decides it.
    pub(crate) fn level(&self, code: i64) -> Option<LevelOverride> {
        self.ranges
            .iter()
            .find(|(codes, _)| codes.contains(&code))
            .map(|(_, level)| *level)
            .or(self.others)
    }
}
