//! Finds and reads the document, and reads it again.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcp_assay::CurrentDefinitions;
use mcp_assay::json_schema::{SchemaDefinitions, SchemaError};
use mcp_assay_report::visible;
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};

use super::fetch::Client;
use crate::output;

/// The largest document. The official ones have less than a tenth of it.
pub(super) const MAX_BYTES: u64 = 8 << 20;

/// The reason why a document could not be loaded. The text fits after "failed to".
#[derive(Debug)]
pub(crate) enum Error {
    /// The file cannot be read.
    File(io::Error),
    /// It is larger than [`MAX_BYTES`].
    TooLarge,
    /// The address is not one of http, https or file.
    Address,
    /// The address of a file names no absolute path on this machine.
    FileUrl,
    /// The server refused.
    Status(u16),
    /// The server did not deliver in time.
    TimedOut,
    /// The server redirects too often.
    TooManyRedirects,
    /// The server redirects to an address of a private network.
    PrivateRedirect {
        /// The host it names.
        host: String,
    },
    /// The server redirects from https to http.
    InsecureRedirect,
    /// Another failure of the network.
    Network(String),
    /// It is no document to check messages with.
    Schema(SchemaError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "read the schema: {error}"),
            Self::TooLarge => write!(
                f,
                "read the schema: it is larger than {} MiB",
                MAX_BYTES >> 20
            ),
            Self::Address => {
                f.write_str("fetch the schema: the address is not one of http, https or file")
            }
            Self::FileUrl => f.write_str(
                "read the schema: a `file:` address has an absolute path on this machine, as in `file:///folder/schema.json`",
            ),
            Self::Status(status) => write!(
                f,
                "fetch the schema: the server answered with status {status}"
            ),
            Self::TimedOut => f.write_str("fetch the schema: the server took too long"),
            Self::TooManyRedirects => {
                f.write_str("fetch the schema: the server redirected too often")
            }
            Self::PrivateRedirect { host } => write!(
                f,
                "fetch the schema: the server redirected to `{host}`, which is in a private network; give that address itself if \
                 you mean it"
            ),
            Self::InsecureRedirect => {
                f.write_str("fetch the schema: the server redirected from https to http")
            }
            Self::Network(reason) => write!(f, "fetch the schema: {reason}"),
            Self::Schema(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// The behaviour without the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnFailure {
    /// Report it, and use the built-in definitions.
    FallBack,
    /// Refuse to run.
    Refuse,
}

/// The document that replaces the built-in definitions, and the definitions in force.
pub(crate) struct Document {
    /// As the user wrote it.
    source: String,
    client: Client,
    /// The state of the document that was read last.
    stamp: Stamp,
    current: Arc<CurrentDefinitions>,
    /// The definitions that were read last.
    definitions: Option<Arc<SchemaDefinitions>>,
}

/// The signs by which a document that did not change is known.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    /// The SHA-256 of the bytes.
    pub(super) digest: Option<[u8; 32]>,
}

/// The result of reading a document again.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Reading {
    Unchanged,
    /// The new definitions are in force.
    Replaced,
}

impl Document {
    /// Reads and compiles a document; without it, refuses or reports the reason.
    pub(crate) fn open(source: &str, on_failure: OnFailure) -> anyhow::Result<Self> {
        Self::open_with(source, on_failure, Client::default())
    }

    pub(super) fn open_with(
        source: &str,
        on_failure: OnFailure,
        client: Client,
    ) -> anyhow::Result<Self> {
        let mut document = Self {
            source: source.to_owned(),
            client,
            stamp: Stamp::default(),
            current: Arc::new(CurrentDefinitions::built_in()),
            definitions: None,
        };
        match (document.refresh(), on_failure) {
            (Ok(_), _) => {}
            (Err(error), OnFailure::Refuse) => return Err(describe(source, &error)),
            (Err(error), OnFailure::FallBack) => {
                let error = describe(source, &error).context("using the built-in definitions");
                output::complain(&error);
            }
        }
        Ok(document)
    }

    /// The definitions in force: those of the document, or the built-in ones until it can be used.
    pub(crate) fn current(&self) -> Arc<CurrentDefinitions> {
        Arc::clone(&self.current)
    }

    /// The definitions of the document; `None` if it could not be used.
    pub(crate) fn definitions(&self) -> Option<Arc<SchemaDefinitions>> {
        self.definitions.clone()
    }

    /// The source as it may be shown.
    pub(super) fn name(&self) -> String {
        without_credentials(&self.source)
    }

    /// Reads the document again, compiles it, and puts it in force; if that fails, the definitions
    /// stay as they are.
    pub(super) fn refresh(&mut self) -> Result<Reading, Error> {
        let Some((bytes, mut stamp)) = fetch(&self.source, &self.client, &self.stamp)? else {
            return Ok(Reading::Unchanged);
        };
        stamp.digest = Some(Sha256::digest(&bytes).into());
        if stamp.digest == self.stamp.digest {
            self.stamp = stamp;
            return Ok(Reading::Unchanged);
        }
        let definitions = SchemaDefinitions::new(&bytes).map_err(Error::Schema)?;
        // Everything now: a message must neither wait for it nor find that it fails.
        definitions.compile().map_err(Error::Schema)?;
        let definitions = Arc::new(definitions);
        self.current.replace(Arc::clone(&definitions) as Arc<_>);
        self.definitions = Some(definitions);
        self.stamp = stamp;
        Ok(Reading::Replaced)
    }
}

/// The bytes of a document; `None` if a server says that they are as they were.
fn fetch(source: &str, client: &Client, last: &Stamp) -> Result<Option<(Vec<u8>, Stamp)>, Error> {
    match Place::of(source)? {
        Place::File(path) => Ok(Some((read(&path)?, Stamp::default()))),
        Place::Url => client.fetch_unless(source, last),
    }
}

/// The definitions of a file or URL, compiled.
pub(super) fn load(source: &str) -> Result<Arc<SchemaDefinitions>, Error> {
    load_with(source, &Client::default())
}

pub(super) fn load_with(source: &str, client: &Client) -> Result<Arc<SchemaDefinitions>, Error> {
    let (bytes, _) = fetch(source, client, &Stamp::default())?.unwrap_or_default();
    let definitions = SchemaDefinitions::new(&bytes).map_err(Error::Schema)?;
    definitions.compile().map_err(Error::Schema)?;
    Ok(Arc::new(definitions))
}

pub(super) fn describe(source: &str, error: &Error) -> anyhow::Error {
    let text = format!("{}: failed to {error}", without_credentials(source));
    anyhow::Error::msg(visible(&text))
}

/// The place of a document.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Place {
    File(PathBuf),
    /// http or https.
    Url,
}

impl Place {
    pub(super) fn of(source: &str) -> Result<Self, Error> {
        match scheme(source) {
            Some("http" | "https") => Ok(Self::Url),
            Some("file") => file_of(&source["file:".len()..]).map(Self::File),
            Some(_) => Err(Error::Address),
            None => Ok(Self::File(source.into())),
        }
    }
}

/// The scheme of a URL in lower case; `None` for a path. A colon alone may be part of a path, and
/// only `file:` has URLs without `//`.
fn scheme(source: &str) -> Option<&'static str> {
    const KNOWN: [&str; 3] = ["http", "https", "file"];
    let (scheme, rest) = source.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let known = KNOWN
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(scheme));
    match known {
        Some("file") => Some("file"),
        _ if !is_scheme || !rest.starts_with("//") => None,
        Some(known) => Some(known),
        None => Some("another"),
    }
}

/// The path of a `file:` URL (RFC 8089), given without its scheme.
fn file_of(rest: &str) -> Result<PathBuf, Error> {
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = match rest.strip_prefix("//") {
        // An authority: this machine, or nobody.
        Some(rest) => {
            let (host, _) = rest.split_once('/').ok_or(Error::FileUrl)?;
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return Err(Error::FileUrl);
            }
            &rest[host.len()..]
        }
        None => rest,
    };
    if !path.starts_with('/') {
        return Err(Error::FileUrl);
    }
    let path: Vec<u8> = percent_decode_str(path).collect();
    if path.contains(&0) {
        return Err(Error::FileUrl);
    }
    path_of(path)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn path_of(path: Vec<u8>) -> Result<PathBuf, Error> {
    use std::os::unix::ffi::OsStringExt;
    Ok(std::ffi::OsString::from_vec(path).into())
}

/// A path such as `/C:/folder/schema.json`.
#[cfg(windows)]
fn path_of(path: Vec<u8>) -> Result<PathBuf, Error> {
    let path = String::from_utf8(path).map_err(|_| Error::FileUrl)?;
    let has_drive = path.as_bytes().get(2) == Some(&b':');
    Ok(path[usize::from(has_drive)..].into())
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::File)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(Error::File)?;
    if bytes.len() as u64 > MAX_BYTES {
        Err(Error::TooLarge)
    } else {
        Ok(bytes)
    }
}

/// A URL as it may be shown: the part before `@` can be a password.
fn without_credentials(source: &str) -> String {
    let is_url = matches!(scheme(source), Some("http" | "https" | "another"));
    if let Some((scheme, rest)) = source.split_once("://").filter(|_| is_url) {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some(at) = authority.rfind('@') {
            return format!("{scheme}://{}", &rest[at + 1..]);
        }
    }
    source.to_owned()
}
