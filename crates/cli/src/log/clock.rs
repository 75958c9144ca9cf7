//! Times as texts.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time in UTC as RFC 3339 writes it, with microseconds.
pub(super) fn stamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (day, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = civil(day);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = since.subsec_micros();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:06}Z")
}

/// The same for the name of a file, which may have no colon everywhere.
pub(crate) fn file_stamp(time: SystemTime) -> String {
    stamp(time).replace(':', "-")
}

/// Milliseconds with as many decimals as are worth it.
pub(super) fn milliseconds(duration: Duration) -> String {
    let micros = duration.as_micros();
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

/// The date of a day, counted from 1970-01-01. Years begin in March here, so that the day that is not always there comes last.
fn civil(day: u64) -> (u64, u64, u64) {
    // 1970-01-01 is 719468 days after 0000-03-01; the calendar repeats every 146097 days, which are 400 years.
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
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
