//! Finds the suspected keys that really repeat an earlier one.

use std::cmp::Ordering;

use super::node::Node;
use super::tape::Tape;
use super::token::Token;

/// Up to this many suspects of one object are compared key by key; more are sorted, so that hostile
/// input costs n log n.
const MAX_PAIRWISE: usize = 8;

/// Fills `tape.repeated` from `tape.suspects`. Kept out of line: most messages have none.
#[inline(never)]
pub(super) fn find(bytes: &[u8], tape: &mut Tape) {
    let Tape {
        tokens,
        len,
        suspects,
        keys,
        repeated,
        ..
    } = tape;
    for (object, _) in &*suspects {
        if let Some(object) = tokens.get_mut(*object as usize) {
            object.complex = true;
        }
    }
    let tokens = &tokens[..*len];
    if suspects.len() <= MAX_PAIRWISE {
        for &(object, suspect) in &*suspects {
            if has_earlier(tokens, bytes, object, suspect) {
                repeated.push(suspect);
            }
        }
        return;
    }
    let node = |index| Node::new(tokens, bytes, index);
    suspects.sort_unstable();
    for group in suspects.chunk_by(|left, right| left.0 == right.0) {
        let object = group[0].0;
        if group.len() <= MAX_PAIRWISE {
            let is_repeated = |&suspect: &u32| has_earlier(tokens, bytes, object, suspect);
            repeated.extend(
                group
                    .iter()
                    .map(|&(_, suspect)| suspect)
                    .filter(is_repeated),
            );
        } else {
            keys.clear();
            keys.extend(node(object).members().map(|(key, _)| key.index()));
            keys.sort_unstable_by(|&left, &right| {
                order(node(left), node(right)).then(left.cmp(&right))
            });
            let pairs = keys.windows(2);
            repeated.extend(
                pairs
                    .filter(|pair| order(node(pair[0]), node(pair[1])) == Ordering::Equal)
                    .map(|pair| pair[1]),
            );
        }
    }
    repeated.sort_unstable();
}

/// Whether a key of the object before this one is equal to it.
fn has_earlier(tokens: &[Token], bytes: &[u8], object: u32, suspect: u32) -> bool {
    let Some(last) = tokens.get(suspect as usize) else {
        return false;
    };
    let text = bytes
        .get(last.start as usize + 1..last.end as usize - 1)
        .unwrap_or_default();
    let mut at = object + 1;
    while at < suspect {
        let Some([key, value]) = tokens.get(at as usize..).and_then(<[Token]>::first_chunk) else {
            break;
        };
        // Most keys with equal hashes differ in length; two plain ones of the same length are
        // compared byte by byte.
        let equal = if key.complex || last.complex {
            order(
                Node::new(tokens, bytes, at),
                Node::new(tokens, bytes, suspect),
            ) == Ordering::Equal
        } else {
            key.text_len() == last.text_len()
                && bytes.get(key.start as usize + 1..key.end as usize - 1) == Some(text)
        };
        if equal {
            return true;
        }
        at = value.past(at + 1);
    }
    false
}

/// By length, then by bytes; escapes are resolved without a copy.
fn order(left: Node<'_>, right: Node<'_>) -> Ordering {
    if let (Some(left), Some(right)) = (left.plain(), right.plain()) {
        return left.len().cmp(&right.len()).then_with(|| left.cmp(right));
    }
    let length = left.decoded().count().cmp(&right.decoded().count());
    length.then_with(|| left.decoded().cmp(right.decoded()))
}
