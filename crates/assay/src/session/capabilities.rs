//! The capabilities that a party has declared.

use crate::syntax::{Kind, Node};

/// A capability that some rule asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Capability {
    Logging,
    Completions,
    Prompts,
    PromptsListChanged,
    Resources,
    ResourcesSubscribe,
    ResourcesListChanged,
    Tools,
    ToolsListChanged,
    Roots,
    RootsListChanged,
    Sampling,
    SamplingTools,
    SamplingContext,
    Elicitation,
    ElicitationForm,
    ElicitationUrl,
    Tasks,
    TasksList,
    TasksCancel,
    TasksToolsCall,
    TasksSampling,
    TasksElicitation,
    /// The extension `io.modelcontextprotocol/tasks`.
    TasksExtension,
    /// Something that the model does not know: an experimental capability, or another extension.
    Foreign,
}

/// Where each stands under `capabilities`. The last step of a flag is a boolean, all others are objects.
const PATHS: [(Capability, &[&str]); 24] = [
    (Capability::Logging, &["logging"]),
    (Capability::Completions, &["completions"]),
    (Capability::Prompts, &["prompts"]),
    (Capability::PromptsListChanged, &["prompts", "listChanged"]),
    (Capability::Resources, &["resources"]),
    (Capability::ResourcesSubscribe, &["resources", "subscribe"]),
    (
        Capability::ResourcesListChanged,
        &["resources", "listChanged"],
    ),
    (Capability::Tools, &["tools"]),
    (Capability::ToolsListChanged, &["tools", "listChanged"]),
    (Capability::Roots, &["roots"]),
    (Capability::RootsListChanged, &["roots", "listChanged"]),
    (Capability::Sampling, &["sampling"]),
    (Capability::SamplingTools, &["sampling", "tools"]),
    (Capability::SamplingContext, &["sampling", "context"]),
    (Capability::Elicitation, &["elicitation"]),
    (Capability::ElicitationForm, &["elicitation", "form"]),
    (Capability::ElicitationUrl, &["elicitation", "url"]),
    (Capability::Tasks, &["tasks"]),
    (Capability::TasksList, &["tasks", "list"]),
    (Capability::TasksCancel, &["tasks", "cancel"]),
    (
        Capability::TasksToolsCall,
        &["tasks", "requests", "tools", "call"],
    ),
    (
        Capability::TasksSampling,
        &["tasks", "requests", "sampling", "createMessage"],
    ),
    (
        Capability::TasksElicitation,
        &["tasks", "requests", "elicitation", "create"],
    ),
    (
        Capability::TasksExtension,
        &["extensions", "io.modelcontextprotocol/tasks"],
    ),
];

impl Capability {
    /// Its path in a sentence: `resources.subscribe`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Logging => "logging",
            Self::Completions => "completions",
            Self::Prompts => "prompts",
            Self::PromptsListChanged => "prompts.listChanged",
            Self::Resources => "resources",
            Self::ResourcesSubscribe => "resources.subscribe",
            Self::ResourcesListChanged => "resources.listChanged",
            Self::Tools => "tools",
            Self::ToolsListChanged => "tools.listChanged",
            Self::Roots => "roots",
            Self::RootsListChanged => "roots.listChanged",
            Self::Sampling => "sampling",
            Self::SamplingTools => "sampling.tools",
            Self::SamplingContext => "sampling.context",
            Self::Elicitation => "elicitation",
            Self::ElicitationForm => "elicitation.form",
            Self::ElicitationUrl => "elicitation.url",
            Self::Tasks => "tasks",
            Self::TasksList => "tasks.list",
            Self::TasksCancel => "tasks.cancel",
            Self::TasksToolsCall => "tasks.requests.tools.call",
            Self::TasksSampling => "tasks.requests.sampling.createMessage",
            Self::TasksElicitation => "tasks.requests.elicitation.create",
            Self::TasksExtension => "extensions.io.modelcontextprotocol/tasks",
            Self::Foreign => "extensions",
        }
    }
}

/// What a party has declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Capabilities(u32);

impl Capabilities {
    /// Reads a `capabilities` object.
    pub(crate) fn read(declared: Node<'_>) -> Self {
        let mut bits = 0;
        for (capability, path) in PATHS {
            let mut here = Some(declared);
            for step in path {
                here = here.and_then(|node| node.get(step));
            }
            // An object declares, a flag has to be true. A value of another type is malformed, and meant to declare.
            if here.is_some_and(|node| !matches!(node.kind(), Kind::Null | Kind::False)) {
                bits |= 1 << capability as u32;
            }
        }
        let members = |name| declared.get(name).into_iter().flat_map(Node::members);
        let experimental = members("experimental").next().is_some();
        let mut extensions = members("extensions");
        if experimental || extensions.any(|(key, _)| !key.is_text("io.modelcontextprotocol/tasks"))
        {
            bits |= 1 << Capability::Foreign as u32;
        }
        Self(bits)
    }

    /// Whether it is declared.
    pub(crate) fn has(self, capability: Capability) -> bool {
        self.0 >> capability as u32 & 1 == 1
    }

    /// Whether another set has all of it.
    pub(crate) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}
