//! Prompts.

use serde_json::Value;

use super::{items, text};

/// A prompt in a list.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Prompt {
    /// Its name.
    pub name: String,
    /// Its name, for people.
    pub title: Option<String>,
    /// Its purpose.
    pub description: Option<String>,
    /// Its variables.
    pub arguments: Vec<PromptArgument>,
    /// The whole prompt.
    pub raw: Value,
}

/// Its variables.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: Option<String>,
    /// Whether it has to be filled in.
    pub required: bool,
}

/// A prompt that is filled in.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PromptResult {
    /// Its purpose.
    pub description: Option<String>,
    /// Its messages.
    pub messages: Vec<PromptMessage>,
    /// The whole result.
    pub raw: Value,
}

/// A message of a prompt.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Its role: `user` or `assistant`.
    pub role: String,
    /// The content.
    pub content: Value,
}

impl Prompt {
    pub(crate) fn read(prompt: &Value) -> Self {
        let argument = |argument: &Value| PromptArgument {
            name: text(argument, "name").unwrap_or_default(),
            description: text(argument, "description"),
            required: argument["required"] == true,
        };
        Self {
            name: text(prompt, "name").unwrap_or_default(),
            title: text(prompt, "title"),
            description: text(prompt, "description"),
            arguments: items(prompt, "arguments").iter().map(argument).collect(),
            raw: prompt.clone(),
        }
    }
}

impl PromptResult {
    pub(crate) fn read(result: Value) -> Self {
        let message = |message: &Value| PromptMessage {
            role: text(message, "role").unwrap_or_default(),
            content: message["content"].clone(),
        };
        Self {
            description: text(&result, "description"),
            messages: items(&result, "messages").iter().map(message).collect(),
            raw: result,
        }
    }
}
