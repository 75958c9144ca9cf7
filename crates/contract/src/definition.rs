//! Checks a text on its own against a definition of the model.

use mcp_assay::model::{Definition, Fact, ShapeId};
use mcp_assay::syntax::{Fault, ScanLimits, Tape, scan};
use mcp_assay::{Revision, Validator, Violation};

/// Checks a JSON text against the definition of this name, without a session around it.
///
/// The name is one that `mcp-assay schema list` prints, official (`CallToolRequest`,
/// `JSONRPCMessage`, `Tool`) or not, or a method as on the wire (`tools/call`). The revision is the
/// one that the program assumes where nothing names one: the last one with a handshake.
/// [`check_definition_in`] takes another.
///
/// `None` if the revision has no definition of this name.
///
/// # Errors
///
/// The text is not JSON.
///
/// ```
/// use mcp_assay_contract::check_definition;
///
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
/// for name in ["tools/call", "CallToolRequest", "ClientRequest"] {
///     let violations = check_definition(name, call)?.expect(name);
///     assert_eq!(violations[0].rule.name, "schema/missing-member");
/// }
/// assert!(check_definition("JSONRPCRequest", call)?.unwrap().is_empty());
/// # Ok::<(), mcp_assay::syntax::Fault>(())
/// ```
pub fn check_definition(name: &str, json: &[u8]) -> Result<Option<Vec<Violation>>, Fault> {
    let assumed = Revision::latest_with(Fact::Handshake).unwrap_or(Revision::latest());
    check_definition_in(name, assumed, json)
}

/// The same in a revision.
///
/// # Errors
///
/// The text is not JSON.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::check_definition_in;
///
/// let content = br#"{"type":"text"}"#;
/// let violations = check_definition_in("ContentBlock", Revision::V2025_06_18, content)?.unwrap();
/// assert_eq!(violations[0].rule.name, "schema/missing-member");
/// # Ok::<(), mcp_assay::syntax::Fault>(())
/// ```
pub fn check_definition_in(
    name: &str,
    revision: Revision,
    json: &[u8],
) -> Result<Option<Vec<Violation>>, Fault> {
    let Some(definition) = Definition::named(name, revision) else {
        return Ok(None);
    };
    scan(json, &ScanLimits::DEFAULT, &mut Tape::new())?;
    let mut validator = Validator::default();
    let checked = validator.check_as(&definition, revision, json);
    Ok(Some(checked.violations().to_vec()))
}

/// The struct, union, enum or alias of a name in a revision.
pub(crate) fn shape_named(name: &str, revision: Revision) -> Option<ShapeId> {
    match Definition::named(name, revision)? {
        Definition::Shape(shape) => Some(shape),
        _ => None,
    }
}
