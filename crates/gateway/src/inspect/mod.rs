//! Records and checks traffic beside the forwarding, in the order in which it came.

mod checker;
mod http_part;
mod idle_spin;
mod inspector;
mod metrics;
mod numbered;
mod sessions;

pub use self::checker::{Checker, Recording};
pub(crate) use self::http_part::{HttpPart, RequestHead, ResponseHead};
pub(crate) use self::inspector::Inspector;
pub(crate) use self::metrics::MEDIA_TYPE;
pub use self::metrics::Metrics;
pub(crate) use self::numbered::Seen;
