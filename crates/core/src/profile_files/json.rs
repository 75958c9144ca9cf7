//! JSON Schemas in a profile: TOML tables, or JSON in a string.

use core::fmt::Write as _;

use toml::de::DeValue;

use crate::catalogue::Limits;
use crate::syntax::wording::fault_message;
use crate::syntax::{Tape, scan, write_text};
use crate::toml_keys::{self as keys, Fault, Value};

/// The JSON text of a schema.
pub(super) fn schema(value: Value<'_>, what: &str) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::Table(_) | DeValue::Boolean(_) => {
            let mut text = String::new();
            write_json(value, what, &mut text)?;
            Ok(text)
        }
        DeValue::String(text) => {
            let scanned = scan(
                text.as_bytes(),
                &Limits::DEFAULT.for_scan(),
                &mut Tape::new(),
            );
            match scanned {
                Ok(()) => Ok(text.to_string()),
                Err(fault) => {
                    let reason = fault_message(text.as_bytes(), &fault);
                    let at = fault.start;
                    let text = format!("{what} is not JSON: {reason} (at byte {at})");
                    Err(keys::fault(value, text))
                }
            }
        }
        _ => Err(keys::expected(
            value,
            what,
            "a table, or a string that holds JSON",
        )),
    }
}

/// The depth is bounded by the parser of TOML.
fn write_json(value: Value<'_>, what: &str, out: &mut String) -> Result<(), Fault> {
    let unfit = || keys::fault(value, format!("{what} has a value that JSON does not have"));
    match value.get_ref() {
        DeValue::String(text) => write_text(text, out),
        DeValue::Integer(_) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", keys::integer(value, what)?);
        }
        DeValue::Float(float) => {
            let number = float.as_str().parse::<f64>().ok();
            let number = number.filter(|number| number.is_finite());
            let _ = write!(out, "{}", number.ok_or_else(unfit)?);
        }
        DeValue::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        DeValue::Datetime(_) => return Err(unfit()),
        DeValue::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(item, what, out)?;
            }
            out.push(']');
        }
        DeValue::Table(members) => {
            out.push('{');
            for (index, (name, value)) in keys::members(members).into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(name.text, out);
                out.push(':');
                write_json(value, what, out)?;
            }
            out.push('}');
        }
    }
    Ok(())
}
