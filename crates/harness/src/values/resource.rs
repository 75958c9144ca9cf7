//! Resources.

use serde_json::Value;

use super::text;

/// A resource in a list.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name, for people.
    pub title: Option<String>,
    /// Its kind.
    pub description: Option<String>,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// The whole resource.
    pub raw: Value,
}

/// A template of resources in a list.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The template of addresses.
    pub uri_template: String,
    /// Its name.
    pub name: String,
    /// The whole template.
    pub raw: Value,
}

/// A part of what reading a resource gives.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Contents {
    /// Its address.
    pub uri: String,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// Its text, if it is text.
    pub text: Option<String>,
    /// Its bytes in Base64, if it is not.
    pub blob: Option<String>,
    /// The whole part.
    pub raw: Value,
}

impl Resource {
    pub(crate) fn read(resource: &Value) -> Self {
        Self {
            uri: text(resource, "uri").unwrap_or_default(),
            name: text(resource, "name").unwrap_or_default(),
            title: text(resource, "title"),
            description: text(resource, "description"),
            mime_type: text(resource, "mimeType"),
            raw: resource.clone(),
        }
    }
}

impl ResourceTemplate {
    pub(crate) fn read(template: &Value) -> Self {
        Self {
            uri_template: text(template, "uriTemplate").unwrap_or_default(),
            name: text(template, "name").unwrap_or_default(),
            raw: template.clone(),
        }
    }
}

impl Contents {
    pub(crate) fn read(contents: &Value) -> Self {
        Self {
            uri: text(contents, "uri").unwrap_or_default(),
            mime_type: text(contents, "mimeType"),
            text: text(contents, "text"),
            blob: text(contents, "blob"),
            raw: contents.clone(),
        }
    }
}
