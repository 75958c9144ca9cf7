//! Mismatches in words, for documents that are shown on their own.

use mcp_assay::registry::{Compiled, Fit, Member, Mismatch};
use mcp_assay::syntax::Node;

use crate::misfit::Misfit;

/// All faults of a value, in words; none if it fits. A value that cannot be decided is a fault,
/// too.
#[must_use]
pub(crate) fn misfits(schema: &Compiled, value: Node<'_>) -> Vec<Misfit> {
    let mut misfits = Vec::new();
    let fit = schema.check(value, &mut |mismatch| misfits.push(misfit(value, mismatch)));
    if fit == Fit::Undecided {
        misfits.push(Misfit::at(
            value,
            "checking it costs more than the limit allows",
        ));
    }
    misfits
}

fn misfit(root: Node<'_>, mismatch: &Mismatch<'_>) -> Misfit {
    let at = root.at(mismatch.at);
    match mismatch.member {
        Some(Member::Missing(name)) => Misfit::at(
            at,
            format!("the member `{}` is missing", name.escape_debug()),
        ),
        Some(Member::Extra(key)) => Misfit::at(root.at(key), "no such member is allowed here"),
        None => Misfit::at(at, reason(mismatch.keyword)),
    }
}

fn reason(keyword: &str) -> String {
    let known = match keyword {
        "additionalProperties" | "unevaluatedProperties" | "false" => "nothing is allowed here",
        "additionalItems" | "unevaluatedItems" | "maxItems" => "has too many items",
        "const" => "is not the value that is expected",
        "enum" => "is none of the values that are allowed",
        "exclusiveMaximum" | "maximum" => "is too large",
        "exclusiveMinimum" | "minimum" => "is too small",
        "maxLength" => "is too long",
        "minItems" => "has too few items",
        "minLength" => "is too short",
        "maxProperties" => "has too many members",
        "minProperties" => "has too few members",
        "not" => "is a value that is not allowed",
        "pattern" => "does not match the pattern",
        "required" => "a member is missing",
        "type" => "is of a type that is not allowed",
        "uniqueItems" => "has equal items",
        _ => return format!("does not satisfy `{keyword}`"),
    };
    known.to_owned()
}

/// Whether a text of JSON fits.
#[cfg(test)]
pub(crate) fn fits(schema: &Compiled, text: &str) -> bool {
    let mut tape = mcp_assay::syntax::Tape::new();
    let root = crate::misfit::read_text(
        text.as_bytes(),
        &mcp_assay::syntax::ScanLimits::DEFAULT,
        &mut tape,
    );
    misfits(schema, root.expect("JSON")).is_empty()
}
