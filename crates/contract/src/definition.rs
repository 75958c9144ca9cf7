//! Checks a value on its own against a definition of the model.

use mcp_assay::model::{ENUMS, SHAPES, STRUCTS, Shape, ShapeId, UNIONS};
use mcp_assay::syntax::{Fault, ScanLimits, Tape, scan};
use mcp_assay::{Revision, Violation, check_value};

/// Checks a JSON text against the struct, union or enum of this name, without a message around it.
///
/// `None` if the revision has no definition of this name.
///
/// # Errors
///
/// The text is not JSON.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::check_definition;
///
/// let content = br#"{"type":"text"}"#;
/// let violations = check_definition("ContentBlock", Revision::V2025_06_18, content)?.unwrap();
/// assert_eq!(violations[0].rule.name, "schema/missing-member");
/// # Ok::<(), mcp_assay::syntax::Fault>(())
/// ```
pub fn check_definition(
    name: &str,
    revision: Revision,
    json: &[u8],
) -> Result<Option<Vec<Violation>>, Fault> {
    let Some(shape) = shape_named(name, revision) else {
        return Ok(None);
    };
    let mut tape = Tape::new();
    scan(json, &ScanLimits::DEFAULT, &mut tape)?;
    let mut violations = Vec::new();
    let _never_breaks = check_value((&tape, json), 0, shape, revision, &mut violations);
    Ok(Some(violations))
}

/// The struct, union or enum of a name in a revision.
pub(crate) fn shape_named(name: &str, revision: Revision) -> Option<ShapeId> {
    let position = SHAPES.iter().position(|shape| {
        let (found, revisions) = match *shape {
            Shape::Struct(id) => {
                let item = &STRUCTS[usize::from(id)];
                (item.name, item.revisions)
            }
            Shape::Union(id) => {
                let item = &UNIONS[usize::from(id)];
                (item.name, item.revisions)
            }
            Shape::Enum(id) => {
                let item = &ENUMS[usize::from(id)];
                (item.name, item.revisions)
            }
            _ => return false,
        };
        found == name && revisions.contains(revision)
    })?;
    Some(ShapeId(u16::try_from(position).ok()?))
}
