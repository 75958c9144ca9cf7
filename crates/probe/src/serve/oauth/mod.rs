//! A server that wants a token, with everything that hands one out: metadata of the resource,
//! authorisation servers, registration.
//!
//! All of it is on the loopback interface, over plain HTTP, and authorises whoever asks at once:
//! there is no page and no user. A client that opens a browser is not followed; one that fetches
//! the authorisation URL itself gets the redirect as the answer.

mod desk;
mod documents;
mod fetch;
mod form;
mod grants;
mod guard;
mod jwt;
mod proof;
mod reach;
mod visit;

pub(crate) use self::desk::{Desk, operation};
pub(crate) use self::documents::{OFFLINE_ACCESS, SCOPE, SCOPE_TO_WRITE, scopes};
pub(crate) use self::fetch::Document;
pub(crate) use self::form::is_absolute;
pub(crate) use self::guard::{DOORS, Guard, TokenAuthentication};
pub(crate) use self::reach::Reach;
pub(crate) use self::visit::{Authentication, Errand, Place, ProofUse, Refusal, Visit};
