//! The fidelity of a source: some keep the bytes of the wire, others only what a program made of
//! them.

use mcp_assay::{Layer, LayerSet};

/// Whether bytes are those of the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fidelity {
    /// They are.
    Exact,
    /// A program parsed the message and wrote it anew: white space, repeated keys and the spelling
    /// of numbers are gone.
    Reserialised,
}

impl Fidelity {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Reserialised => "reserialised",
        }
    }

    /// The layers at which something can be said of such bytes. A program that writes messages anew
    /// keeps no HTTP headers, or not all of them.
    pub fn layers(self, wanted: LayerSet) -> LayerSet {
        let lost = |layer| matches!(layer, Layer::Framing | Layer::Http);
        match self {
            Self::Exact => wanted,
            Self::Reserialised => Layer::ALL
                .into_iter()
                .filter(|layer| wanted.contains(*layer) && !lost(*layer))
                .collect(),
        }
    }
}

/// Something that a source does not tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Missing {
    /// The bytes as they were sent.
    RawBytes,
    /// The sender of a message.
    Direction,
    /// The time when it was sent.
    Timing,
    /// In which order the events of a long stream came among the other messages.
    Order,
    /// All HTTP headers, or some.
    Headers,
    /// Bodies of some HTTP responses.
    Bodies,
}

impl Missing {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::RawBytes => "raw bytes",
            Self::Direction => "direction",
            Self::Timing => "timing",
            Self::Order => "order",
            Self::Headers => "http headers",
            Self::Bodies => "bodies",
        }
    }
}

/// A kind of source, as its reader describes it.
#[derive(PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct About {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// A source of this kind, with its article; nothing for our own.
    pub described: Option<&'static str>,
    pub(crate) fidelity: Fidelity,
    pub(crate) missing: &'static [Missing],
    pub(crate) headers_remark: Option<&'static str>,
}

/// The way a source was read, and what it cannot prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The kind of source that it was read as.
    pub about: &'static About,
    /// The fidelity of its messages.
    pub fidelity: Fidelity,
    /// Everything that it does not tell, each once.
    missing: Vec<Missing>,
}

impl Reading {
    /// Whether it is known to lack something.
    pub fn is_missing(&self, what: Missing) -> bool {
        self.missing.contains(&what)
    }

    /// The promise of a kind of source before anything of it is read.
    pub(crate) fn new(about: &'static About) -> Self {
        Self {
            about,
            fidelity: about.fidelity,
            missing: about.missing.to_vec(),
        }
    }

    /// Records that something is missing.
    pub fn lacks(&mut self, missing: Missing) {
        if let Err(place) = self.missing.binary_search(&missing) {
            self.missing.insert(place, missing);
        }
    }

    /// Records that messages were written anew.
    pub fn reserialised(&mut self) {
        self.fidelity = Fidelity::Reserialised;
        self.lacks(Missing::RawBytes);
    }

    /// The names of the missing parts.
    pub fn missing(&self) -> impl Iterator<Item = &'static str> {
        self.missing.iter().map(|missing| missing.name())
    }

    /// One line for people; nothing if the source is one of ours, which tells all there is.
    pub fn sentence(&self) -> Option<String> {
        let what = self.about.described?;
        let mut text = format!("read as {what}");
        let mut reasons: Vec<&str> = Vec::new();
        if self.fidelity == Fidelity::Reserialised {
            reasons
                .push("messages are re-serialised there, so framing and JSON text are not judged");
        }
        for missing in &self.missing {
            match missing {
                Missing::Order => {
                    reasons.push("the order of the events of long streams is inferred");
                }
                Missing::Bodies => reasons.push("some bodies were not recorded"),
                Missing::Headers => reasons.extend(self.about.headers_remark),
                _ => {}
            }
        }
        for (index, reason) in reasons.iter().enumerate() {
            text.push_str(if index == 0 { ": " } else { "; " });
            text.push_str(reason);
        }
        let missing: Vec<_> = self.missing().collect();
        if !missing.is_empty() {
            text.push_str(" (not in it: ");
            text.push_str(&missing.join(", "));
            text.push(')');
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::format;

    #[test]
    fn a_lossy_source_is_not_judged_where_it_cannot_be() {
        let layers = format("claude").reading().fidelity.layers(LayerSet::ALL);
        assert!(!layers.contains(Layer::Framing) && !layers.contains(Layer::Http));
        assert!(layers.contains(Layer::Json) && layers.contains(Layer::Session));
        let capture = format("capture").reading();
        assert_eq!(capture.fidelity.layers(LayerSet::ALL), LayerSet::ALL);
        assert_eq!(capture.sentence(), None);
    }

    #[test]
    fn what_is_missing_is_named_once_and_in_order() {
        let mut reading = format("har").reading();
        reading.lacks(Missing::Bodies);
        reading.lacks(Missing::Order);
        reading.lacks(Missing::Bodies);
        assert_eq!(reading.missing().collect::<Vec<_>>(), ["order", "bodies"]);
        assert_eq!(
            reading.sentence().unwrap(),
            "read as a HAR file: the order of the events of long streams is inferred; some bodies \
             were not recorded (not in it: order, bodies)"
        );
    }
}
