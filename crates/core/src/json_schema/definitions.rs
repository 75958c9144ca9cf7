//! Definitions from a document in place of the built-in model.

use core::fmt::{self, Write as _};
use core::ops::ControlFlow;
use std::sync::OnceLock;

use jsonschema::{PatternOptions, Registry, Validator};
use serde_json::json;

use super::document::{Answer, Call, Document, Index, SchemaError};
use super::refusal;
use crate::Direction;
use crate::exchange::Exchange;
use crate::jsonrpc::{MessageKind, raise};
use crate::registry::{Meter, MeteredJson, MeteredNode};
use crate::rules::inline;
use crate::syntax::{Node, Tape};
use crate::validator::Definitions;
use crate::violation::{Detail, Sink};

/// The name under which the document refers to itself.
const BASE: &str = "mcp-assay:///schema.json";

/// Messages with more tokens get their first refusal only: a list of all of them can be larger than the message.
const MANY_TOKENS: u32 = 200_000;

/// The definitions of a JSON Schema document in the manner of the official ones (draft-07 or 2020-12).
///
/// A message is checked against the definition that names its method, a response against that of its request's answer.
/// Definitions are compiled when they are first needed, and once for all threads. `format` is an annotation. Of one message at
/// most a hundred refusals are reported, of a very large one the first.
///
/// ```
/// use std::sync::Arc;
/// use mcp_assay::json_schema::SchemaDefinitions;
/// use mcp_assay::{Session, Validator};
///
/// let document = br##"{"$defs": {"PingRequest": {
///     "properties": {"method": {"const": "ping"}, "params": {"required": ["note"]}},
///     "required": ["method", "params"]
/// }}}"##;
/// let mut validator = Validator::default();
/// validator.replace_definitions(Arc::new(SchemaDefinitions::new(document)?));
/// let mut session = Session::new();
/// let checked = validator.check(&mut session, br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}"#);
/// assert_eq!(checked.violations()[0].rule.name, "schema/override");
/// assert_eq!(checked.pointer(&checked.violations()[0]), "/params");
/// # Ok::<(), mcp_assay::json_schema::SchemaError>(())
/// ```
pub struct SchemaDefinitions {
    document: Document,
    registry: Registry<'static>,
    compiled: Vec<OnceLock<Compiled>>,
}

/// `None` if the definition cannot be compiled.
type Compiled = Option<Validator<MeteredJson>>;

impl SchemaDefinitions {
    /// Reads a document.
    ///
    /// # Errors
    ///
    /// It is not JSON, not JSON Schema, refers to other documents, or defines no methods.
    pub fn new(bytes: &[u8]) -> Result<Self, SchemaError> {
        let document = Document::read(bytes)?;
        let prepared = Registry::new()
            .draft(document.draft)
            .add(BASE, document.value.clone())
            .and_then(jsonschema::RegistryBuilder::prepare);
        let registry = prepared.map_err(|error| SchemaError::NotASchema {
            pointer: String::new(),
            reason: error.to_string(),
        })?;
        let compiled = document.names.iter().map(|_| OnceLock::new()).collect();
        Ok(Self {
            document,
            registry,
            compiled,
        })
    }

    /// The names of the definitions, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.document.names.iter().map(String::as_str)
    }

    /// The methods that a message may have, in no particular order.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        self.document.calls.keys().map(String::as_str)
    }

    /// Whether a value fits a definition; `None` if there is no such definition, or if it cannot be compiled.
    #[must_use]
    pub fn accepts(&self, name: &str, value: Node<'_>, _: &Tape) -> Option<bool> {
        let compiled = self.compiled(self.document.find(name)?)?;
        let meter = Meter::unlimited();
        Some(compiled.is_valid(MeteredNode::Token(value, &meter)))
    }

    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    pub(super) fn compiled(&self, index: Index) -> Option<&Validator<MeteredJson>> {
        self.compiled[index]
            .get_or_init(|| self.compile(index))
            .as_ref()
    }

    #[cfg(test)]
    pub(super) fn compiled_definitions(&self) -> usize {
        self.compiled
            .iter()
            .filter(|compiled| compiled.get().is_some())
            .count()
    }

    fn compile(&self, index: Index) -> Compiled {
        let Document {
            draft, key, names, ..
        } = &self.document;
        let reference = format!("{BASE}#/{key}/{}", escape(&names[index]));
        jsonschema::options_for::<MeteredJson>()
            .with_draft(*draft)
            .with_registry(&self.registry)
            .offline()
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(false)
            .build(&json!({ "$ref": reference }))
            .ok()
    }

    fn call(&self, exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let (root, Some(method)) = (exchange.envelope.root(), exchange.method_node()) else {
            return ControlFlow::Continue(());
        };
        let Some(call) = method
            .text()
            .and_then(|name| self.document.calls.get(&*name))
        else {
            return raise(
                &inline::UNKNOWN_METHOD,
                method,
                refusal::UNKNOWN_METHOD,
                sink,
            );
        };
        if exchange
            .direction
            .is_some_and(|direction| !may_send(call, direction))
        {
            raise_direction(exchange, method, sink)?;
        }
        let refused = self.check_value(call.definition, root, sink)?;
        match call.envelope {
            // What the envelope would say then, the definition has mostly said.
            Some(envelope) if !refused => self.check_value(envelope, root, sink).map_continue(drop),
            _ => ControlFlow::Continue(()),
        }
    }

    fn response(&self, exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let Some(result) = exchange.envelope.result() else {
            return ControlFlow::Continue(());
        };
        let root = exchange.envelope.root();
        let call = exchange
            .method
            .and_then(|method| self.document.calls.get(method.name));
        let refused = match call.map(|call| &call.answer[exchange.revision.index()]) {
            Some(Answer::Response(response)) => {
                return self.check_value(*response, root, sink).map_continue(drop);
            }
            Some(Answer::Results(results)) => self.check_any(results, result, sink)?,
            None => false,
        };
        match self.document.response {
            Some(envelope) if !refused => self.check_value(envelope, root, sink).map_continue(drop),
            _ => ControlFlow::Continue(()),
        }
    }

    fn error(&self, exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let code = exchange
            .envelope
            .error()
            .and_then(|error| error.get("code"))
            .and_then(Node::as_i64);
        let known = code.and_then(|code| self.document.errors.get(&code).copied());
        match known.or(self.document.error) {
            Some(index) => self
                .check_value(index, exchange.envelope.root(), sink)
                .map_continue(drop),
            None => ControlFlow::Continue(()),
        }
    }

    /// Whether any of several definitions fits; if none does, the first one explains.
    fn check_any(
        &self,
        indices: &[Index],
        value: Node<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<(), bool> {
        let meter = Meter::unlimited();
        let fits = |index: &Index| {
            self.compiled(*index)
                .is_some_and(|validator| validator.is_valid(MeteredNode::Token(value, &meter)))
        };
        match indices.first() {
            Some(first) if !indices.iter().any(fits) => self.check_value(*first, value, sink),
            _ => ControlFlow::Continue(false),
        }
    }

    /// Whether a definition refuses the value; if so, why.
    fn check_value(
        &self,
        index: Index,
        value: Node<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<(), bool> {
        let Some(validator) = self.compiled(index) else {
            raise(&inline::OVERRIDE, value, refusal::NOT_COMPILED, sink)?;
            return ControlFlow::Continue(true);
        };
        let meter = Meter::unlimited();
        let instance = MeteredNode::Token(value, &meter);
        if validator.is_valid(instance) {
            return ControlFlow::Continue(false);
        }
        if value.end() - value.index() > MANY_TOKENS {
            refusal::raise_all(validator.validate(instance).err(), value, sink)?;
        } else {
            refusal::raise_all(validator.iter_errors(instance), value, sink)?;
        }
        ControlFlow::Continue(true)
    }
}

impl Definitions for SchemaDefinitions {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, sink: &mut dyn Sink) -> ControlFlow<()> {
        match exchange.envelope.kind {
            MessageKind::Request | MessageKind::Notification => self.call(exchange, sink),
            MessageKind::Response => self.response(exchange, sink),
            MessageKind::Error => self.error(exchange, sink),
            MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => {
                ControlFlow::Continue(())
            }
        }
    }
}

impl fmt::Debug for SchemaDefinitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchemaDefinitions")
            .field("draft", &self.document.draft)
            .finish_non_exhaustive()
    }
}

fn may_send(call: &Call, direction: Direction) -> bool {
    match direction {
        Direction::ClientToServer => call.from_client,
        Direction::ServerToClient => call.from_server,
    }
}

/// The method is for the other party. If the model says so too, its rule has the better words.
fn raise_direction(exchange: &Exchange<'_>, at: Node<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let known = exchange
        .form()
        .zip(exchange.method)
        .filter(|(form, _)| match exchange.direction {
            Some(Direction::ClientToServer) => !form.from_client,
            Some(Direction::ServerToClient) => !form.from_server,
            None => false,
        });
    let rule = match exchange.envelope.kind {
        MessageKind::Notification => &inline::NOTIFICATION_DIRECTION,
        _ => &inline::METHOD_DIRECTION,
    };
    match known {
        Some((_, method)) => raise(rule, at, Detail::Direction { method }, sink),
        None => raise(rule, at, Detail::Plain, sink),
    }
}

/// A name as part of a JSON Pointer in a URI's fragment.
fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for byte in name.replace('~', "~0").replace('/', "~1").bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}
