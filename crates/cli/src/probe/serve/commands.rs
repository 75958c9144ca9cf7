//! The commands.

use mcp_assay_harness::{Error, ExpectError as _, Handshake, Harness, RpcError, Tool};
use serde_json::{Value, json};

use super::answer;
use super::arguments::{Arguments, Complaint};
use crate::suggest;

/// The reason why a command has no result.
enum Failure {
    Bad(Complaint),
    Failed(Error),
}

type Outcome = Result<Value, Failure>;
type Command = fn(&mut Harness, Arguments) -> Outcome;

const COMMANDS: [(&str, Command); 23] = [
    ("initialize", initialize),
    ("list_tools", list_tools),
    ("call_tool", call_tool),
    ("list_resources", list_resources),
    ("list_resource_templates", list_resource_templates),
    ("read_resource", read_resource),
    ("list_prompts", list_prompts),
    ("get_prompt", get_prompt),
    ("ping", ping),
    ("request", request),
    ("notify", notify),
    ("listen", listen),
    ("on_request", on_request),
    ("expect_tool", expect_tool),
    ("expect_schema_valid", expect_schema_valid),
    ("expect_no_violations", expect_no_violations),
    ("expect_error", expect_error),
    ("notifications", notifications),
    ("violations", violations),
    ("timings", timings),
    ("traffic", traffic),
    ("stderr", stderr),
    ("close", close),
];

/// Runs the command in a line, and returns the answer.
pub(super) fn run(harness: &mut Harness, line: &[u8]) -> Value {
    let mut members = match serde_json::from_slice(line) {
        Ok(Value::Object(members)) => members,
        Ok(_) => return answer::bad(&Value::Null, "a command is an object"),
        Err(error) => return answer::bad(&Value::Null, &format!("not JSON: {error}")),
    };
    let id = members.remove("id").unwrap_or_default();
    let name = match members.remove("command") {
        Some(Value::String(name)) => name,
        Some(_) => return answer::bad(&id, "`command` is a string"),
        None => return answer::bad(&id, "`command` is missing"),
    };
    let Some((_, command)) = COMMANDS.iter().find(|(known, _)| *known == name) else {
        let names = COMMANDS.iter().map(|(known, _)| *known);
        let unknown = suggest::unknown("command", &name, names);
        return answer::bad(&id, &unknown.to_string());
    };
    match command(harness, Arguments::new(members)) {
        Ok(result) => answer::good(&id, result),
        Err(Failure::Bad(complaint)) => answer::bad(&id, &format!("{name}: {complaint}")),
        Err(Failure::Failed(error)) => answer::failed(&id, &error),
    }
}

fn initialize(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let Handshake {
        protocol_version,
        capabilities,
        server_info,
        instructions,
        ..
    } = harness.initialize()?;
    Ok(json!({
        "protocolVersion": protocol_version,
        "capabilities": capabilities,
        "serverInfo": {"name": server_info.name, "title": server_info.title, "version": server_info.version},
        "instructions": instructions,
    }))
}

fn list_tools(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let tools = harness.list_tools()?;
    Ok(tools.into_iter().map(|tool| tool.raw).collect())
}

fn call_tool(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let (name, given) = (arguments.text("name")?, arguments.value("arguments"));
    arguments.end()?;
    Ok(harness.call_tool(&name, given)?.raw)
}

fn list_resources(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let resources = harness.list_resources()?;
    Ok(resources.into_iter().map(|resource| resource.raw).collect())
}

fn list_resource_templates(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let templates = harness.list_resource_templates()?;
    Ok(templates.into_iter().map(|template| template.raw).collect())
}

fn read_resource(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let uri = arguments.text("uri")?;
    arguments.end()?;
    let contents = harness.read_resource(&uri)?;
    Ok(contents.into_iter().map(|part| part.raw).collect())
}

fn list_prompts(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let prompts = harness.list_prompts()?;
    Ok(prompts.into_iter().map(|prompt| prompt.raw).collect())
}

fn get_prompt(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let (name, given) = (arguments.text("name")?, arguments.value("arguments"));
    arguments.end()?;
    Ok(harness.get_prompt(&name, given)?.raw)
}

fn ping(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    harness.ping()?;
    Ok(Value::Null)
}

fn request(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let (method, params) = (arguments.text("method")?, arguments.value("params"));
    arguments.end()?;
    Ok(harness.request(&method, params)?)
}

fn notify(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let (method, params) = (arguments.text("method")?, arguments.value("params"));
    arguments.end()?;
    harness.notify(&method, params)?;
    Ok(Value::Null)
}

fn listen(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let seconds = arguments.seconds("seconds")?;
    arguments.end()?;
    harness.listen(seconds)?;
    Ok(Value::Null)
}

fn on_request(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let method = arguments.text("method")?;
    let answer = match (arguments.optional("result"), arguments.optional("error")) {
        (Some(result), None) => Ok(result),
        (None, Some(error)) => Err(rpc_error(&error)?),
        _ => {
            let complaint = "either `result` or `error` is needed".to_owned();
            return Err(Failure::Bad(complaint));
        }
    };
    arguments.end()?;
    harness.on_request(&method, move |_| answer.clone());
    Ok(Value::Null)
}

fn rpc_error(error: &Value) -> Result<RpcError, Complaint> {
    let code = error["code"].as_i64();
    match (code, error["message"].as_str()) {
        (Some(code), Some(message)) => {
            let mut given = RpcError::new(code, message);
            given.data = error["data"].clone();
            Ok(given)
        }
        _ => Err("`error` has a `code` and a `message`".to_owned()),
    }
}

fn expect_tool(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let name = arguments.text("name")?;
    let (has, required) = (arguments.names("arguments")?, arguments.names("required")?);
    let read_only = arguments.flag("read_only")?;
    let output_schema = arguments.flag("output_schema")?;
    arguments.end()?;
    let tool: Tool = harness.expect_tool(&name)?;
    for argument in &has {
        tool.expect_argument(argument)?;
    }
    for argument in &required {
        tool.expect_required(argument)?;
    }
    if read_only {
        tool.expect_read_only()?;
    }
    if output_schema {
        tool.expect_output_schema()?;
    }
    Ok(tool.raw)
}

fn expect_schema_valid(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    harness.expect_schema_valid()?;
    Ok(Value::Null)
}

fn expect_no_violations(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    harness.expect_no_violations()?;
    Ok(Value::Null)
}

fn expect_error(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let code = arguments.integer("code")?;
    let (method, params) = (arguments.text("method")?, arguments.value("params"));
    arguments.end()?;
    let error = harness.request(&method, params).expect_error(code)?;
    Ok(json!({"code": error.code, "message": error.message, "data": error.data}))
}

fn notifications(harness: &mut Harness, mut arguments: Arguments) -> Outcome {
    let method = arguments.text("method")?;
    arguments.end()?;
    Ok(harness.notifications(&method).into())
}

fn violations(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    Ok(harness.violations().iter().map(answer::violation).collect())
}

fn timings(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    Ok(harness.timings().iter().map(answer::timing).collect())
}

fn traffic(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let records = harness.records().iter();
    // A line of a capture is an object.
    let objects = records.map(|record| serde_json::from_str::<Value>(&record.to_capture()));
    Ok(objects.map(Result::unwrap_or_default).collect())
}

fn stderr(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    Ok(harness.stderr().into())
}

fn close(harness: &mut Harness, arguments: Arguments) -> Outcome {
    arguments.end()?;
    let farewell = harness.close()?;
    let code = farewell.status.and_then(|status| status.code());
    Ok(json!({"endedByItself": farewell.ended_by_itself, "exitCode": code}))
}

impl From<Complaint> for Failure {
    fn from(complaint: Complaint) -> Self {
        Self::Bad(complaint)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
