//! The official schema of one revision, asked about messages and definitions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

use jsonschema::Validator;
use jsonschema::error::{ValidationError, ValidationErrorKind};
use mcp_assay::Revision;
use mcp_assay::invent::Invented;
use mcp_assay::model::MethodForm;
use serde_json::{Map, Value, json};

/// The folder of the official files, if it was given.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MCP_ASSAY_OFFICIAL").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        // Written past the harness, which keeps the output of tests that pass to itself.
        let why = "skipped: MCP_ASSAY_OFFICIAL does not name the folder of the official schemas";
        let _ = writeln!(std::io::stderr(), "{why}");
    }
    folder.map(PathBuf::from)
}

/// Unions of messages; one with a single branch is written like that branch.
pub(crate) const GATHERING: &[&str] = &[
    "ClientRequest",
    "ClientNotification",
    "ServerRequest",
    "ServerNotification",
];

pub(crate) struct Official {
    revision: Revision,
    /// `definitions` or `$defs`.
    key: &'static str,
    document: Value,
    /// From a method to the definition of its message.
    calls: HashMap<String, String>,
    validators: RefCell<HashMap<Vec<Vec<String>>, Rc<Validator>>>,
}

impl Official {
    pub(crate) fn load(revision: Revision) -> Option<Self> {
        let path = folder()?.join(revision.name()).join("schema.json");
        let text =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document: Value = serde_json::from_slice(&text).expect("the official schema is JSON");
        let key = if document.get("$defs").is_some() {
            "$defs"
        } else {
            "definitions"
        };
        let mut official = Self {
            revision,
            key,
            document,
            calls: HashMap::new(),
            validators: RefCell::default(),
        };
        // Where messages have an envelope of their own, one without is embedded in a result.
        let enveloped = |definition: &Value| definition.pointer("/properties/jsonrpc").is_some();
        let any_enveloped = official.definitions().iter().any(|(name, definition)| {
            enveloped(definition)
                && definition.pointer("/properties/method/const").is_some()
                && !name.starts_with("JSONRPC")
        });
        let calls = official
            .definitions()
            .iter()
            .filter_map(|(name, definition)| {
                let method = definition.pointer("/properties/method/const")?.as_str()?;
                if GATHERING.contains(&name.as_str()) {
                    return None;
                }
                (enveloped(definition) || !any_enveloped).then(|| (method.to_owned(), name.clone()))
            });
        official.calls = calls.collect();
        Some(official)
    }

    pub(crate) fn definitions(&self) -> &Map<String, Value> {
        self.document[self.key]
            .as_object()
            .expect("the official schema has definitions")
    }

    pub(crate) fn definition(&self, name: &str) -> Option<&Value> {
        self.definitions().get(name)
    }

    /// Whether the schema knows the method that a message calls or answers.
    pub(crate) fn knows(&self, message: &Invented) -> bool {
        self.calls.contains_key(message.method.name)
    }

    /// Whether a message is an answer of a kind that only an extension defines.
    pub(crate) fn is_extension(message: &Value) -> bool {
        message.pointer("/result/resultType") == Some(&json!("task"))
    }

    /// The definitions that a message has to fit: all of them, of each one of the alternatives.
    /// `None` if there is none for it, which refuses it.
    pub(crate) fn judge(&self, message: &Value, origin: &Invented) -> Option<Vec<Vec<String>>> {
        let own = |name: &str| vec![name.to_owned()];
        if let Some(method) = message.get("method") {
            let definition = self.calls.get(method.as_str()?)?;
            let envelope = if definition.ends_with("Notification") {
                "JSONRPCNotification"
            } else {
                "JSONRPCRequest"
            };
            return Some(vec![own(envelope), own(definition)]);
        }
        let form = origin.method.forms[self.revision.index()]?;
        if message.get("result").is_some() {
            return Some(vec![
                own(self.first(&["JSONRPCResultResponse", "JSONRPCResponse"])),
                own(&self.answer(form)),
            ]);
        }
        let error = message.get("error")?;
        let mut wanted = vec![own(self.first(&["JSONRPCErrorResponse", "JSONRPCError"]))];
        wanted.extend(self.error_definition(error).map(own));
        Some(wanted)
    }

    /// Whether the official schema accepts a message.
    pub(crate) fn accepts(&self, message: &Value, origin: &Invented) -> bool {
        match message {
            Value::Object(_) => self
                .judge(message, origin)
                .is_some_and(|wanted| self.validator(&wanted).is_valid(message)),
            Value::Array(items) => {
                let Some(_) = self.definition("JSONRPCBatchRequest") else {
                    return false;
                };
                let batch = vec![
                    "JSONRPCBatchRequest".to_owned(),
                    "JSONRPCBatchResponse".to_owned(),
                ];
                self.validator(&[batch]).is_valid(message)
                    && items.iter().all(|item| self.accepts(item, origin))
            }
            _ => false,
        }
    }

    /// The verdict of the definition that the `resultType` of an answer
    /// names.
    pub(crate) fn accepts_by_type(&self, message: &Value, origin: &Invented) -> Option<bool> {
        let wanted = self.by_type(message, origin)?;
        Some(self.validator(&wanted).is_valid(message))
    }

    fn by_type(&self, message: &Value, origin: &Invented) -> Option<Vec<Vec<String>>> {
        if message.get("method").is_some() {
            return None;
        }
        let whole = self.answer(origin.method.forms[self.revision.index()]?);
        self.definition(&whole)?
            .pointer("/properties/result/anyOf")?;
        let result = match message.pointer("/result/resultType")?.as_str()? {
            "complete" => whole.strip_suffix("Response")?,
            "input_required" => "InputRequiredResult",
            _ => return None,
        };
        Some(vec![
            vec!["JSONRPCResultResponse".to_owned()],
            vec![format!("answer/{result}")],
        ])
    }

    /// The place where and why the official schema refuses a message: for each fault the deepest
    /// places it may mean.
    pub(crate) fn faults(&self, message: &Value, origin: &Invented) -> Vec<Vec<String>> {
        let wanted = self
            .by_type(message, origin)
            .or_else(|| self.judge(message, origin));
        let Some(wanted) = wanted else {
            return vec![vec![String::new()]];
        };
        let validator = self.validator(&wanted);
        let faults = validator.iter_errors(message).map(|error| {
            let mut places = vec![];
            deepest(&error, &mut places);
            places
        });
        faults.collect()
    }

    /// A validator of all of these, each of which is one of several definitions. Compiled once.
    fn validator(&self, wanted: &[Vec<String>]) -> Rc<Validator> {
        let mut validators = self.validators.borrow_mut();
        if let Some(known) = validators.get(wanted) {
            return Rc::clone(known);
        }
        let reference =
            |name: &String| json!({"$ref": format!("#/{}/{}", self.key, name.replace('/', "~1"))});
        let all: Vec<_> = wanted
            .iter()
            .map(|any| json!({"anyOf": any.iter().map(reference).collect::<Vec<_>>()}))
            .collect();
        let mut document = self.document.clone();
        document["allOf"] = Value::Array(all);
        // The definitions of answers are places in the document that have no name.
        for name in wanted.iter().flatten() {
            if let Some(inline) = self.inline(name) {
                document[self.key][name] = inline;
            }
        }
        let built = jsonschema::options()
            .should_validate_formats(false)
            .build(&document);
        let built = Rc::new(built.expect("the official schema compiles"));
        validators.insert(wanted.to_vec(), Rc::clone(&built));
        built
    }

    /// The name of the definition of a whole answer; one made here if the schema has only that of
    /// the result.
    fn answer(&self, form: &MethodForm) -> String {
        let stem = form
            .definition
            .strip_suffix("Request")
            .unwrap_or(form.definition);
        let whole = format!("{stem}ResultResponse");
        if self.definition(&whole).is_some() {
            whole
        } else {
            format!("answer/{stem}Result")
        }
    }

    fn inline(&self, name: &str) -> Option<Value> {
        let result = name.strip_prefix("answer/")?;
        let known = if self.definition(result).is_some() {
            result
        } else {
            "EmptyResult"
        };
        let mut fitting = vec![known];
        // Where the params may ask for a task, the text says that a task is the answer; the schema
        // does not tie the two.
        if self.definition("CreateTaskResult").is_some()
            && ["CallToolResult", "CreateMessageResult", "ElicitResult"].contains(&result)
        {
            fitting.push("CreateTaskResult");
        }
        let fitting: Vec<_> = fitting
            .iter()
            .map(|name| json!({"$ref": format!("#/{}/{name}", self.key)}))
            .collect();
        Some(json!({"properties": {"result": {"anyOf": fitting}}}))
    }

    /// The definition of a whole error response by its code.
    fn error_definition(&self, error: &Value) -> Option<&str> {
        let code = error.get("code")?.as_f64()?;
        let found = self.definitions().iter().find(|(_, definition)| {
            let constraints = definition
                .pointer("/properties/error/allOf")
                .and_then(Value::as_array);
            let mut codes = constraints
                .into_iter()
                .flatten()
                .filter_map(|part| part.pointer("/properties/code/const")?.as_f64());
            codes.any(|known| (known - code).abs() < 0.5)
        });
        found.map(|(name, _)| name.as_str())
    }

    fn first<'n>(&self, names: &[&'n str]) -> &'n str {
        names
            .iter()
            .find(|name| self.definition(name).is_some())
            .expect("the schema defines responses")
    }
}

/// The places of an error; where no branch of a union fits, those of the branches.
fn deepest(error: &ValidationError<'_>, places: &mut Vec<String>) {
    match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context
                .iter()
                .flatten()
                .for_each(|error| deepest(error, places));
        }
        _ => places.push(error.instance_path().as_str().to_owned()),
    }
}
