//! What a profile sees in a message whose envelope is sound.

use super::data::{Profile, UriForm};
use super::rules::{CODES, METHOD, RESOURCE_URI, REVISION};
use crate::catalogue::On;
use crate::catalogue::{Detail, Level, LevelOverride};
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::message::Message;
use crate::rules::check::{Findings, Group};
use crate::rules::support::each_resource_uri;
use crate::session::Session;
use crate::syntax::{Kind, Node};

/// Asked about every message, if the policy has a profile.
pub(crate) static GROUP: Group = Group {
    on: &[
        On::AnyRequest,
        On::AnyNotification,
        On::AnyResult,
        On::AnyError,
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(profile) = message.policy.profile() else {
        return;
    };
    profile.check_name(message.exchange, findings);
    if message.kind() == MessageKind::Error {
        profile.check_code(message, findings);
    }
    profile.check_revision(message, findings);
    if !profile.uris.is_empty() {
        each_resource_uri(message, |uri| profile.check_uri(uri, findings));
    }
    if profile.rules.is_empty() {
        return;
    }
    let sent = message.exchange.method_node().and_then(Node::text);
    let answered = message
        .request
        .and_then(|request| request.unknown_method.as_deref());
    let names = [message.method(), sent.as_deref().or(answered)];
    for custom in &profile.rules {
        custom.check(message, &names, findings);
    }
}

impl Profile {
    /// A method of the protocol is called by the name that it no longer has.
    fn check_name(&self, exchange: &Exchange<'_>, findings: &mut Findings<'_>) {
        if let (Some(method), Some(sent)) = (exchange.method, exchange.method_node())
            && let Some(name) = self.new_name(method)
            && !sent.is_text(name)
            && sent.is_text(method.name)
        {
            let text = "the profile calls this method `{}`";
            findings.of_profile(&METHOD, sent, Detail::Named { text, name });
        }
    }

    fn check_code(&self, message: &Message<'_>, findings: &mut Findings<'_>) {
        let Some(at) = message.exchange.envelope.error_code() else {
            return;
        };
        let level = message.error_code().and_then(|code| self.codes.level(code));
        let rule = match level.and_then(LevelOverride::level) {
            None => return,
            Some(Level::Note) => &CODES[0],
            Some(Level::Warning) => &CODES[1],
            Some(Level::Error) => &CODES[2],
        };
        findings.of_profile(
            rule,
            at,
            Detail::Text("the profile does not allow this error code"),
        );
    }

    /// The answer to a handshake settles the revision; where there is none, each request names its own.
    fn check_revision(&self, message: &Message<'_>, findings: &mut Findings<'_>) {
        let Some(expected) = self.expected else {
            return;
        };
        let named = match message.kind() {
            MessageKind::Response if message.method() == Some("initialize") => message
                .result()
                .and_then(|result| result.get("protocolVersion")),
            MessageKind::Request => message
                .meta()
                .and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion")),
            _ => None,
        };
        if let Some(named) = named
            && named.kind() == Kind::String
            && !named.is_text(expected.name())
        {
            let text = "the profile expects {}, this is another revision";
            let name = expected.name();
            findings.of_profile(&REVISION, named, Detail::Named { text, name });
        }
    }

    fn check_uri(&self, uri: Node<'_>, findings: &mut Findings<'_>) {
        let Some(text) = uri.text() else {
            return;
        };
        let meets = |form: &UriForm| match form {
            UriForm::Prefixes(prefixes) => prefixes.iter().any(|prefix| text.starts_with(prefix)),
            UriForm::Pattern(pattern) => pattern.accepts(uri),
        };
        if !self.uris.iter().all(meets) {
            findings.of_profile(
                &RESOURCE_URI,
                uri,
                Detail::Text("the profile does not allow this URI of a resource"),
            );
        }
    }
}
