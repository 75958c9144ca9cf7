//! Which error codes a dialect knows.

use core::ops::RangeInclusive;

use super::fault::ProfileFault;
use crate::catalogue::LevelOverride;

/// So many ranges of error codes may a profile have.
pub const MAX_RANGES: usize = 256;

/// Ranges of error codes and how grave they are; what is not decided here is the protocol's business.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes {
    /// The first range that has a code decides.
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

    /// Takes over what another says, where this says nothing.
    pub(super) fn extend(&mut self, weaker: &Self) -> Result<(), ProfileFault> {
        for (codes, level) in &weaker.ranges {
            self.add(codes.clone(), *level)?;
        }
        self.others = self.others.or(weaker.others);
        Ok(())
    }

    /// How grave a code is, if that is decided here.
    pub(crate) fn level(&self, code: i64) -> Option<LevelOverride> {
        self.ranges
            .iter()
            .find(|(codes, _)| codes.contains(&code))
            .map(|(_, level)| *level)
            .or(self.others)
    }
}
