//! Compiles a schema on the tape to a validator, or reports its fault.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jsonschema::error::ValidationErrorKind;
use jsonschema::json::Node as _;
use mcp_assay_json::{Kind, Node};
use serde_json::Value;

use super::compiled::Compiled;
use super::dialect::Dialect;
use super::fault::{SchemaFault, SchemaFaultKind};
use super::fingerprint::Fingerprint;
use super::graph::Graph;
use super::keywords::{Holds, applicator};
use super::limits::SchemaLimits;
use super::meter::Prices;
use super::metered::MeteredJson;
use super::references::{self, Foreign};
use super::relax::Omissions;
use super::simple::Simple;
use super::{complexity, mismatch, patterns, resources};
use crate::tape::TapeNode;

/// Checks the limits that can be seen without reading the schema.
pub(super) fn measure(schema: Node<'_>, limits: &SchemaLimits) -> Result<(), SchemaFault> {
    if schema.raw().len() > limits.bytes {
        return Err(SchemaFault::new(SchemaFaultKind::TooLarge, ""));
    }
    // The ends of the containers around a token.
    let mut around: Vec<u32> = Vec::new();
    for index in schema.index()..schema.end() {
        let node = schema.at(index);
        while around.last().is_some_and(|&end| end <= index) {
            around.pop();
        }
        if matches!(node.kind(), Kind::Object | Kind::Array) {
            around.push(node.end());
            if around.len() > limits.depth {
                return Err(SchemaFault::new(SchemaFaultKind::TooDeep, ""));
            }
        }
    }
    Ok(())
}

/// The dialect of a schema.
pub(super) fn dialect(schema: Node<'_>, default: Dialect) -> Result<Dialect, SchemaFault> {
    let named = schema
        .get("$schema")
        .filter(|named| named.kind() == Kind::String)
        .and_then(Node::text);
    match named {
        // The meta-schema refuses values other than strings.
        None => Ok(default),
        Some(uri) => Dialect::named(&uri)
            .ok_or_else(|| SchemaFault::new(SchemaFaultKind::UnknownDialect, "/$schema")),
    }
}

/// Compiles a schema that is within the limits that can be seen from outside.
pub(super) fn compile(
    schema: Node<'_>,
    fingerprint: Fingerprint,
    dialect: Dialect,
    limits: &SchemaLimits,
) -> Result<Compiled, SchemaFault> {
    // The schema comes from a stranger, and so does the code that reads it here: a mistake in it
    // must not end the program.
    let compiled = catch_unwind(AssertUnwindSafe(|| {
        compile_checked(schema, fingerprint, dialect, limits)
    }));
    compiled.unwrap_or_else(|_| {
        let reason = "the schema cannot be compiled".to_owned();
        Err(SchemaFault::new(SchemaFaultKind::NotASchema { reason }, ""))
    })
}

fn compile_checked(
    schema: Node<'_>,
    fingerprint: Fingerprint,
    dialect: Dialect,
    limits: &SchemaLimits,
) -> Result<Compiled, SchemaFault> {
    let bytes = schema.raw().len();
    let plain = TapeNode::Token {
        node: schema,
        repeated: &[],
    };
    let mut value = plain.to_value().into_owned();
    check_meta_schema(&value, dialect)?;
    forget_dialects(&mut value);
    let (omissions, prices, patterns) = inspect(&value, dialect, limits)?;
    omissions.apply(&mut value);
    let validator = jsonschema::options_for::<MeteredJson>()
        .with_draft(dialect.draft())
        .offline()
        .with_pattern_options(patterns::options())
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .build(&value)
        .map_err(|error| {
            let pointer = error.instance_path().as_str();
            let kind = match error.kind() {
                ValidationErrorKind::Referencing(error) => SchemaFaultKind::DanglingReference {
                    reference: error.to_string(),
                },
                _ => SchemaFaultKind::NotASchema {
                    reason: error.masked().to_string(),
                },
            };
            SchemaFault::new(kind, pointer)
        })?;
    let compiled = Compiled::new(
        validator,
        fingerprint,
        dialect,
        omissions.pointers(),
        prices,
        limits,
        estimate(bytes, patterns),
    );
    Ok(compiled.with_simple(Simple::read(schema, dialect)))
}

/// The keywords to leave out, the cost of a check, and the number of patterns.
fn inspect(
    value: &Value,
    dialect: Dialect,
    limits: &SchemaLimits,
) -> Result<(Omissions, Prices, usize), SchemaFault> {
    let foreign = Foreign::default();
    let mut graph = Graph::read(value, dialect, limits)?;
    references::check_names(&graph, dialect)?;
    let registry = references::prepare(value, dialect, &foreign)?;
    let parts = references::follow(&mut graph, &registry, dialect, &foreign)?;
    resources::measure(&graph, &parts, limits)?;
    references::add_dynamic(&mut graph);
    let work = complexity::measure(&graph, limits)?;
    let patterns = patterns::inspect(&graph, limits)?;
    let omissions = Omissions::plan(&graph, &patterns.unchecked);
    let prices = Prices::new(work, patterns.weight);
    Ok((omissions, prices, patterns.count))
}

/// Estimates the bytes of a compiled schema: by measurement, a small multiple of its text, and the
/// size of its patterns.
fn estimate(bytes: usize, patterns: usize) -> usize {
    4096 + bytes.saturating_mul(24) + patterns.saturating_mul(64 << 10)
}

fn check_meta_schema(value: &Value, dialect: Dialect) -> Result<(), SchemaFault> {
    let Err(error) = dialect.validate(value) else {
        return Ok(());
    };
    let error = mismatch::deepest(&error);
    if mismatch::is_format(error) {
        return Ok(());
    }
    let reason = error.masked().to_string();
    let pointer = error.instance_path().as_str();
    Err(SchemaFault::new(
        SchemaFaultKind::NotASchema { reason },
        pointer,
    ))
}

/// Only the schema as a whole names its dialect; elsewhere `$schema` is not allowed, but generators
/// do write it.
fn forget_dialects(value: &mut Value) {
    let Value::Object(members) = value else {
        return;
    };
    members.remove("$schema");
    for (name, held) in members {
        match (applicator(name).map(|keyword| keyword.holds), held) {
            (Some(Holds::Named), Value::Object(named)) => {
                named.values_mut().for_each(forget_dialects);
            }
            (Some(Holds::Many | Holds::OneOrMany), Value::Array(items)) => {
                items.iter_mut().for_each(forget_dialects);
            }
            (Some(Holds::One | Holds::OneOrMany), schema) => forget_dialects(schema),
            _ => {}
        }
    }
}
