//! The oddity of a server that wants a token.

/// Ports where tokens are wanted: that of the server, and those of two authorisation servers.
pub(crate) const DOORS: usize = 3;

/// The grant by which a client redeems an assertion, RFC 7523.
pub(super) const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/// The ways in which a client authenticates at a token endpoint, RFC 6749 and 7591.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenAuthentication {
    Basic,
    Post,
    Public,
}

impl TokenAuthentication {
    /// The name in metadata.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Basic => "client_secret_basic",
            Self::Post => "client_secret_post",
            Self::Public => "none",
        }
    }
}

/// The oddity of a server that wants a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    /// Nothing: the challenge says where the metadata is and which scope is needed, and everything
    /// else follows.
    Told,
    /// The challenge names no scope, the metadata of the resource two.
    ScopesListed,
    /// Neither the challenge nor the metadata of the resource names a scope.
    ScopesUnnamed,
    /// Calls of tools need a further scope.
    StepUp,
    /// The first operation is refused again and again for want of a scope.
    NeverEnough,
    /// The authorisation server takes one way of authentication only, and says so on registration.
    OneAuthentication(TokenAuthentication),
    /// Nobody can register: the client has credentials from elsewhere.
    PreRegistered,
    /// The authorisation server offers `offline_access`.
    OfflineAccess,
    /// No `iss` is promised, and none comes.
    IssUnpromised,
    /// Tokens are for programs with a secret: `client_credentials`.
    SecretGrant,
    /// Tokens are for programs with a key: `client_credentials` with a signed assertion.
    KeyGrant,
    /// Tokens are for those whom an identity provider sends.
    Enterprise,
    /// Tokens can be bound to a key of the client.
    Proof,
    /// The same, and proofs need a nonce of the server.
    ProofWithNonce,
    /// The challenge does not say where the metadata is, which is at the root.
    Untold,
    /// The issuer has a path, and its metadata is at the last of the places.
    PathIssuer,
    /// The metadata of the issuer is only where `OpenID` Connect has it.
    OpenId,
    /// The metadata is that of another resource.
    OtherResource,
    /// The metadata of the issuer names another issuer.
    OtherIssuer,
    /// The metadata of the issuer does not speak of PKCE.
    NoPkce,
    /// The redirect does not name the issuer, although that was promised.
    IssMissing,
    /// The redirect names the issuer with a slash more.
    IssAltered,
    /// The redirect names another issuer, although none was promised.
    IssUnasked,
    /// After the first request, another authorisation server is in charge.
    Changed,
    /// As in 2025-03-26: the server is its own authorisation server.
    Old,
    /// The same, without metadata.
    OldDefaults,
}

impl Guard {
    /// Whether a right client gets a token by itself.
    pub(crate) fn is_fair(self) -> bool {
        !matches!(
            self,
            Self::PreRegistered
                | Self::SecretGrant
                | Self::KeyGrant
                | Self::Enterprise
                | Self::OtherResource
                | Self::OtherIssuer
                | Self::NoPkce
                | Self::IssMissing
                | Self::IssAltered
                | Self::IssUnasked
        )
    }

    /// Whether the server has no metadata that names authorisation servers.
    pub(crate) fn is_old(self) -> bool {
        matches!(self, Self::Old | Self::OldDefaults)
    }

    /// Whether clients may name a document of their own instead of registering. Where that is not
    /// so, they have to register.
    pub(crate) fn takes_documents(self) -> bool {
        !matches!(
            self,
            Self::Told
                | Self::Changed
                | Self::OneAuthentication(_)
                | Self::PreRegistered
                | Self::OfflineAccess
                | Self::SecretGrant
                | Self::KeyGrant
                | Self::Enterprise
        ) && !self.is_old()
    }

    /// Whether the client has to have credentials before it starts.
    pub(super) fn gives_credentials(self) -> bool {
        matches!(
            self,
            Self::PreRegistered | Self::SecretGrant | Self::KeyGrant | Self::Enterprise
        )
    }

    /// Whether tokens can be bound to a key of the client.
    pub(super) fn takes_proofs(self) -> bool {
        matches!(self, Self::Proof | Self::ProofWithNonce)
    }

    /// The grants that the token endpoint takes.
    pub(super) fn grants(self) -> &'static [&'static str] {
        match self {
            Self::SecretGrant | Self::KeyGrant => &["client_credentials"],
            Self::Enterprise => &[JWT_BEARER],
            _ => &["authorization_code"],
        }
    }

    /// Whether the challenge names the scope that is needed.
    pub(crate) fn names_scope(self) -> bool {
        !matches!(self, Self::ScopesListed | Self::ScopesUnnamed)
    }

    /// The ways of authentication that the token endpoint takes.
    pub(super) fn authentications(self) -> &'static [TokenAuthentication] {
        use TokenAuthentication::{Basic, Post, Public};
        match self {
            Self::OneAuthentication(Basic) | Self::PreRegistered => &[Basic],
            Self::SecretGrant | Self::Enterprise => &[Basic, Post],
            Self::KeyGrant => &[],
            Self::OneAuthentication(Post) => &[Post],
            Self::OneAuthentication(Public) => &[Public],
            _ => &[Public, Basic, Post],
        }
    }

    /// The path of the issuer.
    pub(super) fn issuer_path(self) -> &'static str {
        match self {
            Self::PathIssuer => "/tenant",
            _ => "",
        }
    }

    /// The place where the authorisation server has its endpoints, below its issuer.
    pub(super) fn endpoints(self) -> &'static str {
        match self {
            Self::OldDefaults => "",
            // Clients that guess do not find them.
            _ => "/oauth",
        }
    }

    /// The places of the metadata of the issuer, in the order in which they have to be asked.
    pub(super) fn metadata_places(self) -> &'static [&'static str] {
        match self {
            Self::PathIssuer => &[
                "/.well-known/oauth-authorization-server/tenant",
                "/.well-known/openid-configuration/tenant",
                "/tenant/.well-known/openid-configuration",
            ],
            Self::Old | Self::OldDefaults => &["/.well-known/oauth-authorization-server"],
            _ => &[
                "/.well-known/oauth-authorization-server",
                "/.well-known/openid-configuration",
            ],
        }
    }

    /// The first of these places where there is something.
    pub(crate) fn first_served(self) -> Option<usize> {
        match self {
            Self::PathIssuer => Some(2),
            Self::OpenId => Some(1),
            Self::OldDefaults => None,
            _ => Some(0),
        }
    }
}
