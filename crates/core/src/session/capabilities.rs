//! The capabilities that a party has declared.

use crate::catalogue::Capability;
use crate::syntax::{Kind, Node};

/// A capability, and the steps that lead to it from the member of `capabilities` that holds it.
type Step = (Capability, &'static [&'static str]);

/// The members of `capabilities`, and the capabilities of each. The last step to a flag is a
/// boolean, all others are objects.
const MEMBERS: &[(&str, &[Step])] = &[
    ("logging", &[(Capability::Logging, &[])]),
    ("completions", &[(Capability::Completions, &[])]),
    (
        "prompts",
        &[
            (Capability::Prompts, &[]),
            (Capability::PromptsListChanged, &["listChanged"]),
        ],
    ),
    (
        "resources",
        &[
            (Capability::Resources, &[]),
            (Capability::ResourcesSubscribe, &["subscribe"]),
            (Capability::ResourcesListChanged, &["listChanged"]),
        ],
    ),
    (
        "tools",
        &[
            (Capability::Tools, &[]),
            (Capability::ToolsListChanged, &["listChanged"]),
        ],
    ),
    (
        "roots",
        &[
            (Capability::Roots, &[]),
            (Capability::RootsListChanged, &["listChanged"]),
        ],
    ),
    (
        "sampling",
        &[
            (Capability::Sampling, &[]),
            (Capability::SamplingTools, &["tools"]),
            (Capability::SamplingContext, &["context"]),
        ],
    ),
    (
        "elicitation",
        &[
            (Capability::Elicitation, &[]),
            (Capability::ElicitationForm, &["form"]),
            (Capability::ElicitationUrl, &["url"]),
        ],
    ),
    (
        "tasks",
        &[
            (Capability::Tasks, &[]),
            (Capability::TasksList, &["list"]),
            (Capability::TasksCancel, &["cancel"]),
            (Capability::TasksToolsCall, &["requests", "tools", "call"]),
            (
                Capability::TasksSampling,
                &["requests", "sampling", "createMessage"],
            ),
            (
                Capability::TasksElicitation,
                &["requests", "elicitation", "create"],
            ),
        ],
    ),
    (
        "extensions",
        &[(
            Capability::TasksExtension,
            &["io.modelcontextprotocol/tasks"],
        )],
    ),
];

/// A set of capabilities, such as a party declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Capabilities(u32);

impl Capabilities {
    /// Reads a `capabilities` object; `None` for any other value, whose intention is not known.
    pub(crate) fn read(declared: Node<'_>) -> Option<Self> {
        if declared.kind() != Kind::Object {
            return None;
        }
        let mut bits = 0;
        for (key, value) in declared.members() {
            let known = MEMBERS.iter().find(|(name, _)| key.is_text(name));
            for (capability, steps) in known.map_or(&[][..], |(_, declared)| declared) {
                let mut here = Some(value);
                for step in *steps {
                    here = here.and_then(|node| node.get(step));
                }
                // An object declares, a flag must be true. A value of another type is malformed and
                // counts as declared.
                let set = here.is_some_and(|node| !matches!(node.kind(), Kind::Null | Kind::False));
                // Of repeated members the last counts.
                bits = bits & !(1 << *capability as u32) | u32::from(set) << *capability as u32;
            }
            let foreign = key.is_text("experimental") && value.members().next().is_some()
                || key.is_text("extensions")
                    && value
                        .members()
                        .any(|(name, _)| !name.is_text("io.modelcontextprotocol/tasks"));
            bits |= u32::from(foreign) << Capability::Foreign as u32;
        }
        Some(Self(bits))
    }

    /// Whether it is declared.
    pub(crate) fn has(self, capability: Capability) -> bool {
        self.0 >> capability as u32 & 1 == 1
    }

    /// Adds a capability.
    pub(super) fn insert(&mut self, capability: Capability) {
        self.0 |= 1 << capability as u32;
    }

    /// Whether another set contains all of it.
    pub(crate) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}
