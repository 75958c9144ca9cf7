//! Texts and rules of profiles that live as long as the program.
//!
//! A violation is small and `Copy` because its rule is `'static`. Texts and rules of profiles are
//! therefore interned for the life of the program, once for each different text and within the
//! limits below: loading a profile a thousand times costs as much memory as loading it once.

use std::sync::{Mutex, PoisonError};

use super::fault::ProfileFault;
use crate::catalogue::Rule;

/// Bytes of text that all profiles of a program may keep.
const MAX_BYTES: usize = 1 << 20;

/// Rules that all profiles of a program may keep.
const MAX_RULES: usize = 4096;

struct Interned {
    texts: Vec<&'static str>,
    bytes: usize,
    rules: Vec<&'static Rule>,
}

static INTERNED: Mutex<Interned> = Mutex::new(Interned {
    texts: Vec::new(),
    bytes: 0,
    rules: Vec::new(),
});

/// Interns a text.
pub(super) fn text(text: &str) -> Result<&'static str, ProfileFault> {
    let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = interned.texts.iter().find(|known| **known == text) {
        return Ok(known);
    }
    if interned.bytes + text.len() > MAX_BYTES {
        return Err(full());
    }
    let text: &'static str = Box::leak(Box::from(text));
    interned.bytes += text.len();
    interned.texts.push(text);
    Ok(text)
}

/// Interns a rule. Its texts are interned before it, so equal texts are the same.
pub(super) fn rule(rule: Rule) -> Result<&'static Rule, ProfileFault> {
    let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |known: &&&'static Rule| {
        let texts = |rule: &Rule| (rule.name, rule.page, rule.help, rule.spec);
        texts(known) == texts(&rule) && (known.layer, known.level) == (rule.layer, rule.level)
    };
    if let Some(known) = interned.rules.iter().find(same) {
        return Ok(known);
    }
    if interned.rules.len() >= MAX_RULES {
        return Err(full());
    }
    let rule: &'static Rule = Box::leak(Box::new(rule));
    interned.rules.push(rule);
    Ok(rule)
}

fn full() -> ProfileFault {
    ProfileFault::new("the profiles of this program have too many rules of their own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_kept_once() {
        let (one, other) = (text("kept/once").unwrap(), text("kept/once").unwrap());
        assert!(std::ptr::eq(one, other));
        assert!(text(&"x".repeat(MAX_BYTES + 1)).is_err());
    }
}
