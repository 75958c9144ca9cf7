//! One row of a table as Rust.

use anyhow::Result;

use super::lookup_search::search;
use crate::tables::{
    AliasRow, EnumRow, ErrorRow, FormRow, Set, Shape, ShapeId, StructRow, UnionRow,
};
use crate::wire::ast::{ArmTag, Format, MethodKind};

/// The facts about all revisions that rows need.
pub(super) struct Names {
    /// The number of revisions.
    pub(super) revisions: usize,
}

impl Names {
    pub(super) fn set(&self, set: Set) -> String {
        format!("s(0b{:0width$b})", set.0, width = self.revisions)
    }

    /// An array of one value for each revision.
    pub(super) fn by_revision(&self, cells: &[String]) -> String {
        match cells.first() {
            Some(first) if cells.iter().all(|cell| cell == first) => {
                format!("[{first}; {}]", self.revisions)
            }
            _ => format!("[{}]", cells.join(", ")),
        }
    }
}

pub(super) fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Any => "Shape::Any".to_owned(),
        Shape::Null => "Shape::Null".to_owned(),
        Shape::Bool => "Shape::Bool".to_owned(),
        Shape::Object => "Shape::Object".to_owned(),
        Shape::String(format) => {
            let format = match format {
                Format::Plain => "Plain",
                Format::Uri => "Uri",
                Format::UriTemplate => "UriTemplate",
                Format::Byte => "Byte",
            };
            format!("Shape::String(Format::{format})")
        }
        Shape::Literal(text) => format!("Shape::Literal({text:?})"),
        Shape::Int(min, max) => {
            let end = |value: i64| match value {
                i64::MIN => "i64::MIN".to_owned(),
                i64::MAX => "i64::MAX".to_owned(),
                _ => grouped(value),
            };
            format!("Shape::Int {{ min: {}, max: {} }}", end(*min), end(*max))
        }
        Shape::Number(min, max) => {
            let end = |value: f64| match value {
                f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
                f64::INFINITY => "f64::INFINITY".to_owned(),
                _ => format!("{value:?}"),
            };
            format!("Shape::Number {{ min: {}, max: {} }}", end(*min), end(*max))
        }
        Shape::Array(item, u32::MAX) => {
            format!("Shape::Array {{ item: I({item}), max: u32::MAX }}")
        }
        Shape::Array(item, max) => format!(
            "Shape::Array {{ item: I({item}), max: {} }}",
            grouped(i64::from(*max))
        ),
        Shape::Map(value) => format!("Shape::Map(I({value}))"),
        Shape::Struct(index) => format!("Shape::Struct({index})"),
        Shape::Enum(index) => format!("Shape::Enum({index})"),
        Shape::Union(index) => format!("Shape::Union({index})"),
    }
}

/// A struct: a line for itself and one for each member.
pub(super) fn structure(row: &StructRow, names: &Names) -> String {
    let required: Vec<String> = row.required.iter().map(|&bits| bits_u64(bits)).collect();
    let fields: Vec<String> = row
        .fields
        .iter()
        .map(|field| {
            let cells: Vec<String> = field.shape.iter().map(|&shape| shape_id(shape)).collect();
            format!(
                "f({:?}, {:?}, {})",
                field.name,
                field.doc,
                names.by_revision(&cells)
            )
        })
        .collect();
    format!(
        "Struct {{ name: {:?}, doc: {:?}, revisions: {}, required: {}, fields: {} }}",
        row.name,
        row.doc,
        names.set(row.set),
        names.by_revision(&required),
        nested(&fields)
    )
}

pub(super) fn enumeration(row: &EnumRow, names: &Names) -> String {
    let values: Vec<String> = row
        .values
        .iter()
        .map(|(value, set)| format!("({value:?}, {})", names.set(*set)))
        .collect();
    format!(
        "Enum {{ name: {:?}, doc: {:?}, revisions: {}, values: &[{}] }}",
        row.name,
        row.doc,
        names.set(row.set),
        values.join(", ")
    )
}

pub(super) fn union(row: &UnionRow, names: &Names) -> String {
    let arms: Vec<String> = row
        .arms
        .iter()
        .map(|arm| {
            let tag = match &arm.tag {
                ArmTag::Untagged => "Untagged".to_owned(),
                ArmTag::Value(value) => format!("Value({value:?})"),
                ArmTag::Absent => "Absent".to_owned(),
                ArmTag::Else => "Else".to_owned(),
            };
            format!(
                "Arm {{ tag: ArmTag::{tag}, shape: I({}), revisions: {} }}",
                arm.shape,
                names.set(arm.set)
            )
        })
        .collect();
    format!(
        "Union {{ name: {:?}, doc: {:?}, revisions: {}, tag: {:?}, arms: {} }}",
        row.name,
        row.doc,
        names.set(row.set),
        row.tag,
        nested(&arms)
    )
}

pub(super) fn alias(row: &AliasRow, names: &Names) -> String {
    let cells: Vec<String> = row.shape.iter().map(|&shape| shape_id(shape)).collect();
    format!(
        "Alias {{ name: {:?}, doc: {:?}, shape: {} }}",
        row.name,
        row.doc,
        names.by_revision(&cells)
    )
}

pub(super) fn form(row: &FormRow) -> String {
    let kind = match row.kind {
        MethodKind::Request => "Request",
        MethodKind::Notification => "Notification",
        MethodKind::Input => "Input",
    };
    let needs: Vec<String> = row
        .needs
        .iter()
        .map(|need| {
            let party = if need[0] == "client" {
                "Client"
            } else {
                "Server"
            };
            let path: Vec<String> = need[1..].iter().map(|part| format!("{part:?}")).collect();
            format!(
                "Need {{ party: Party::{party}, path: &[{}] }}",
                path.join(", ")
            )
        })
        .collect();
    format!(
        "MethodForm {{ kind: MethodKind::{kind}, definition: {:?}, from_client: {}, from_server: {}, params: {}, params_required: {}, result: {}, needs: &[{}] }}",
        row.definition,
        row.from_client,
        row.from_server,
        shape_id(row.params),
        row.params_required,
        shape_id(row.result),
        needs.join(", ")
    )
}

pub(super) fn error(row: &ErrorRow, names: &Names) -> String {
    format!(
        "ErrorCode {{ code: {}, name: {:?}, doc: {:?}, revisions: {}, data: {} }}",
        grouped(i64::from(row.code)),
        row.name,
        row.doc,
        names.set(row.set),
        shape_id(row.data)
    )
}

pub(super) fn lookup(keys: &[&str]) -> Result<String> {
    let found = search(keys)?;
    let slots: Vec<String> = found.slots.iter().map(ToString::to_string).collect();
    Ok(format!(
        "Lookup {{ multiplier: {}, shift: {}, slots: &[{}] }}",
        hexadecimal(found.multiplier),
        found.shift,
        slots.join(", ")
    ))
}

/// A table inside a row, a line for each of its rows.
fn nested(rows: &[String]) -> String {
    let lines: Vec<String> = rows.iter().map(|row| format!("        {row},\n")).collect();
    format!("&[\n{}    ]", lines.concat())
}

/// `error-without-id` as `ErrorWithoutId`.
pub(super) fn variant(fact: &str) -> String {
    fact.split('-')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_ascii_uppercase())
                .into_iter()
                .chain(letters)
                .collect::<String>()
        })
        .collect()
}

fn shape_id(shape: ShapeId) -> String {
    shape.map_or_else(|| "N".to_owned(), |index| format!("I({index})"))
}

fn bits_u64(bits: u64) -> String {
    if bits < 10 {
        bits.to_string()
    } else {
        hexadecimal(bits)
    }
}

/// A number with underscores, as clippy requires for long ones.
fn hexadecimal(number: u64) -> String {
    let digits = format!("{number:x}");
    format!("0x{}", in_groups(&digits, 4))
}

fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    format!(
        "{}{}",
        if number < 0 { "-" } else { "" },
        in_groups(&digits, 3)
    )
}

fn in_groups(digits: &str, size: usize) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(size) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(hexadecimal(0x1_2345_6789), "0x1_2345_6789");
        assert_eq!(grouped(-32_602), "-32_602");
        assert_eq!(grouped(100), "100");
        assert_eq!(bits_u64(5), "5");
        assert_eq!(bits_u64(31), "0x1f");
    }

    #[test]
    fn facts_become_variants() {
        assert_eq!(variant("error-without-id"), "ErrorWithoutId");
    }

    #[test]
    fn equal_cells_are_written_once() {
        let names = Names { revisions: 3 };
        assert_eq!(
            names.by_revision(&["N".into(), "N".into(), "N".into()]),
            "[N; 3]"
        );
        assert_eq!(
            names.by_revision(&["N".into(), "I(1)".into(), "N".into()]),
            "[N, I(1), N]"
        );
        assert_eq!(names.set(Set(0b011)), "s(0b011)");
    }
}
