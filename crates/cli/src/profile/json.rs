//! JSON Schemas in a profile: TOML tables, or JSON in a string.

use serde_json::{Map, Number, Value as Json};
use toml::de::DeValue;

use crate::toml_keys::{self as keys, Fault, Value};

/// The JSON text of a schema.
pub(super) fn schema(value: Value<'_>, what: &str) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::Table(_) | DeValue::Boolean(_) => Ok(json(value, what)?.to_string()),
        DeValue::String(text) => match serde_json::from_str::<Json>(text) {
            Ok(_) => Ok(text.to_string()),
            Err(error) => Err(keys::fault(value, format!("{what} is not JSON: {error}"))),
        },
        _ => Err(keys::expected(
            value,
            what,
            "a table, or a string that holds JSON",
        )),
    }
}

fn json(value: Value<'_>, what: &str) -> Result<Json, Fault> {
    let unfit = || keys::fault(value, format!("{what} has a value that JSON does not have"));
    Ok(match value.get_ref() {
        DeValue::String(text) => Json::String(text.to_string()),
        DeValue::Integer(_) => Json::from(keys::integer(value, what)?),
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().and_then(Number::from_f64);
            Json::Number(number.ok_or_else(unfit)?)
        }
        DeValue::Boolean(truth) => Json::Bool(*truth),
        DeValue::Datetime(_) => return Err(unfit()),
        DeValue::Array(items) => items
            .iter()
            .map(|item| json(item, what))
            .collect::<Result<_, _>>()?,
        DeValue::Table(members) => {
            let mut object = Map::new();
            for (name, value) in keys::members(members) {
                object.insert(name.text.to_owned(), json(value, what)?);
            }
            Json::Object(object)
        }
    })
}
