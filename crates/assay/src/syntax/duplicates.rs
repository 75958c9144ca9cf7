//! Which of the suspected keys really repeat an earlier one.

use std::cmp::Ordering;

use super::node::Node;
use super::tape::Tape;

/// Up to this many suspects of one object are compared key by key; more are sorted, so that hostile input costs n log n.
const FEW: usize = 8;

/// Fills `tape.repeated` from `tape.suspects`.
pub(super) fn find(bytes: &[u8], tape: &mut Tape) {
    let Tape { tokens, len, suspects, keys, repeated, .. } = tape;
    let tokens = &tokens[..*len];
    let node = |index| Node::new(tokens, bytes, index);
    if suspects.len() > 1 {
        suspects.sort_unstable();
    }
    for group in suspects.chunk_by(|left, right| left.0 == right.0) {
        let object = node(group[0].0);
        if group.len() <= FEW {
            for &(_, suspect) in group {
                let suspect = node(suspect);
                let mut earlier = object.members().map(|(key, _)| key).take_while(|key| key.index() < suspect.index());
                if earlier.any(|key| order(key, suspect) == Ordering::Equal) {
                    repeated.push(suspect.index());
                }
            }
        } else {
            keys.clear();
            keys.extend(object.members().map(|(key, _)| key.index()));
            keys.sort_unstable_by(|&left, &right| order(node(left), node(right)).then(left.cmp(&right)));
            let pairs = keys.windows(2);
            repeated.extend(
                pairs.filter(|pair| order(node(pair[0]), node(pair[1])) == Ordering::Equal).map(|pair| pair[1]),
            );
        }
    }
    repeated.sort_unstable();
}

/// By length, then by bytes; escapes are resolved without a copy.
fn order(left: Node<'_>, right: Node<'_>) -> Ordering {
    match (left.plain(), right.plain()) {
        (Some(left), Some(right)) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
        _ => {
            let length = left.decoded().count().cmp(&right.decoded().count());
            length.then_with(|| left.decoded().cmp(right.decoded()))
        }
    }
}
