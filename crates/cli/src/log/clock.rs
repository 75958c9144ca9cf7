//! Times as texts.

use std::cell::RefCell;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

thread_local! {
    /// The last second that was written, and its text up to the fraction.
    static LAST_SECOND: RefCell<(i64, String)> = const { RefCell::new((i64::MIN, String::new())) };
}

/// A time in UTC as RFC 3339 writes it, with microseconds.
pub(super) fn stamp(time: SystemTime) -> String {
    let time = Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH);
    let micros = time.subsec_microsecond();
    if micros < 0 {
        // Before 1970 the fraction counts backwards.
        return format!("{time:.6}");
    }
    LAST_SECOND.with_borrow_mut(|(second, text)| {
        if *second != time.as_second() {
            *second = time.as_second();
            *text = format!("{time:.0}");
            text.truncate(text.trim_end_matches('Z').len());
        }
        format!("{text}.{micros:06}Z")
    })
}

/// The same for the name of a file, which may not contain a colon on every system.
pub(crate) fn file_stamp(time: SystemTime) -> String {
    stamp(time).replace(':', "-")
}

/// Milliseconds with a useful number of decimals.
pub(super) fn milliseconds(duration: Duration) -> String {
    let micros = duration.as_micros();
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339() {
        for (seconds, text) in [
            (0.0, "1970-01-01T00:00:00.000000Z"),
            (951_782_399.5, "2000-02-28T23:59:59.500000Z"),
            (951_782_400.0, "2000-02-29T00:00:00.000000Z"),
            (1_709_251_199.0, "2024-02-29T23:59:59.000000Z"),
            (1_752_299_504.25, "2025-07-12T05:51:44.250000Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00.000000Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs_f64(seconds);
            assert_eq!(stamp(time), text);
        }
    }

    #[test]
    fn milliseconds_have_three_decimals() {
        assert_eq!(milliseconds(Duration::from_nanos(1_234_567)), "1.234");
        assert_eq!(milliseconds(Duration::from_secs(2)), "2000.000");
    }
}
