//! The relations of rules: the conditions under which a rule stays silent, and the facts that a
//! violation reveals.
//!
//! Each relation is a field of the rule that it silences, so the file of a rule is complete.

/// A part of the state of a session. A message that was faulty or was not seen leaves a gap in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum State {
    ProgressTokens,
    InputRounds,
    Tasks,
    Subscriptions,
    Cursors,
    ToolList,
    Elicitations,
    LogLevel,
    ListChanges,
    RequestIds,
    SamplingRequests,
    AgreedRevision,
}

impl State {
    /// Its name in a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ProgressTokens => "the progress tokens in use",
            Self::InputRounds => "the requests that wait for input",
            Self::Tasks => "the tasks",
            Self::Subscriptions => "the subscriptions",
            Self::Cursors => "the cursors",
            Self::ToolList => "the list of tools",
            Self::Elicitations => "the elicitations",
            Self::LogLevel => "the log level",
            Self::ListChanges => "the notifications of changed lists",
            Self::RequestIds => "the ids of requests",
            Self::SamplingRequests => "the sampling requests",
            Self::AgreedRevision => "the revision that was agreed on",
        }
    }
}

/// A scope in which a rule is reported only once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::enum_variant_names, reason = "a rule reads `once: [PerValue]`")]
pub(crate) enum Once {
    /// The members of a batch or of an object have the fault in common.
    PerMessage,
    /// Every message with the same value has the fault.
    PerValue,
    /// A party with the fault repeats it for the rest of the session.
    PerSession,
}

impl Once {
    /// The condition under which the rule is silent.
    pub(crate) fn silence(self) -> &'static str {
        match self {
            Self::PerMessage => "it was already reported for the same message",
            Self::PerValue => "it was already reported for the same value",
            Self::PerSession => "it was already reported in the session",
        }
    }
}

/// A capability that a rule demands, seen from the message that violates it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The sender has to declare it.
    Sender(Capability),
    /// The receiver has to declare it.
    Receiver(Capability),
}

impl Use {
    /// The capability.
    pub(crate) fn capability(self) -> Capability {
        match self {
            Self::Sender(capability) | Self::Receiver(capability) => capability,
        }
    }
}

/// A fact about other messages that a violation reveals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reveals {
    /// A request of the sender was not seen.
    RequestOfSender,
    /// A request of the receiver was not seen.
    RequestOfPeer,
    /// The answer to a request of the sender is missing; that is not reported as well.
    AnswerToSender,
    /// The answer to a request of the receiver is missing; that is not reported as well.
    AnswerToPeer,
    /// No request has the id of this answer.
    StrayAnswer,
    /// The answer belongs to a notification.
    AnswerToNotification,
    /// The id of the answer has another type than that of its request.
    AnswerOfOtherType,
    /// The request was answered before.
    SecondAnswer,
}

/// A capability that some rule demands.
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
    /// A capability that the model does not know: an experimental one, or another extension.
    Foreign,
}

impl Capability {
    /// All of them.
    pub(crate) const ALL: [Self; 25] = [
        Self::Logging,
        Self::Completions,
        Self::Prompts,
        Self::PromptsListChanged,
        Self::Resources,
        Self::ResourcesSubscribe,
        Self::ResourcesListChanged,
        Self::Tools,
        Self::ToolsListChanged,
        Self::Roots,
        Self::RootsListChanged,
        Self::Sampling,
        Self::SamplingTools,
        Self::SamplingContext,
        Self::Elicitation,
        Self::ElicitationForm,
        Self::ElicitationUrl,
        Self::Tasks,
        Self::TasksList,
        Self::TasksCancel,
        Self::TasksToolsCall,
        Self::TasksSampling,
        Self::TasksElicitation,
        Self::TasksExtension,
        Self::Foreign,
    ];

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

    /// The member of `capabilities` that holds it.
    pub(crate) fn member(self) -> Self {
        match self {
            Self::PromptsListChanged => Self::Prompts,
            Self::ResourcesSubscribe | Self::ResourcesListChanged => Self::Resources,
            Self::ToolsListChanged => Self::Tools,
            Self::RootsListChanged => Self::Roots,
            Self::SamplingTools | Self::SamplingContext => Self::Sampling,
            Self::ElicitationForm | Self::ElicitationUrl => Self::Elicitation,
            Self::TasksList
            | Self::TasksCancel
            | Self::TasksToolsCall
            | Self::TasksSampling
            | Self::TasksElicitation => Self::Tasks,
            whole => whole,
        }
    }
}
