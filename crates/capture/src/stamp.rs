//! The time at the beginning of a line of a log.

use jiff::civil::Date;

/// A time as loggers write it, in seconds since 1970, and the text behind it.
/// `2025-07-12T05:51:44.599Z` and the same with a space instead of `T`, with a comma instead of the
/// point, without a fraction or a zone.
pub(crate) fn stamped(line: &[u8]) -> Option<(f64, &[u8])> {
    let mut at = Digits(line);
    let (year, month, day) = (
        at.number(4)?,
        at.then(b"-")?.number(2)?,
        at.then(b"-")?.number(2)?,
    );
    let (hour, minute, second) = (
        at.then(b"T ")?.number(2)?,
        at.then(b":")?.number(2)?,
        at.then(b":")?.number(2)?,
    );
    if hour > 23 || minute > 59 {
        return None;
    }
    let fraction = at.fraction();
    let offset = at.zone();
    let seconds =
        day_number(year, month, day)? * 86_400 + hour * 3600 + minute * 60 + second - offset;
    #[expect(clippy::cast_precision_loss, reason = "a date has far fewer digits")]
    let seconds = seconds as f64 + fraction;
    Some((seconds, at.0))
}

/// The day, counted from 1970. `None` for a date that the calendar does not have.
fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    let date = Date::new(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    );
    Some(i64::from(
        (date.ok()? - Date::new(1970, 1, 1).ok()?).get_days(),
    ))
}

/// The rest of a line.
struct Digits<'a>(&'a [u8]);

impl Digits<'_> {
    /// Reads a number of this many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        number.iter().try_fold(0, |value, byte| {
            byte.is_ascii_digit()
                .then(|| value * 10 + i64::from(byte - b'0'))
        })
    }

    /// One of these bytes.
    fn then(&mut self, expected: &[u8]) -> Option<&mut Self> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        expected.contains(first).then_some(self)
    }

    fn fraction(&mut self) -> f64 {
        let [b'.' | b',', rest @ ..] = self.0 else {
            return 0.0;
        };
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.0 = &rest[digits..];
        rest[..digits]
            .iter()
            .rev()
            .fold(0.0, |value, byte| (value + f64::from(byte - b'0')) / 10.0)
    }

    /// The offset from UTC, in seconds; none is taken for UTC, because only differences count.
    fn zone(&mut self) -> i64 {
        match *self.0 {
            [b'Z', ref rest @ ..] => {
                self.0 = rest;
                0
            }
            [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2, ref rest @ ..]
                if [h1, h2, m1, m2].iter().all(u8::is_ascii_digit) =>
            {
                self.0 = rest;
                let digit = |byte: u8| i64::from(byte - b'0');
                let offset =
                    (digit(h1) * 10 + digit(h2)) * 3600 + (digit(m1) * 10 + digit(m2)) * 60;
                if sign == b'-' { -offset } else { offset }
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_however_they_are_spelt() {
        for (line, seconds, rest) in [
            ("1970-01-01T00:00:00Z", 0.0, ""),
            ("2000-03-01T00:00:00.000Z [x]", 951_868_800.0, " [x]"),
            ("2025-07-12T05:51:44.5Z [a]", 1_752_299_504.5, " [a]"),
            ("2025-07-12 05:51:44.500 [info]", 1_752_299_504.5, " [info]"),
            ("2025-07-12 07:51:44,5+02:00 x", 1_752_299_504.5, " x"),
            ("2024-02-29T23:59:59", 1_709_251_199.0, ""),
        ] {
            assert_eq!(
                stamped(line.as_bytes()),
                Some((seconds, rest.as_bytes())),
                "{line}"
            );
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for line in [
            "",
            "2025",
            "2025-13-01T00:00:00Z",
            "2025-00-01T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2025-07-12",
            "2025-07-12T05:51",
            "20x5-07-12T05:51:44Z",
            "{\"jsonrpc\":\"2.0\"}",
        ] {
            assert_eq!(stamped(line.as_bytes()), None, "{line}");
        }
    }
}
