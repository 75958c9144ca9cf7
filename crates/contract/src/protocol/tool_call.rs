//! Calls of tools, with the schema of the tool.

use mcp_assay::load_tool_schema;
use mcp_assay::registry::{Member, Mismatch, SchemaFault};
use mcp_assay::rules::{inline, tools};
use mcp_assay::syntax::wording::tame;
use mcp_assay::syntax::{Kind, Node, Tape};
use mcp_assay::wording::kind_name;

use super::input::{Id, Json};
use super::message::Parts;
use super::problem::{Problem, ValidationError};
use super::protocol::Protocol;
use super::reason::Reason;
use super::text::{write_in_one_line, write_object_member, write_string};

impl Protocol {
    /// See [`validate_tool_call`](super::validate_tool_call).
    pub fn validate_tool_call<'a, 's>(
        &mut self,
        name: &str,
        arguments: impl Into<Json<'a>>,
        input_schema: impl Into<Json<'s>>,
    ) -> Result<(), ValidationError> {
        let (arguments, schema) = (arguments.into(), input_schema.into());
        let arguments = self.part(&arguments)?;
        ValidationError::check(self.misnamed_or_no_object(name, arguments)?)?;
        let mut params = b"{".to_vec();
        write_object_member(&mut params, "name");
        write_string(&mut params, name);
        if let Some(arguments) = arguments {
            write_object_member(&mut params, "arguments");
            write_in_one_line(&mut params, arguments);
        }
        params.push(b'}');
        let mut problems = self.judge_parts(&Parts::Call {
            id: Some(&Id::from(1)),
            method: "tools/call",
            params: &Json::from(&params),
        })?;
        // The statements of a request about its sender are not checked here.
        problems.retain(|problem| problem.detail("fields") != Some("_meta"));
        ValidationError::check(problems)?;
        match schema.text()? {
            // Leaving out the arguments is the same as sending none.
            Some(schema) => self.fits(arguments.unwrap_or(b"{}"), schema),
            None => Ok(()),
        }
    }

    /// The faults of a name and of arguments that no schema is needed for.
    fn misnamed_or_no_object(
        &self,
        name: &str,
        arguments: Option<&[u8]>,
    ) -> Result<Vec<Problem>, ValidationError> {
        let mut problems = Vec::new();
        if name.is_empty() {
            let problem = Problem::new(Reason::InvalidToolName, "the name of the tool is empty");
            problems.push(problem.at("/params/name").with("field", "/params/name"));
        }
        if let Some(arguments) = arguments {
            let mut tape = Tape::new();
            let found = self.read(arguments, &mut tape)?.kind();
            if found != Kind::Object {
                let found = kind_name(found);
                let message = format!("arguments are an object, this is {found}");
                let problem = Problem::new(Reason::InvalidArguments, message)
                    .by(inline::WRONG_TYPE.name)
                    .at("/params/arguments")
                    .with("field", "/params/arguments")
                    .with("expected", "an object")
                    .with("found", found);
                problems.push(problem);
            }
        }
        Ok(problems)
    }

    fn fits(&self, arguments: &[u8], schema: &[u8]) -> Result<(), ValidationError> {
        let (mut schema_tape, mut tape) = (Tape::new(), Tape::new());
        let schema = self.read(schema, &mut schema_tape)?;
        let arguments = self.read(arguments, &mut tape)?;
        let loaded = load_tool_schema(self.registry(), self.revision_in_force(), schema);
        let compiled = loaded.map_err(|fault| not_a_schema(&fault))?;
        let mut problems = Vec::new();
        compiled.check(arguments, &mut |mismatch| {
            problems.push(misfit(mismatch, arguments));
        });
        ValidationError::check(problems)
    }
}

fn not_a_schema(fault: &SchemaFault) -> Problem {
    let text = tame(&fault.to_string());
    let mut problem = Problem::new(Reason::InvalidSchema, text.clone());
    problem.pointer.clone_from(&fault.pointer);
    if !fault.pointer.is_empty() {
        problem = problem.with("at", tame(&fault.pointer));
    }
    problem.with("problem", text)
}

fn misfit(mismatch: &Mismatch<'_>, arguments: Node<'_>) -> Problem {
    let message = format!(
        "does not fit `{}` of the tool's `inputSchema`",
        mismatch.keyword
    );
    let mut problem =
        Problem::new(Reason::InvalidArguments, message).by(tools::ARGUMENTS_MATCH_SCHEMA.name);
    problem.pointer = format!("/params/arguments{}", arguments.at(mismatch.at).pointer());
    let field = tame(&problem.pointer);
    let problem = problem
        .with("field", field)
        .with("keyword", mismatch.keyword);
    match mismatch.member {
        Some(Member::Missing(name)) => problem.with("missing", tame(name)),
        Some(Member::Extra(key)) => {
            let name = arguments.at(key).text().unwrap_or_default();
            problem.with("extra", tame(&name))
        }
        None => problem,
    }
}
