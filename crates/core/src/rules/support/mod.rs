//! Functions that several rules need.

mod base64;
mod capability;
mod date;
mod header;
mod mirror;
mod own_values;
mod resource_uris;
mod schemas;
mod secrets;
mod texts;
mod uri;
mod uri_template;

pub(crate) use self::base64::base64_fault;
pub(crate) use self::capability::{method_needs, needs};
pub(crate) use self::date::{is_date, is_timestamp};
pub(crate) use self::header::{challenge_parameter, posted_request, request_head, response_head};
pub(crate) use self::mirror::{Slot, Verdict, each_mirror, mirrored_name, mirrored_task};
pub(crate) use self::own_values::each_object;
pub(crate) use self::resource_uris::each_resource_uri;
pub(crate) use self::schemas::faults;
pub(crate) use self::secrets::{demands_secret, names_person, names_secret};
pub(crate) use self::texts::{Among, Texts};
pub(crate) use self::uri::{Uri, is_parent_segment, uri_fault};
pub(crate) use self::uri_template::template_fault;
