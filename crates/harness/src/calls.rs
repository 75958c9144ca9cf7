//! Calls with typed answers.

use std::collections::BTreeSet;

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use crate::{
    Error, Harness, Prompt, PromptResult, Resource, ResourceTemplate, Tool, ToolResult, values,
};

/// Pages of a list that are asked for.
const MOST_PAGES: usize = 1000;

impl Harness {
    /// All tools, page by page.
    pub fn list_tools(&mut self) -> Result<Vec<Tool>, Error> {
        let tools = self.list("tools/list", "tools")?;
        self.note_listing();
        Ok(tools.iter().map(Tool::read).collect())
    }

    /// Calls a tool; null for no arguments. If the tool asks for more before it answers, the
    /// handlers give it.
    ///
    /// The tools are listed before the first call and after each change, so that arguments and
    /// results are checked against the schemas of the tool. A tool that fails says so in
    /// [`ToolResult::is_error`].
    pub fn call_tool(&mut self, name: &str, arguments: Value) -> Result<ToolResult, Error> {
        self.know_tools()?;
        let mut params = json!({"name": name});
        if !arguments.is_null() {
            params["arguments"] = arguments;
        }
        let result = self.ask_in_rounds("tools/call", &params)?;
        values::list(&result, "content", "tools/call")?;
        Ok(ToolResult::read(result))
    }

    /// All resources, page by page.
    pub fn list_resources(&mut self) -> Result<Vec<Resource>, Error> {
        let resources = self.list("resources/list", "resources")?;
        Ok(resources.iter().map(Resource::read).collect())
    }

    /// All templates of resources, page by page.
    pub fn list_resource_templates(&mut self) -> Result<Vec<ResourceTemplate>, Error> {
        let templates = self.list("resources/templates/list", "resourceTemplates")?;
        Ok(templates.iter().map(ResourceTemplate::read).collect())
    }

    /// Reads a resource, which may have several contents.
    pub fn read_resource(&mut self, uri: &str) -> Result<Vec<crate::Contents>, Error> {
        const METHOD: &str = "resources/read";
        let result = self.ask_in_rounds(METHOD, &json!({"uri": uri}))?;
        let contents = values::list(&result, "contents", METHOD)?;
        Ok(contents.iter().map(crate::Contents::read).collect())
    }

    /// All prompts, page by page.
    pub fn list_prompts(&mut self) -> Result<Vec<Prompt>, Error> {
        let prompts = self.list("prompts/list", "prompts")?;
        Ok(prompts.iter().map(Prompt::read).collect())
    }

    /// A prompt with its arguments filled in; null for none.
    pub fn get_prompt(&mut self, name: &str, arguments: Value) -> Result<PromptResult, Error> {
        let mut params = json!({"name": name});
        if !arguments.is_null() {
            params["arguments"] = arguments;
        }
        let result = self.ask_in_rounds("prompts/get", &params)?;
        values::list(&result, "messages", "prompts/get")?;
        Ok(PromptResult::read(result))
    }

    /// Asks whether the server is there. Where a revision has no `ping`, it is asked to be
    /// discovered.
    pub fn ping(&mut self) -> Result<(), Error> {
        let is_stateless = self
            .revision()
            .is_some_and(|revision| revision.has(Fact::Stateless));
        if is_stateless {
            self.ask("server/discover", json!({}))?;
        } else {
            self.ask("ping", Value::Null)?;
        }
        Ok(())
    }

    fn list(&mut self, method: &'static str, member: &'static str) -> Result<Vec<Value>, Error> {
        let (mut items, mut seen) = (Vec::new(), BTreeSet::new());
        let mut params = Value::Null;
        for _ in 0..MOST_PAGES {
            let mut result = self.ask_ready(method, params)?;
            let cursor = result["nextCursor"].as_str().map(str::to_owned);
            match result[member].take() {
                Value::Array(page) => items.extend(page),
                _ => return Err(values::missing(method, member)),
            }
            let Some(cursor) = cursor else {
                return Ok(items);
            };
            params = json!({"cursor": cursor});
            if !seen.insert(cursor) {
                return Err(Error::Unmet(format!(
                    "the pages of {method} go round in a circle: a cursor came for the second time"
                )));
            }
        }
        Err(Error::Unmet(format!(
            "{method} has more than {MOST_PAGES} pages"
        )))
    }
}
