//! The result of one exchange, in a shape that never changes: `ok`, `data`, `error`, `meta`, and
//! nothing else.
//!
//! ```
//! use mcp_assay_contract::canonical::CanonicalError;
//! use mcp_assay_contract::envelope::{JsonText, Meta, NonEmpty, ResultEnvelope, Transport};
//!
//! let meta = Meta::new(NonEmpty::new("7").unwrap(), Transport::Stdio);
//! let answer = ResultEnvelope::success(JsonText::parse(br#"{"tools": []}"#)?, meta.clone());
//! assert!(answer.to_json().starts_with(r#"{"ok":true,"data":{"tools":[]},"error":null,"meta":{"requestId":"7","#));
//!
//! let refusal = ResultEnvelope::failure(CanonicalError::NotFound.with_message("no such tool"), meta);
//! assert_eq!(refusal.status(), 404);
//! assert_eq!(ResultEnvelope::read(refusal.to_json().as_bytes()), Ok(refusal));
//! # Ok::<(), mcp_assay_contract::Misfit>(())
//! ```
//!
//! A [`ResultEnvelope`] is made of types without invalid values, so its schema ([`SCHEMA`]) refuses
//! none. Envelopes of other programs are checked against the schema with [`check`], or read with
//! [`ResultEnvelope::read`]; both agree.
//!
//! | member of `meta` | is | may be null |
//! |---|---|---|
//! | `requestId` | a string that is not empty, the same for all attempts; need not be the id of JSON-RPC | |
//! | `traceId` | 32 hexadecimal digits in lower case, not all zero (W3C Trace Context) | if nothing is traced |
//! | `spanId` | 16 of them | if nothing is traced |
//! | `schemaVersion` | the version of this contract, a string that is not empty | |
//! | `deterministic` | whether ids were derived from the input instead of drawn | |
//! | `transport` | `stdio` or `http` | |
//! | `route` | where the request went: the path of the URL, or the name of a server | if there is only one way |
//! | `method` | the method that was called | if it could not be read |
//! | `durationMs` | milliseconds from request to answer, with fractions, from 0 | |
//! | `status` | the HTTP status, or the one that it would be: 200 to 299 if `ok`, 400 to 599 if not | |
//! | `attempt` | counts the attempts of the exchange, from 1 | |
//! | `inputBytes`, `outputBytes` | bytes of request and answer, from 0 | |
//! | `toolId` | `mcp.tool:<name>`; left out if no tool was called | never |
//! | `promptId` | the name of the prompt; left out if none was asked for | never |
//!
//! Nothing here reads a clock or draws random numbers: times and ids are given.

#[cfg(feature = "json-schema")]
mod check;
mod ids;
mod meta;
mod non_empty;
mod read;
mod result;
#[cfg(test)]
mod tests;
mod value;

#[cfg(feature = "json-schema")]
pub use self::check::{check, load_schema};
pub use self::ids::{SpanId, TraceId};
#[cfg(feature = "json-schema")]
pub use self::ids::{request_id, span_id, trace_id};
pub use self::meta::{Meta, SCHEMA_VERSION, Transport};
pub use self::non_empty::NonEmpty;
pub use self::result::{ErrorObject, ResultEnvelope, StatusOutOfRange};
pub use self::value::{Details, JsonText};

/// The schema of the envelope: JSON Schema 2020-12, without additional members at any level.
pub const SCHEMA: &str = include_str!("schema.json");
