//! The checks of a profile, for messages with a sound envelope, and the names that a profile may
//! use.

use super::{Rule, UnknownName, find as find_rule, selectable};
use crate::Revision;
use crate::catalogue::On;
use crate::catalogue::profile::{
    CODES, Custom, CustomRule, ExpectedRevision, METHOD, METHOD_EMPTY, Profile, ProfileFault,
    RESOURCE_URI, REVISION, RULES, UriForm,
};
use crate::catalogue::{Detail, Level, LevelOverride};
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::rules::check::{Findings, Group};
use crate::rules::support::each_resource_uri;
use crate::session::message::Message;
use crate::session::{NamedVersion, Session};
use crate::syntax::{Kind, Node};

/// Runs on every message, if the policy has a profile.
pub(crate) static GROUP: Group = Group {
    on: &[
        On::AnyRequest,
        On::AnyNotification,
        On::AnyResult,
        On::AnyError,
    ],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(profile) = message.policy.dialect() else {
        return;
    };
    profile.check_name(message.exchange, findings);
    if message.kind() == MessageKind::Error {
        profile.check_code(message, findings);
    }
    profile.check_revision(message, session, findings);
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
    /// Sets the level of rules: a rule of the protocol, one of this profile, a family, a layer or a
    /// level; or of messages: `method:tools/call`, `kind:notification`.
    pub fn set_level(&mut self, what: &str, level: LevelOverride) -> Result<(), UnknownName> {
        let own = self.rules.iter().map(|custom| custom.rule);
        let named = own
            .clone()
            .map(|rule| rule.name)
            .chain(own.map(Rule::family))
            .find(|name| *name == what);
        let what = match named.or_else(|| self.own_method_selector(what)) {
            Some(name) => name,
            None => selectable(what)?,
        };
        self.push_level(what, level);
        Ok(())
    }

    /// Adds a rule, in place of one with the same name.
    pub fn add_rule(&mut self, rule: &CustomRule) -> Result<(), ProfileFault> {
        let name = rule.name.as_str();
        if find_rule(name).is_some() || RULES.iter().any(|rule| rule.name == name) {
            return Err(ProfileFault::at(
                "name",
                format!("there is a rule `{name}` already: `levels` gives it another level"),
            ));
        }
        self.push_rule(rule)
    }

    /// Reports a method of the protocol that is called by the name that the profile replaced, and a
    /// method without a name.
    fn check_name(&self, exchange: &Exchange<'_>, findings: &mut Findings<'_>) {
        if let Some(sent) = exchange.method_node()
            && self.demands_method_names()
            && sent.is_text("")
        {
            let text = "the profile demands that a method has a name, this is empty";
            findings.of_profile(&METHOD_EMPTY, sent, Detail::Text(text));
        }
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

    /// Checks the revision: the answer to a handshake settles it, or each request names its own.
    fn check_revision(
        &self,
        message: &Message<'_>,
        session: &Session,
        findings: &mut Findings<'_>,
    ) {
        let expected = match self.expected {
            None => return,
            Some(ExpectedRevision::Exactly(expected)) => expected,
            Some(ExpectedRevision::LatestCommon) => {
                return check_latest_common(message, session, findings);
            }
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

/// Checks that a handshake does not settle on an older revision than one that the server declared to
/// support and the client has spoken, or offers. Without both declarations nothing is concluded.
fn check_latest_common(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if message.method() != Some("initialize") {
        return;
    }
    let (named, common) = match message.kind() {
        MessageKind::Request => (message.param("protocolVersion"), session.revision()),
        MessageKind::Response => {
            let request = message.request.and_then(|request| request.revision);
            (message.in_result("protocolVersion"), request)
        }
        _ => return,
    };
    let (Some(named), Some(common)) = (named, common) else {
        return;
    };
    let declared = session
        .state
        .versions
        .supports(&NamedVersion::Released(common));
    let is_older = Revision::ALL
        .into_iter()
        .any(|revision| named.is_text(revision.name()) && revision < common);
    if declared == Some(true) && is_older {
        let text = "the profile expects {}, which both parties support, this is an older revision";
        let name = common.name();
        findings.of_profile(&REVISION, named, Detail::Named { text, name });
    }
}

impl Custom {
    fn check(&self, message: &Message<'_>, names: &[Option<&str>; 2], findings: &mut Findings<'_>) {
        if !self.concerns(message, names) {
            return;
        }
        if let Some(value) = value_at(message.root(), &self.at) {
            self.schema.check(value, |at, _, _| {
                findings.of_profile(self.rule, at, Detail::Text(self.rule.page));
            });
        }
    }

    fn concerns(&self, message: &Message<'_>, names: &[Option<&str>; 2]) -> bool {
        let (kind, direction) = (message.kind(), message.direction());
        self.applies.mean(kind, direction, names)
    }
}

fn value_at<'a>(root: Node<'a>, segments: &[String]) -> Option<Node<'a>> {
    let mut here = root;
    for segment in segments {
        here = match here.kind() {
            Kind::Object => here.get(segment)?,
            Kind::Array => here.items().nth(position(segment)?)?,
            _ => return None,
        };
    }
    Some(here)
}

/// The index that a segment means; `01` is not an index.
fn position(segment: &str) -> Option<usize> {
    let plain = segment == "0" || !segment.starts_with(['0', '+']);
    segment.parse().ok().filter(|_| plain)
}
