//! The functions of `envelope` and `tool_io`.

use std::fmt::Write as _;

use mcp_assay::syntax::{Kind, Node, write_text};
use mcp_assay_contract::canonical::{CanonicalError, DetailedError};
use mcp_assay_contract::envelope::{self, ResultEnvelope, SCHEMA_VERSION};
use mcp_assay_contract::tool_io::{self, ToolId, ToolIo};
use serde_json::json;

use super::question::{BadQuestion, Question};
use super::{Command, Outcome, Server, answer};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "envelope.check",
        members: &["document", "text"],
        run: |server, question| {
            let document = question.message("document")?;
            let found = envelope::check(&document, &server.registry);
            Ok(answer::misfits(&found))
        },
    },
    Command {
        name: "envelope.read",
        members: &["document", "text"],
        run: |_, question| Ok(read(&question.message("document")?)),
    },
    Command {
        name: "envelope.success",
        members: &["data", "meta"],
        run: |_, question| {
            let data = question.json("data").unwrap_or(b"null");
            write_envelope(question, data, None)
        },
    },
    Command {
        name: "envelope.failure",
        members: &["error", "meta"],
        run: |_, question| {
            let error = question.need("error")?;
            write_envelope(question, b"null", Some(error))
        },
    },
    Command {
        name: "envelope.request_id",
        members: &["session", "sequence"],
        run: |_, question| {
            let (session, sequence) = place(question)?;
            Ok(json!(envelope::request_id(&session, sequence).as_str()).to_string())
        },
    },
    Command {
        name: "envelope.span_id",
        members: &["session", "sequence"],
        run: |_, question| {
            let (session, sequence) = place(question)?;
            Ok(json!(envelope::span_id(&session, sequence).to_string()).to_string())
        },
    },
    Command {
        name: "envelope.trace_id",
        members: &["session"],
        run: |_, question| {
            let session = question.text("session")?;
            Ok(json!(envelope::trace_id(&session).to_string()).to_string())
        },
    },
    Command {
        name: "envelope.schema",
        members: &[],
        run: |_, _| Ok(schema(envelope::SCHEMA)),
    },
    Command {
        name: "tool_io.tool_id",
        members: &["name"],
        run: |_, question| {
            let id = ToolId::new(question.text("name")?);
            Ok(json!(id.map(|id| id.to_string())).to_string())
        },
    },
    Command {
        name: "tool_io.tool_name",
        members: &["tool"],
        run: |_, question| {
            let id = question.text("tool")?.parse::<ToolId>().ok();
            Ok(json!(id.as_ref().map(ToolId::name)).to_string())
        },
    },
    Command {
        name: "tool_io.check_input",
        members: &["document", "text", "tool", "input_schema"],
        run: |server, question| {
            let document = question.message("document")?;
            let tool = tool(server, question)?;
            Ok(answer::misfits(&tool.check_input(&document)))
        },
    },
    Command {
        name: "tool_io.check_output",
        members: &["document", "text", "tool", "input_schema", "output_schema"],
        run: |server, question| {
            let document = question.message("document")?;
            let tool = tool(server, question)?;
            Ok(answer::misfits(&tool.check_output(&document)))
        },
    },
    Command {
        name: "tool_io.check",
        members: &["document", "text", "tool"],
        run: |server, question| {
            let document = question.message("document")?;
            let found = match question.get("tool") {
                Some(_) => tool_io::check_of(&tool_id(question)?, &document, &server.registry),
                None => tool_io::check(&document, &server.registry),
            };
            Ok(answer::misfits(&found))
        },
    },
    Command {
        name: "tool_io.schema",
        members: &["tool"],
        run: |_, question| match question.get("tool") {
            Some(_) => Ok(schema(&tool_io::schema_of(&tool_id(question)?))),
            None => Ok(schema(tool_io::SCHEMA)),
        },
    },
];

/// A schema on one line.
fn schema(text: &str) -> String {
    // Within its strings there are no line ends.
    text.lines().map(str::trim).collect()
}

/// An envelope as this program writes it, or the first fault.
fn read(document: &[u8]) -> String {
    match ResultEnvelope::read(document) {
        Ok(envelope) => {
            let envelope = envelope.to_json();
            format!(r#"{{"valid":true,"problems":[],"envelope":{envelope}}}"#)
        }
        Err(misfit) => answer::misfits(&[misfit]),
    }
}

/// The members of `meta` that a caller may leave out, with their values.
const DEFAULTS: [(&str, &str); 11] = [
    ("traceId", "null"),
    ("spanId", "null"),
    ("schemaVersion", ""),
    ("deterministic", "false"),
    ("transport", "\"stdio\""),
    ("route", "null"),
    ("method", "null"),
    ("durationMs", "0"),
    ("attempt", "1"),
    ("inputBytes", "0"),
    ("outputBytes", "0"),
];

/// An envelope of its parts.
fn write_envelope(question: &Question<'_>, data: &[u8], error: Option<&[u8]>) -> Outcome {
    let meta = question.get("meta");
    let meta = meta.filter(|meta| meta.kind() == Kind::Object);
    let meta = meta.ok_or_else(|| BadQuestion("`meta` is no object".to_owned()))?;
    let json = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut text = format!(
        r#"{{"ok":{},"data":{},"error":{},"meta":{{"#,
        error.is_none(),
        json(data),
        error.map_or_else(|| "null".to_owned(), json)
    );
    write_meta(meta, question.get("error"), &mut text);
    text.push_str("}}");
    Ok(read(text.as_bytes()))
}

fn write_meta(meta: Node<'_>, error: Option<Node<'_>>, text: &mut String) {
    let given: Vec<(Node<'_>, Node<'_>)> = meta.members().collect();
    let mut comma = "";
    for (key, value) in &given {
        let raw = [key.raw(), value.raw()].map(String::from_utf8_lossy);
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{}:{}", raw[0], raw[1]);
        comma = ",";
    }
    let is_given = |name: &str| given.iter().any(|(key, _)| key.is_text(name));
    for (name, value) in DEFAULTS.iter().filter(|(name, _)| !is_given(name)) {
        let _ = write!(text, "{comma}\"{name}\":{value}");
        if value.is_empty() {
            write_text(SCHEMA_VERSION, text);
        }
        comma = ",";
    }
    if !is_given("status") {
        let code = error.and_then(|error| error.get("code"));
        let status = match error {
            None => 200,
            // The contract refuses a name that is none.
            Some(_) => code
                .and_then(|code| super::canonical::named(&code.text()?))
                .map_or(500, CanonicalError::to_http_status),
        };
        let _ = write!(text, "{comma}\"status\":{status}");
    }
}

/// The session and the number in it.
fn place(question: &Question<'_>) -> Result<(String, u64), BadQuestion> {
    let sequence = u64::try_from(question.integer("sequence")?);
    let sequence = sequence.map_err(|_| BadQuestion("`sequence` is negative".to_owned()))?;
    Ok((question.text("session")?.into_owned(), sequence))
}

/// The schemas of a tool. A schema that is not given accepts everything.
fn tool(server: &Server, question: &Question<'_>) -> Result<ToolIo, BadQuestion> {
    let failed = |error| BadQuestion(DetailedError::from(error).message);
    let tool = tool_id(question)?;
    let input = question.json("input_schema").unwrap_or(b"true");
    let input = server.registry.load_text(input, "`input_schema`");
    let output = question.json("output_schema");
    let output = output.map(|schema| server.registry.load_text(schema, "`output_schema`"));
    let output = output.transpose().map_err(failed)?;
    ToolIo::new(&server.registry, tool, input.map_err(failed)?, output).map_err(failed)
}

/// The tool that a question is about.
fn tool_id(question: &Question<'_>) -> Result<ToolId, BadQuestion> {
    let id = question.text("tool")?.parse::<ToolId>();
    id.map_err(|_| BadQuestion("`tool` is not `mcp.tool:<name>`".to_owned()))
}
