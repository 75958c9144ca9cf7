//! Tokens that are bound to a key of the client (`DPoP`).

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11, WARNING};
use crate::serve::oauth::{Guard, ProofUse};

pub(super) static PROOF: Requirement = Requirement::of_client(
    "ext-auth/dpop-proof",
    ERROR,
    SINCE_2025_11,
    "A request for or with a DPoP-bound token has one fresh proof for its method, URL and token.",
)
.page(
    "extensions/auth/dpop-extension#dpop-proof-requirements",
    "A proof that fits several requests can be used by anybody who sees it. The extension is \
     optional; a client that sends a proof has adopted it.",
    "sign a new proof for every request, with `jti`, `htm`, `htu`, `iat` and, beside a token, `ath`",
);

pub(super) static SCHEME: Requirement = Requirement::of_client(
    "ext-auth/dpop-scheme",
    ERROR,
    SINCE_2025_11,
    "A DPoP-bound token is sent in the Authorization header with the scheme DPoP.",
)
.page(
    "extensions/auth/dpop-extension#access-token-presentation",
    "A server that checks bound tokens refuses one that comes as a bearer token.",
    "send `Authorization: DPoP` and the token when its `token_type` is `DPoP`",
);

pub(super) static NONCE: Requirement = Requirement::of_client(
    "ext-auth/dpop-nonce",
    WARNING,
    SINCE_2025_11,
    "A request that is refused with use_dpop_nonce is repeated with the nonce of the answer.",
)
.page(
    "extensions/auth/dpop-extension#proof-validity-window",
    "Servers that limit the lifetime of proofs by a nonce cannot be used. The demand is that of \
     RFC 9449, hence a warning.",
    "put the value of the header `DPoP-Nonce` into the claim `nonce` of a new proof, and repeat the \
     request",
);

pub(super) fn check(verdict: &mut Verdict<'_>, guard: Guard) {
    let proven = verdict.scene.seen.proof_uses.clone();
    if proven.is_empty() {
        for requirement in [&PROOF, &SCHEME, &NONCE] {
            verdict.not_observed(requirement, "the client proves the possession of no key");
        }
        return;
    }
    let faulty = proven.iter().find_map(|used| Some((used, used.fault?)));
    match faulty {
        Some((used, fault)) => {
            let evidence = verdict.records(used.exchange);
            verdict.fail_with(&PROOF, format!("a request {fault}"), evidence);
        }
        None => verdict.pass(&PROOF),
    }
    match proven.iter().find(|used| used.is_bearer) {
        Some(used) => {
            let message = "the client sent a token that is bound to a key with the scheme `Bearer`";
            let evidence = verdict.records(used.exchange);
            verdict.fail_with(&SCHEME, message.to_owned(), evidence);
        }
        None => verdict.pass(&SCHEME),
    }
    if guard != Guard::ProofWithNonce {
        return;
    }
    let ignoring: Vec<&ProofUse> = proven.iter().filter(|used| used.ignores_nonce).collect();
    if let Some(used) = ignoring.first() {
        let message = "the client repeated a request without the nonce that it was asked for";
        let evidence = verdict.records(used.exchange);
        verdict.fail_with(&NONCE, message.to_owned(), evidence);
    } else if proven.iter().any(|used| used.has_nonce) {
        verdict.pass(&NONCE);
    } else if let Some(used) = proven.iter().find(|used| used.fault.is_none()) {
        let message = "the client did not repeat a request that was refused with `use_dpop_nonce`";
        let evidence = verdict.records(used.exchange);
        verdict.fail_with(&NONCE, message.to_owned(), evidence);
    }
}
