//! Requirements that nothing provokes, with the reasons.

use crate::requirement::{ERROR, ONLY_2025_11, Requirement, SINCE_2026_07, WARNING};

const BETWEEN: &str = "it is about those between a client and a server";

pub(crate) static UNPROVOKED: &[Requirement] = &[
    Requirement::of_server(
        "cancel/http-disconnect-cancels",
        ERROR,
        SINCE_2026_07,
        "A server treats the closing of a response stream as cancellation of that request.",
    ).page(
        "basic/transports/streamable-http#cancellation",
        "The server works on for nobody.",
        "stop the work when the stream of the response is closed",
    )
    .unprovoked_in_servers("nothing shows whether a tool goes on once nobody listens"),
    Requirement::of_both(
        "tasks/auth-bound",
        ERROR,
        ONLY_2025_11,
        "Where callers are identified, a task can be read, cancelled and listed by its owner only.",
    ).page(
        "basic/utilities/tasks#task-isolation-and-access-control",
        "One user can read the results of another.",
        "store the owner with the task, and compare it on every access",
    )
    .unprovoked_in_servers("it takes the credentials of two users")
    .unprovoked_in_clients("a client has one server, and nobody else who could ask for its tasks"),
    Requirement::of_both(
        "http/intermediary-forwards",
        ERROR,
        SINCE_2026_07,
        "An intermediary forwards Mcp-Param headers it does not know.",
    ).page(
        "basic/transports/streamable-http#server-behavior-for-custom-headers",
        "The server does not get what the client sent.",
        "forward headers that begin with `Mcp-Param-` unchanged",
    )
    .unprovoked_in_servers("what an intermediary passes on is seen behind it only")
    .unprovoked_in_clients(BETWEEN),
    Requirement::of_both(
        "http/intermediary-status",
        ERROR,
        SINCE_2026_07,
        "An intermediary that refuses headers answers with an HTTP error status; a JSON-RPC body is \
         optional.",
    ).page(
        "basic/transports/streamable-http#server-validation",
        "A client takes the refusal for an answer of the server.",
        "refuse with an HTTP status of 400 or above",
    )
    .unprovoked_in_servers("nothing tells an intermediary from a server")
    .unprovoked_in_clients(BETWEEN),
    Requirement::of_both(
        "http/intermediary-unvalidated",
        WARNING,
        SINCE_2026_07,
        "An intermediary that acts on mirrored headers refuses requests whose version does not \
         oblige servers to check them.",
    ).page(
        "basic/transports/streamable-http#server-validation",
        "Routing would rely on headers that nobody compares with the body.",
        "refuse requests whose version does not oblige servers to compare headers with the \
         body",
    )
    .unprovoked_in_servers("nothing tells an intermediary from a server")
    .unprovoked_in_clients(BETWEEN),
];
