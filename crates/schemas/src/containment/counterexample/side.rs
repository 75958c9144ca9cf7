//! One of the two documents, and validators of its parts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Registry, Validator};
use serde_json::{Map, Value, json};

/// The name under which a document is known to validators of its parts.
const BASE: &str = "mcp-assay:///compared.json";
/// Steps of one match for patterns that need backtracking.
const MAX_STEPS: usize = 10_000;
/// Validators of parts that are compiled.
const MAX_COMPILED: usize = 400;

/// A document, its parts and their validators.
pub(super) struct Side<'v> {
    pub(super) root: &'v Value,
    asserts_formats: bool,
    registry: Registry<'static>,
    whole: Validator,
    parts: RefCell<HashMap<String, Option<Rc<Validator>>>>,
    patterns: RefCell<HashMap<String, Option<Rc<Validator>>>>,
}

impl<'v> Side<'v> {
    /// `None` if it cannot be compiled.
    pub(super) fn new(root: &'v Value, asserts_formats: bool) -> Option<Self> {
        let whole = build(root, None, asserts_formats)?;
        let registry = Registry::new()
            .draft(Draft::default().detect(root))
            .add(BASE, root.clone())
            .and_then(jsonschema::RegistryBuilder::prepare)
            .ok()?;
        Some(Self {
            root,
            asserts_formats,
            registry,
            whole,
            parts: RefCell::default(),
            patterns: RefCell::default(),
        })
    }

    /// Whether the document accepts a value.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        self.whole.is_valid(value)
    }

    /// Whether the document refuses a value for a reason other than a match that took too long.
    pub(super) fn refuses(&self, value: &Value) -> bool {
        let mut errors = self.whole.iter_errors(value).peekable();
        errors.peek().is_some()
            && errors.all(|it| {
                !matches!(
                    it.kind(),
                    ValidationErrorKind::BacktrackLimitExceeded { .. }
                )
            })
    }

    /// Whether the part at a pointer accepts a value; `None` if it cannot be compiled.
    pub(super) fn part_accepts(&self, pointer: &str, value: &Value) -> Option<bool> {
        if pointer.is_empty() {
            return Some(self.accepts(value));
        }
        let mut parts = self.parts.borrow_mut();
        if !parts.contains_key(pointer) {
            let compiled = (parts.len() < MAX_COMPILED)
                .then(|| {
                    let reference = json!({ "$ref": format!("{BASE}#{}", escape(pointer)) });
                    build(&reference, Some(&self.registry), self.asserts_formats)
                })
                .flatten();
            parts.insert(pointer.to_owned(), compiled.map(Rc::new));
        }
        let validator = parts.get(pointer)?.as_ref()?;
        Some(validator.is_valid(value))
    }

    /// Whether a pattern of the document matches a name.
    pub(super) fn matches(&self, pattern: &str, name: &str) -> bool {
        let mut patterns = self.patterns.borrow_mut();
        if !patterns.contains_key(pattern) {
            let compiled = (patterns.len() < MAX_COMPILED)
                .then(|| build(&json!({ "pattern": pattern }), None, false))
                .flatten();
            patterns.insert(pattern.to_owned(), compiled.map(Rc::new));
        }
        let compiled = patterns.get(pattern).and_then(Option::as_ref);
        compiled.is_some_and(|it| it.is_valid(&Value::from(name)))
    }

    /// The place that a reference names, if it is in the document.
    pub(super) fn target(&self, reference: &str) -> Option<String> {
        let fragment = reference.strip_prefix('#')?;
        if fragment.is_empty() || fragment.starts_with('/') {
            let pointer = fragment.replace("%25", "%").replace("%22", "\"");
            self.root.pointer(&pointer)?;
            return Some(pointer);
        }
        anchor(self.root, fragment, String::new())
    }
}

/// The place of an anchor. Depth is bounded by that of the parser.
fn anchor(value: &Value, name: &str, at: String) -> Option<String> {
    match value {
        Value::Object(members) => {
            let is_it = |key: &str| members.get(key).and_then(Value::as_str) == Some(name);
            if is_it("$anchor") || is_it("$dynamicAnchor") {
                return Some(at);
            }
            let mut below = members.iter();
            below.find_map(|(key, value)| anchor(value, name, step(&at, key)))
        }
        Value::Array(items) => {
            let mut below = items.iter().enumerate();
            below.find_map(|(index, value)| anchor(value, name, format!("{at}/{index}")))
        }
        _ => None,
    }
}

/// A pointer, one step longer.
pub(super) fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A pointer as the fragment of a URI.
fn escape(pointer: &str) -> String {
    let mut escaped = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// A validator whose matches take linear time, or a bounded number of steps.
fn build(
    schema: &Value,
    registry: Option<&Registry<'static>>,
    asserts_formats: bool,
) -> Option<Validator> {
    let options = || {
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(asserts_formats);
        match registry {
            Some(registry) => options.with_registry(registry),
            None => options,
        }
    };
    let linear = options().with_pattern_options(PatternOptions::regex());
    let steps = PatternOptions::fancy_regex().backtrack_limit(MAX_STEPS);
    let bounded = || options().with_pattern_options(steps).build(schema);
    linear.build(schema).or_else(|_| bounded()).ok()
}

/// The schema at a pointer, if it has keywords.
pub(super) fn keywords<'v>(root: &'v Value, pointer: &str) -> Option<&'v Map<String, Value>> {
    root.pointer(pointer)?.as_object()
}
