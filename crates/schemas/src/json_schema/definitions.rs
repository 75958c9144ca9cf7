//! Definitions from a document in place of the built-in model.

use core::fmt::{self, Write as _};
use core::ops::ControlFlow;
use std::sync::OnceLock;

use jsonschema::{PatternOptions, Registry, Validator};
use mcp_assay_json::{Node, Tape};
use mcp_assay_model::{Direction, MessageKind, Method, Revision};
use serde_json::json;

use super::document::{Answer, Call, Document, Index, SchemaError};
use super::refusal::{RefusalKind, RefusalSink, refuse, refuse_all};
use crate::registry::{Meter, MeteredJson, MeteredNode};

/// The name under which the document refers to itself.
const BASE: &str = "mcp-assay:///schema.json";

/// Messages with more tokens get only their first refusal: a list of all refusals can be larger
/// than the message.
const MAX_LISTED_TOKENS: u32 = 200_000;

/// The definitions of a JSON Schema document in the manner of the official ones (draft-07 or
/// 2020-12).
///
/// A message is checked against the definition that names its method, a response against that of
/// its request's answer. Definitions are compiled when they are first needed, and once for all
/// threads. `format` is an annotation. Of one message at most a hundred refusals are reported, of a
/// very large one the first.
///
/// ```
/// use mcp_assay_schemas::json_schema::SchemaDefinitions;
///
/// let document = br##"{"$defs": {"PingRequest": {"properties": {"method": {"const": "ping"}}}}}"##;
/// let definitions = SchemaDefinitions::new(document)?;
/// assert!(definitions.methods().eq(["ping"]));
/// # Ok::<(), mcp_assay_schemas::json_schema::SchemaError>(())
/// ```
pub struct SchemaDefinitions {
    document: Document,
    registry: Registry<'static>,
    compiled: Vec<OnceLock<Compiled>>,
}

/// A message and its context, as far as a document describes them.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The message.
    pub root: Node<'a>,
    /// The kind of message.
    pub kind: MessageKind,
    /// The sender, if known.
    pub direction: Option<Direction>,
    /// The revision in force.
    pub revision: Revision,
    /// The method that it calls or answers, if the model has it in any revision.
    pub method: Option<&'static Method>,
    /// The member that names the method it calls.
    pub method_node: Option<Node<'a>>,
    /// The result.
    pub result: Option<Node<'a>>,
    /// The error.
    pub error: Option<Node<'a>>,
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

    /// Compiles every definition now, in place of when it is first needed.
    ///
    /// # Errors
    ///
    /// A definition cannot be compiled.
    pub fn compile(&self) -> Result<(), SchemaError> {
        for (index, compiled) in self.compiled.iter().enumerate() {
            if compiled.get().is_some_and(Option::is_some) {
                continue;
            }
            match self.compile_one(index) {
                Ok(validator) => {
                    // Another thread may have been faster.
                    let _ = compiled.set(Some(validator));
                }
                Err(reason) => {
                    let name = self.document.names[index]
                        .replace('~', "~0")
                        .replace('/', "~1");
                    let pointer = format!("/{}/{name}", self.document.key);
                    return Err(SchemaError::NotASchema { pointer, reason });
                }
            }
        }
        Ok(())
    }

    /// The names of the definitions, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.document.names.iter().map(String::as_str)
    }

    /// The name of the definition that has this name, or that of a message with this method.
    #[must_use]
    pub fn definition_of(&self, name_or_method: &str) -> Option<&str> {
        let document = &self.document;
        let call = || Some(document.calls.get(name_or_method)?.definition);
        let index = document.find(name_or_method).or_else(call)?;
        Some(&document.names[index])
    }

    /// The methods that a message may have, in no particular order.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        self.document.calls.keys().map(String::as_str)
    }

    /// Whether a value fits a definition; `None` if there is no such definition, or if it cannot be
    /// compiled.
    #[must_use]
    pub fn accepts(&self, name: &str, value: Node<'_>, _: &Tape) -> Option<bool> {
        let compiled = self.compiled(self.document.find(name)?)?;
        let meter = Meter::unlimited();
        Some(compiled.is_valid(MeteredNode::Token(value, &meter)))
    }

    /// Checks a value against the definition of a name; `None` if there is no such definition.
    pub fn check_named(
        &self,
        name: &str,
        value: Node<'_>,
        sink: &mut dyn RefusalSink,
    ) -> Option<ControlFlow<()>> {
        let index = self.document.find(name)?;
        Some(self.check_value(index, value, sink).map_continue(drop))
    }

    /// Checks a message against the definition that names its method, or that of its request's
    /// answer.
    pub fn check(&self, message: &Subject<'_>, sink: &mut dyn RefusalSink) -> ControlFlow<()> {
        match message.kind {
            MessageKind::Request | MessageKind::Notification => self.call(message, sink),
            MessageKind::Response => self.response(message, sink),
            MessageKind::Error => self.error(message, sink),
            MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => {
                ControlFlow::Continue(())
            }
        }
    }

    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    pub(super) fn compiled(&self, index: Index) -> Option<&Validator<MeteredJson>> {
        self.compiled[index]
            .get_or_init(|| self.compile_one(index).ok())
            .as_ref()
    }

    /// The number of definitions compiled so far.
    #[must_use]
    pub fn compiled_definitions(&self) -> usize {
        self.compiled
            .iter()
            .filter(|compiled| compiled.get().is_some())
            .count()
    }

    /// Compiles a definition; the error is the reason in words.
    fn compile_one(&self, index: Index) -> Result<Validator<MeteredJson>, String> {
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
            .map_err(|error| error.masked().to_string())
    }

    fn call(&self, message: &Subject<'_>, sink: &mut dyn RefusalSink) -> ControlFlow<()> {
        let (root, Some(method)) = (message.root, message.method_node) else {
            return ControlFlow::Continue(());
        };
        let Some(call) = method
            .text()
            .and_then(|name| self.document.calls.get(&*name))
        else {
            return refuse(method, RefusalKind::UnknownMethod, sink);
        };
        if message
            .direction
            .is_some_and(|direction| !may_send(call, direction))
        {
            refuse(method, RefusalKind::WrongDirection, sink)?;
        }
        let refused = self.check_value(call.definition, root, sink)?;
        match call.envelope {
            // The definition has mostly reported the faults of the envelope already.
            Some(envelope) if !refused => self.check_value(envelope, root, sink).map_continue(drop),
            _ => ControlFlow::Continue(()),
        }
    }

    fn response(&self, message: &Subject<'_>, sink: &mut dyn RefusalSink) -> ControlFlow<()> {
        let (root, Some(result)) = (message.root, message.result) else {
            return ControlFlow::Continue(());
        };
        let call = message
            .method
            .and_then(|method| self.document.calls.get(method.name));
        let refused = match call.map(|call| &call.answer[message.revision.index()]) {
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

    fn error(&self, message: &Subject<'_>, sink: &mut dyn RefusalSink) -> ControlFlow<()> {
        let code = message
            .error
            .and_then(|error| error.get("code"))
            .and_then(Node::as_i64);
        let known = code.and_then(|code| self.document.errors.get(&code).copied());
        match known.or(self.document.error) {
            Some(index) => self
                .check_value(index, message.root, sink)
                .map_continue(drop),
            None => ControlFlow::Continue(()),
        }
    }

    /// Checks whether any of several definitions fits; if none does, the first one explains.
    fn check_any(
        &self,
        indices: &[Index],
        value: Node<'_>,
        sink: &mut dyn RefusalSink,
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

    /// Checks whether a definition refuses the value; if so, reports why.
    fn check_value(
        &self,
        index: Index,
        value: Node<'_>,
        sink: &mut dyn RefusalSink,
    ) -> ControlFlow<(), bool> {
        let Some(validator) = self.compiled(index) else {
            refuse(value, RefusalKind::NotCompiled, sink)?;
            return ControlFlow::Continue(true);
        };
        let meter = Meter::unlimited();
        let instance = MeteredNode::Token(value, &meter);
        if validator.is_valid(instance) {
            return ControlFlow::Continue(false);
        }
        if value.end() - value.index() > MAX_LISTED_TOKENS {
            refuse_all(validator.validate(instance).err(), value, sink)?;
        } else {
            refuse_all(validator.iter_errors(instance), value, sink)?;
        }
        ControlFlow::Continue(true)
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
