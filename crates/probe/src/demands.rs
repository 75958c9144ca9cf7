//! What each requirement that only probing can show demands, in a sentence.

/// The requirement in a sentence; `None` if it is not one that only probing can show.
///
/// ```
/// assert!(mcp_assay_probe::demand("http/origin-403").is_some_and(|text| text.contains("403")));
/// ```
#[must_use]
pub fn demand(id: &str) -> Option<&'static str> {
    let at = DEMANDS.binary_search_by_key(&id, |(known, _)| known).ok()?;
    Some(DEMANDS[at].1)
}

/// In the order of their ids.
#[rustfmt::skip]
const DEMANDS: &[(&str, &str)] = &[
    ("auth/application-type", "Dynamic registration states an application_type."),
    ("auth/as-metadata-issuer", "Metadata whose issuer differs from the URL it was fetched for is not used."),
    ("auth/as-metadata-order", "Authorization server metadata is looked for in the fixed order of OAuth and OpenID well-known URIs."),
    ("auth/audience", "A server accepts only tokens issued for itself."),
    ("auth/client-metadata-document", "A client metadata document is at an https URL with a path, repeats that URL as client_id and has client_name and redirect_uris."),
    ("auth/credentials-per-issuer", "Client credentials are not reused with another authorization server; the client registers again."),
    ("auth/discovery-order", "A client uses resource_metadata from the challenge if present, else the well-known URI with the endpoint path, else the root one."),
    ("auth/https-endpoints", "Authorization server endpoints use https."),
    ("auth/iss-checked", "An iss in the authorization response equals the recorded issuer character by character, and is required when the server advertises it."),
    ("auth/legacy-base-url", "In 2025-03-26 the authorization base is the server origin without path, with metadata first and /authorize, /token, /register as fallback."),
    ("auth/metadata-authorization-servers", "The resource metadata lists at least one authorization server."),
    ("auth/metadata-discoverable", "The resource metadata is found through WWW-Authenticate or at a well-known URI."),
    ("auth/metadata-resource-matches", "A client refuses metadata whose resource value is not the server it talks to."),
    ("auth/pkce", "Authorization requests use PKCE, with S256 where possible since 2025-11-25."),
    ("auth/pkce-support-checked", "A client refuses an authorization server whose metadata has no code_challenge_methods_supported."),
    ("auth/redirect-uri", "Redirect URIs are localhost or https."),
    ("auth/resource-parameter", "Authorization and token requests have the resource parameter with the canonical URI of the server: scheme present, no fragment."),
    ("caching/key-exact", "A cached answer is reused only for the same method with the same parameters."),
    ("caching/no-mrtr-results", "Answers to retries with inputResponses or requestState are not cached."),
    ("caching/private-not-shared", "A private answer is never served to another authorization context; this binds caches and gateways as well."),
    ("cancel/http-disconnect-cancels", "A server treats the closing of a response stream as cancellation of that request."),
    ("cancel/http-disconnect-not-cancel", "In the older Streamable HTTP revisions a dropped connection is not a cancellation."),
    ("cancel/invalid-ignored", "A cancellation for an unknown or finished request, or a malformed one, is ignored."),
    ("cancel/stdio-needs-notification", "On stdio a client abandons a request by sending notifications/cancelled, since there is no stream to close."),
    ("capability/declare-client-features", "A client that can answer roots, sampling or elicitation requests declares the capability, in 2026-07-28 on each request."),
    ("capability/declare-completions", "A server that answers completion/complete declares completions."),
    ("capability/declare-prompts", "A server that serves prompts declares the prompts capability."),
    ("capability/declare-resources", "A server that serves resources declares the resources capability."),
    ("capability/declare-tools", "A server that serves tools declares the tools capability."),
    ("capability/missing-required-error", "If a request cannot be served without an undeclared client capability it is refused with the missing-capability error."),
    ("capability/truthful", "Every declared server capability is backed by working methods; in 2026-07-28 the list methods must answer, if only with an empty list."),
    ("capability/undeclared-method-reply", "A method behind a capability the receiver did not declare is answered with method-not-found."),
    ("completion/unknown-ref-reply", "An unknown prompt name in ref is answered with invalid-params."),
    ("discover/implemented", "Every server answers server/discover, without any prior exchange."),
    ("elicitation/decline-handled", "A server copes with decline and cancel and still answers the original request."),
    ("elicitation/defaults-prefilled", "A client that supports defaults returns the schema's default for fields the user left alone."),
    ("elicitation/no-prefetch", "A client does not fetch the elicitation url, nor opens it, before the user agreed."),
    ("elicitation/undeclared-mode-reply", "A client refuses a mode it did not declare with invalid-params."),
    ("ext-tasks/undeclared-reply", "tasks/get, tasks/update, tasks/cancel and task subscriptions from a client that did not declare the extension are refused with the missing-capability error."),
    ("ext-tasks/unknown-id-reply", "tasks/get with an unknown id is answered with invalid-params; for update and cancel that is recommended."),
    ("http/base64-decoded", "Servers decode the base64 form before they compare with the body."),
    ("http/client-reads-both", "A client understands both answer types."),
    ("http/get-delete-405", "GET and DELETE on the endpoint are answered with 405."),
    ("http/header-mismatch-reply", "Missing, malformed or differing headers are refused with 400 and -32020."),
    ("http/header-name-case", "Header names are matched without regard to case."),
    ("http/intermediary-forwards", "An intermediary forwards Mcp-Param headers it does not know."),
    ("http/intermediary-status", "An intermediary that refuses headers answers with an HTTP error status; a JSON-RPC body is optional."),
    ("http/intermediary-unvalidated", "An intermediary that acts on mirrored headers refuses requests whose version does not oblige servers to check them."),
    ("http/localhost-bind", "A local server listens on the loopback interface only."),
    ("http/origin-403", "An invalid Origin is answered with 403."),
    ("http/origin-validated", "A server checks the Origin header of every connection against DNS rebinding."),
    ("http/session-ended-404", "Requests for a terminated session are answered with 404."),
    ("http/session-missing-400", "A server that needs the session id answers requests without it with 400."),
    ("http/single-endpoint", "One URL serves the whole transport: POST always, and GET as well until 2025-11-25."),
    ("http/sse-replay-own-stream", "Replay contains only messages of the stream that broke."),
    ("http/sse-two-endpoints", "The 2024-11-05 transport has an SSE endpoint to listen on and a separate endpoint to POST to."),
    ("http/version-header-bad-400", "An invalid or unsupported version header is answered with 400."),
    ("http/version-header-default", "Without the header, and with nothing else to go by, a server assumes 2025-03-26."),
    ("jsonrpc/batch-accepted", "In 2025-03-26 every implementation has to accept incoming batches even if it never sends one."),
    ("jsonrpc/invalid-params-reply", "Parameters that fail the method's shape are answered with invalid-params."),
    ("jsonrpc/invalid-request-reply", "JSON that is not a valid request object is answered with the invalid-request code."),
    ("jsonrpc/parse-error-reply", "Input that is not JSON is answered with the parse-error code rather than with silence or a crash."),
    ("jsonrpc/unknown-method-reply", "A request for a method the receiver does not implement is answered with method-not-found."),
    ("lifecycle/exit-on-stdin-eof", "A stdio server exits soon after its standard input ends (spelled out in 2026-07-28, expected by the shutdown sequence before that)."),
    ("lifecycle/stateless-requests", "A server takes version, identity and capabilities from each request alone and never from what came earlier on the connection."),
    ("lifecycle/stdio-shutdown-order", "A stdio client ends the server by closing its standard input first, waiting, and only then signalling or killing it."),
    ("logging/invalid-level-reply", "An unknown level, in setLevel or in _meta, is answered with invalid-params."),
    ("meta/missing-field-reply", "A request that lacks a required _meta field is refused with invalid-params; lacking only clientInfo it is served."),
    ("mrtr/extra-input-ignored", "Unexpected entries in inputResponses are ignored."),
    ("mrtr/input-validated", "Responses are validated, and malformed ones lead to a JSON-RPC error."),
    ("mrtr/missing-input-asked-again", "When a needed response is missing the server asks again instead of failing."),
    ("mrtr/state-replay-guard", "State is bound to the caller, a short lifetime and the originating request."),
    ("mrtr/state-tampering-rejected", "State that influences access or logic is integrity-protected, and altered state is refused."),
    ("pagination/empty-cursor-is-cursor", "A nextCursor that is the empty string still points to a further page."),
    ("pagination/invalid-cursor-reply", "An unknown cursor is answered with invalid-params."),
    ("pagination/no-assumed-page-size", "A client copes with any page length, including pages that are short or empty but have a nextCursor."),
    ("ping/any-phase", "ping is answered before initialization is complete as well."),
    ("probe/answers", "Every request is answered within the time that a step may take."),
    ("probe/survives", "After everything that was sent, the server still answers."),
    ("probe/within-limits", "What the server says without being asked stays within what a client can be expected to read."),
    ("prompts/list-stable-across-connections", "The prompt list may depend on authorization but not on the connection or on earlier requests."),
    ("prompts/missing-argument-reply", "A missing required argument is answered with invalid-params."),
    ("prompts/unknown-prompt-reply", "An unknown prompt name is answered with invalid-params."),
    ("resources/list-stable-across-connections", "The resource list may depend on authorization but not on the connection or on earlier requests."),
    ("resources/no-traversal", "A server of file resources sanitises paths so that \"..\" cannot leave the served tree."),
    ("resources/not-found", "Reading an unknown resource is answered with invalid-params."),
    ("resources/not-found-legacy", "Up to 2025-11-25 reading an unknown resource is answered with -32002."),
    ("resources/not-found-not-empty", "An unknown resource is not answered with an empty contents list."),
    ("response/absent-result-type-is-complete", "A client treats a result without resultType from an older server as complete."),
    ("roots/unsupported-reply", "A client without roots answers roots/list with method-not-found."),
    ("sampling/max-tokens", "The client generates no more than maxTokens."),
    ("sampling/rejection-code", "A sampling request the user refuses is answered with the error code -1."),
    ("sampling/undeclared-tools-error", "A client without sampling.tools answers a sampling request that has tools with an error."),
    ("schema/bounded-validation", "Depth, number of subschemas or time of schema evaluation should be bounded so that a hostile schema cannot stall the validator."),
    ("schema/dialect-2020-12", "Schemas without $schema are read as JSON Schema 2020-12, and that dialect has to be supported."),
    ("schema/keywords-preserved", "Keywords of a tool schema such as anyOf, if/then/else, $defs and $anchor survive parsing and re-serialisation by the client."),
    ("schema/no-network-ref", "A $ref to a network address is not fetched unless an operator switched that on."),
    ("schema/unknown-dialect-error", "An unsupported $schema leads to a clear error, not to a crash or to silent acceptance."),
    ("schema/unresolved-ref-rejected", "A schema that cannot be evaluated because of an unresolved external $ref is rejected instead of being treated as allowing everything."),
    ("subscriptions/resubscribe", "After a stdio reconnect the client sends subscriptions/listen again; the server remembers nothing."),
    ("tasks/auth-bound", "Where callers are identified, a task can be read, cancelled and listed by its owner only."),
    ("tasks/list-complete", "A task reachable by tasks/get shows up in tasks/list, with nextCursor while more tasks remain."),
    ("tasks/result-blocks", "tasks/result is answered only once the task is in a final state."),
    ("tasks/unknown-id-reply", "tasks/get, tasks/result and tasks/cancel with an unknown id are answered with invalid-params."),
    ("tools/execution-error-in-result", "A failure inside the tool is a result with isError true, so that the model can see it, and not a JSON-RPC error."),
    ("tools/input-error-in-result", "Since 2025-11-25 bad argument values are also reported through isError instead of invalid-params."),
    ("tools/input-validated", "A server validates arguments before it acts on them."),
    ("tools/list-stable-across-connections", "The tool list may depend on the caller's authorization but not on the connection or on earlier requests."),
    ("tools/unknown-tool-reply", "An unknown tool is a protocol error, not a successful result."),
    ("tools/x-mcp-header-invalid-dropped", "An HTTP client leaves tools with an invalid annotation out of the tool list and keeps the others."),
    ("version/counter-offer", "A server that does not support the offered version answers with one it does support (the page also shows a -32602 error carrying data.supported)."),
    ("version/disconnect-on-unsupported", "A client that cannot speak the version in the initialize result disconnects (the schema comment even says it must)."),
    ("version/echo-supported", "A server that supports the offered version answers with that same version."),
    ("version/fallback-not-code-keyed", "Falling back to the legacy handshake may not depend on one particular error code; any other error, or silence, means a legacy server."),
    ("version/initialize-refusal-names-versions", "A modern-only server that refuses initialize says which versions it speaks in that error."),
    ("version/retry-with-supported", "After an unsupported-version error the client retries with a version from the list or reports the failure."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{OWN, ROWS};

    #[test]
    fn every_row_has_one_and_they_are_in_order() {
        for row in OWN.iter().chain(ROWS) {
            assert!(demand(row.id).is_some(), "{}", row.id);
        }
        assert_eq!(DEMANDS.len(), OWN.len() + ROWS.len());
        assert!(DEMANDS.is_sorted());
    }
}
