//! Numbers: the grammar of RFC 8259, and questions about a number's text.

use super::fault::{Fault, FaultKind};

/// The end of the number that begins at `start`, if it is one of up to seven digits and nothing
/// else: most are.
#[inline(always)]
pub(super) fn short(bytes: &[u8], start: u32) -> Option<u32> {
    let word = bytes
        .get(start as usize..start as usize + 8)
        .and_then(<[u8]>::first_chunk)?;
    let word = u64::from_le_bytes(*word);
    let values = word ^ 0x3030_3030_3030_3030;
    // The top bit of each byte up to the first that is no digit; a carry may spoil those above it.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let bits = others.trailing_zeros() & !7;
    if !(8..64).contains(&bits) {
        return None;
    }
    // Of leading zeros only a lone one will do.
    if values as u8 == 0 && bits > 8 {
        return None;
    }
    // Neither point nor exponent behind.
    let after = (word >> bits) as u8;
    matches!(after, ..b'.' | b']' | b'}').then_some(start + bits / 8)
}

/// The end of any number that begins at `start`, and whether it has a fraction or an exponent.
/// `None` if it is no number, which [`fault`] explains: so the result fits a register.
#[cold]
#[inline(never)]
pub(super) fn scan(bytes: &[u8], start: u32) -> Option<(u32, bool)> {
    if bytes.get(start as usize) == Some(&b'-')
        && let Some(end) = short(bytes, start + 1)
    {
        return Some((end, false));
    }
    let (end, complex) = parse(bytes, start as usize).ok()?;
    Some((end as u32, complex))
}

/// The reason why [`scan`] found no number.
#[cold]
pub(super) fn fault(bytes: &[u8], start: u32) -> Fault {
    match parse(bytes, start as usize) {
        Err(fault) => fault,
        Ok((end, _)) => Fault::new(FaultKind::ExpectedValue, start as usize, end),
    }
}

#[inline(always)]
fn parse(bytes: &[u8], start: usize) -> Result<(usize, bool), Fault> {
    let byte_at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let sign = usize::from(byte_at(start) == b'-');
    let mut pos = digits(bytes, start, start + sign)?;
    if byte_at(start + sign) == b'0' && pos - start > 1 + sign {
        return Err(Fault::new(FaultKind::LeadingZero, start, pos));
    }
    let whole = pos;
    if byte_at(pos) == b'.' {
        pos = digits(bytes, start, pos + 1)?;
    }
    if matches!(byte_at(pos), b'e' | b'E') {
        let sign = usize::from(matches!(byte_at(pos + 1), b'+' | b'-'));
        pos = digits(bytes, start, pos + 1 + sign)?;
    }
    Ok((pos, pos > whole))
}

#[inline(always)]
fn digits(bytes: &[u8], start: usize, from: usize) -> Result<usize, Fault> {
    let mut pos = from;
    while bytes.get(pos).is_some_and(u8::is_ascii_digit) {
        pos += 1;
    }
    if pos == from {
        Err(missing_digits(bytes, start, from))
    } else {
        Ok(pos)
    }
}

#[cold]
fn missing_digits(bytes: &[u8], start: usize, at: usize) -> Fault {
    if bytes
        .get(at..)
        .is_some_and(|rest| rest.starts_with(b"Infinity"))
    {
        return Fault::new(FaultKind::NotFinite, start, at + b"Infinity".len());
    }
    if at >= bytes.len() {
        return Fault::new(FaultKind::UnexpectedEnd, bytes.len(), bytes.len());
    }
    Fault::new(FaultKind::MissingDigits, start, at + 1)
}

/// Whether the number has no fractional part. `1.0` and `1e2` have none.
pub(super) fn is_integer(text: &[u8], complex: bool) -> bool {
    !complex || as_f64(text).fract() == 0.0
}

/// The value as an integer, if it is one that fits.
pub(super) fn as_i64(text: &[u8], complex: bool) -> Option<i64> {
    if !complex {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        // Up to eighteen digits cannot overflow.
        if digits.len() > 18 {
            return core::str::from_utf8(text).ok()?.parse().ok();
        }
        let value = digits.iter().fold(0, |value, digit| {
            value * 10 + i64::from(digit.wrapping_sub(b'0'))
        });
        return Some(if digits.len() < text.len() {
            -value
        } else {
            value
        });
    }
    let value = as_f64(text);
    // Beyond 2^53 a fraction or exponent no longer names one integer.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be an integer below 2^53"
    )]
    (value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0).then_some(value as i64)
}

/// The nearest floating-point value; infinite beyond its range.
pub(super) fn as_f64(text: &[u8]) -> f64 {
    if let Some(value) = short_decimal(text) {
        return value;
    }
    core::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(f64::NAN)
}

/// The value of up to fifteen digits with a point among them: the digits and the power of ten are
/// both exact, so that one division rounds correctly.
fn short_decimal(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    if text.len() > 16 {
        return None;
    }
    let (mut digits, mut fraction) = (0u64, None);
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits = digits * 10 + u64::from(byte - b'0'),
            b'.' => fraction = Some(text.len() - index - 1),
            _ => return None,
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "at most fifteen digits")]
    Some(digits as f64 / POWERS.get(fraction.filter(|_| text.len() <= 16)?)?)
}
