//! Parts of exchanges in the order in which they came.

use std::time::Duration;

use bytes::Bytes;
use mcp_assay::Revision;
use mcp_assay_capture::Gap;
use mcp_assay_live::http::{Identity, header_pairs};
use mcp_assay_live::record::{HttpRecord, RecordWriter};

use super::http_part::HttpPart;

/// The size of a head: it keeps alive what was read with it, mostly as much as is read at once.
pub(crate) const HEAD: usize = 8 << 10;

/// A part of an exchange that somebody sent.
pub(crate) struct Seen {
    pub(crate) session: u64,
    pub(crate) exchange: i64,
    /// The client.
    pub(crate) identity: Identity,
    /// The revision that its head names, or that of its request.
    pub(crate) revision: Option<Revision>,
    pub(crate) part: HttpPart,
    pub(crate) body: Option<Bytes>,
    /// Whether its body is a message, whatever it is like.
    pub(crate) is_message: bool,
    /// Whether something of the session is not seen after it.
    pub(crate) gap_after: bool,
}

/// A part with its place.
pub(crate) struct Numbered {
    pub(crate) line: u64,
    pub(crate) time: Duration,
    pub(crate) gap: Option<Gap>,
    pub(crate) seen: Seen,
}

impl Numbered {
    /// The memory that it keeps alive.
    pub(crate) fn size(&self) -> usize {
        let head = match self.seen.part {
            HttpPart::Request(_) | HttpPart::Response(_) => HEAD,
            HttpPart::Event { .. } | HttpPart::End { .. } => 1,
        };
        head + self.seen.body.as_ref().map_or(0, Bytes::len)
    }

    /// Its record.
    pub(crate) fn record<'w>(&self, writer: &'w mut RecordWriter) -> &'w str {
        let seen = &self.seen;
        let texts = seen.part.texts();
        let reason = match &seen.part {
            HttpPart::Response(head) => head.reason(),
            _ => None,
        };
        writer.http(&HttpRecord {
            time: self.time,
            exchange: seen.exchange,
            direction: seen.part.direction(),
            session: &seen.session.to_string(),
            gap: self.gap.map(Gap::name),
            part: seen.part.part(&header_pairs(&texts)),
            reason: reason.as_deref(),
            body: seen.body.as_deref(),
        })
    }
}
