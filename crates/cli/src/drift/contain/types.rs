//! The types of JSON as a set.

use serde_json::{Map, Value};

/// A set of types. Numbers are those with a fraction and those without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Types(u8);

const NAMES: [(&str, u8); 7] = [
    ("null", 1),
    ("boolean", 2),
    ("integer", 4),
    ("number", 4 | 8),
    ("string", 16),
    ("array", 32),
    ("object", 64),
];

impl Types {
    pub(super) const ALL: Self = Self(127);
    pub(super) const NUMBER: Self = Self(4 | 8);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    /// Those of which there are few values.
    pub(super) const FINITE: Self = Self(1 | 2);

    /// What a schema says in `type`; all if it says nothing, `None` if it cannot be understood.
    pub(super) fn of_schema(schema: &Map<String, Value>) -> Option<Self> {
        match schema.get("type") {
            None => Some(Self::ALL),
            Some(Value::String(name)) => Self::named(name),
            Some(Value::Array(names)) => {
                let mut set = Self(0);
                for name in names {
                    set.0 |= Self::named(name.as_str()?)?.0;
                }
                Some(set)
            }
            Some(_) => None,
        }
    }

    /// The type of a value.
    pub(super) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self(1),
            Value::Bool(_) => Self(2),
            Value::Number(number) => match number.as_f64() {
                Some(value) if value.fract() != 0.0 => Self(8),
                _ => Self::INTEGER,
            },
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its types, one by one.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        // Numbers stay together: whether one has a fraction is a matter of bounds too.
        [1, 2, 4 | 8, 16, 32, 64]
            .into_iter()
            .map(move |bits| Self(self.0 & bits))
            .filter(|types| !types.is_empty())
    }

    /// For people.
    pub(super) fn names(self) -> String {
        let mut left = self.0;
        let mut names = Vec::new();
        // `number` before `integer`, which is a part of it.
        for (name, bits) in NAMES.into_iter().rev() {
            if left & bits == bits {
                left &= !bits;
                names.push(name);
            }
        }
        if left & 8 != 0 {
            names.push("number with a fraction");
        }
        names.reverse();
        names.join(", ")
    }

    fn named(name: &str) -> Option<Self> {
        let found = NAMES.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, bits)| Self(bits))
    }
}
