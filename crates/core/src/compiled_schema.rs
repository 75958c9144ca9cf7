//! Compiled JSON Schemas of tools, elicitations and profiles, and the reasons why a schema is not
//! enforced.
//!
//! Without the feature for JSON Schema nothing is compiled: every schema is [`Trouble::Unknown`],
//! and nothing is reported.

use crate::syntax::Node;

#[cfg(feature = "json-schema")]
pub use self::compiled::load_tool_schema;
pub(crate) use self::compiled::{
    DeferredSchema, HeaderType, ParamHeader, Schema, defer, load, param_headers, schema_of_profile,
};

/// The reason why a schema is not enforced, and its position.
#[derive(Clone, Copy)]
pub(crate) struct Fault<'a> {
    pub(crate) trouble: Trouble,
    pub(crate) at: Node<'a>,
}

/// The reason why a schema is not enforced. Texts describe the fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(feature = "json-schema"),
    expect(dead_code, reason = "only a schema that is compiled has them")
)]
pub(crate) enum Trouble {
    /// It is not a valid schema of its dialect.
    Invalid(&'static str),
    /// It refers to another document.
    External,
    /// It exceeds the limits on cost.
    TooMuch(&'static str),
    /// The reason is not known.
    Unknown,
}

/// Whether a schema accepts an object without members.
pub(crate) fn accepts_nothing(schema: &Schema) -> bool {
    schema.accepts_nothing()
}

#[cfg(feature = "json-schema")]
mod compiled {
    use std::sync::Arc;

    use super::{Fault, Trouble};
    use crate::registry::{
        Compiled, Deferred, Dialect, Member, ParamHeaders, SchemaFault, SchemaFaultKind,
        SchemaRegistry,
    };
    use crate::syntax::{Node, ScanLimits, Tape, scan};
    use crate::{Revision, RevisionSet};

    pub(crate) use crate::registry::ParamHeader;
    pub(crate) use crate::registry::ParamType as HeaderType;

    /// The revisions that state the dialect of a schema without `$schema`.
    const DIALECT_STATED: RevisionSet = RevisionSet::since(Revision::V2025_11_25);

    /// A compiled schema.
    #[derive(Clone, Debug)]
    pub(crate) struct Schema(Arc<Compiled>);

    impl Schema {
        /// Whether it accepts a value; `true` if that is not known.
        pub(crate) fn accepts(&self, value: Node<'_>) -> bool {
            self.0.accepts(value)
        }

        /// Whether it accepts an object without members; `true` if that is not known.
        pub(crate) fn accepts_nothing(&self) -> bool {
            self.0.accepts_nothing()
        }

        /// Reports each value that does not fit, with the keyword that refuses it and its place in
        /// the schema.
        pub(crate) fn check<'a>(
            &self,
            value: Node<'a>,
            mut each: impl FnMut(Node<'a>, &'static str, &str),
        ) {
            let mut reported = None;
            self.0.check(value, &mut |mismatch| {
                let at = match mismatch.member {
                    Some(Member::Extra(key)) => key,
                    _ => mismatch.at,
                };
                // Several members may be missing from one object: that is one place. A value of
                // another type fits no other keyword either.
                let is_same_place = |(place, keyword)| {
                    place == at && (keyword == mismatch.keyword || keyword == "type")
                };
                if !reported.is_some_and(is_same_place) {
                    reported = Some((at, mismatch.keyword));
                    each(value.at(at), mismatch.keyword, mismatch.schema);
                }
            });
        }

        /// Whether both were compiled from equal schemas.
        pub(crate) fn is(&self, other: &Self) -> bool {
            self.0.fingerprint() == other.0.fingerprint()
        }
    }

    /// A schema without fault, which may be compiled when it is first needed.
    #[derive(Clone, Debug)]
    pub(crate) enum DeferredSchema {
        Compiled(Schema),
        Deferred(Arc<Deferred>),
    }

    impl DeferredSchema {
        /// The compiled schema.
        pub(crate) fn get(&self, registry: &SchemaRegistry) -> Option<Schema> {
            match self {
                Self::Compiled(schema) => Some(schema.clone()),
                Self::Deferred(deferred) => deferred.compiled(registry).cloned().map(Schema),
            }
        }
    }

    /// A schema that surely has no fault: much cheaper than compiling it. Every revision reads such
    /// a schema alike.
    pub(crate) fn defer(registry: &SchemaRegistry, schema: Node<'_>) -> Option<DeferredSchema> {
        let deferred = registry.defer(schema, Dialect::Draft202012)?;
        Some(DeferredSchema::Deferred(deferred))
    }

    /// Compiles a schema as a revision reads it, unless an equal one was compiled before.
    pub(crate) fn load<'a>(
        registry: &SchemaRegistry,
        revision: Revision,
        schema: Node<'a>,
    ) -> Result<Schema, Fault<'a>> {
        load_tool_schema(registry, revision, schema)
            .map(Schema)
            .map_err(|fault| Fault {
                trouble: trouble(&fault.kind),
                at: fault.locate(schema),
            })
    }

    /// Compiles a schema of a tool for a registry, as a revision reads it, without a message around
    /// it.
    ///
    /// # Errors
    ///
    /// The fault of the schema.
    pub fn load_tool_schema(
        registry: &SchemaRegistry,
        revision: Revision,
        schema: Node<'_>,
    ) -> Result<Arc<Compiled>, Arc<SchemaFault>> {
        match registry.load(schema, Dialect::Draft202012) {
            // Before the dialect was stated, many servers wrote draft-07 without `$schema`.
            Err(fault) if is_invalid(&fault) && !DIALECT_STATED.contains(revision) => {
                registry.load(schema, Dialect::Draft7)
            }
            loaded => loaded,
        }
    }

    /// Compiles a schema that the user wrote; the error is a text for people.
    pub(crate) fn schema_of_profile(json: &str, limits: &ScanLimits) -> Result<Schema, String> {
        let mut tape = Tape::new();
        let scanned = scan(json.as_bytes(), limits, &mut tape);
        let root = scanned.ok().and_then(|()| tape.root(json.as_bytes()));
        let root = root.ok_or("it is not JSON")?;
        let loaded = SchemaRegistry::default().load(root, Dialect::Draft202012);
        let compiled = loaded.map_err(|fault| match fault.pointer.as_str() {
            "" => fault.to_string(),
            pointer => format!("{fault} (at {pointer})"),
        })?;
        // A profile must not contain a condition that is never checked.
        match compiled.unchecked() {
            [] => Ok(Schema(compiled)),
            [first, ..] => Err(format!(
                "a pattern has look-around, a back-reference or is too large (at {first})"
            )),
        }
    }

    /// The annotations of a schema that mirror arguments into headers.
    pub(crate) fn param_headers(schema: Node<'_>) -> impl Iterator<Item = ParamHeader<'_>> {
        ParamHeaders::of(schema)
    }

    fn is_invalid(fault: &SchemaFault) -> bool {
        matches!(fault.kind, SchemaFaultKind::NotASchema { .. })
    }

    fn trouble(kind: &SchemaFaultKind) -> Trouble {
        match kind {
            SchemaFaultKind::NotASchema { .. } => {
                Trouble::Invalid("not a schema of its dialect: the meta-schema does not allow this")
            }
            SchemaFaultKind::DanglingReference { .. } => {
                Trouble::Invalid("the reference leads nowhere: the schema does not have its target")
            }
            SchemaFaultKind::BadPattern => {
                Trouble::Invalid("the pattern is not a regular expression")
            }
            SchemaFaultKind::ExternalReference { .. } => Trouble::External,
            SchemaFaultKind::TooLarge => Trouble::TooMuch("the schema is too large to be enforced"),
            SchemaFaultKind::TooDeep => {
                Trouble::TooMuch("the schema is nested too deeply to be enforced")
            }
            SchemaFaultKind::TooManySubschemas => {
                Trouble::TooMuch("the schema has too many parts to be enforced")
            }
            SchemaFaultKind::TooComplex => {
                Trouble::TooMuch("composition multiplies beyond what can be enforced")
            }
            SchemaFaultKind::UnknownDialect => Trouble::Unknown,
        }
    }
}

#[cfg(not(feature = "json-schema"))]
mod compiled {
    use core::convert::Infallible;

    use super::{Fault, Trouble};
    use crate::Revision;
    use crate::registry::SchemaRegistry;
    use crate::syntax::{Node, ScanLimits};

    /// A stand-in for a compiled schema: there is never a value of it.
    #[derive(Clone, Debug)]
    pub(crate) struct Schema(Infallible);

    impl Schema {
        pub(crate) fn accepts(&self, _: Node<'_>) -> bool {
            match self.0 {}
        }

        pub(crate) fn accepts_nothing(&self) -> bool {
            match self.0 {}
        }

        pub(crate) fn check<'a>(&self, _: Node<'a>, _: impl FnMut(Node<'a>, &'static str, &str)) {
            match self.0 {}
        }

        pub(crate) fn is(&self, _: &Self) -> bool {
            match self.0 {}
        }
    }

    pub(crate) fn load<'a>(
        _: &SchemaRegistry,
        _: Revision,
        schema: Node<'a>,
    ) -> Result<Schema, Fault<'a>> {
        Err(Fault {
            trouble: Trouble::Unknown,
            at: schema,
        })
    }

    #[derive(Clone, Debug)]
    pub(crate) enum DeferredSchema {
        Compiled(Schema),
    }

    impl DeferredSchema {
        pub(crate) fn get(&self, _: &SchemaRegistry) -> Option<Schema> {
            let Self::Compiled(schema) = self;
            Some(schema.clone())
        }
    }

    pub(crate) fn defer(_: &SchemaRegistry, _: Node<'_>) -> Option<DeferredSchema> {
        None
    }

    pub(crate) fn schema_of_profile(_: &str, _: &ScanLimits) -> Result<Schema, String> {
        Err("this program was built without JSON Schema".to_owned())
    }

    /// A stand-in for an annotation: there is never a value of it.
    pub(crate) struct ParamHeader<'a> {
        pub(crate) name: Node<'a>,
        pub(crate) path: Vec<Node<'a>>,
        pub(crate) declared: HeaderType,
        pub(crate) is_static: bool,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[expect(dead_code, reason = "the same names as with JSON Schema")]
    pub(crate) enum HeaderType {
        String,
        Integer,
        Boolean,
        Other,
        Undeclared,
    }

    pub(crate) fn param_headers(_: Node<'_>) -> impl Iterator<Item = ParamHeader<'_>> {
        core::iter::empty()
    }
}
