//! Markdown as GitHub reads it: links, anchors of headings, and HTML.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A parsed page.
pub(crate) struct Document<'t> {
    events: Vec<Event<'t>>,
}

impl<'t> Document<'t> {
    pub(crate) fn parse(text: &'t str) -> Self {
        let events = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
        Self { events }
    }

    /// The text of the first heading.
    pub(crate) fn title(&self) -> String {
        self.headings()
            .into_iter()
            .next()
            .map_or_else(String::new, |(_, text)| text)
    }

    /// The anchors of the headings.
    pub(crate) fn anchors(&self) -> Vec<String> {
        self.headings()
            .into_iter()
            .map(|(anchor, _)| anchor)
            .collect()
    }

    /// The targets of links and images.
    pub(crate) fn links(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(&**dest_url)
            }
            _ => None,
        })
    }

    /// The page as HTML, with other targets of its links and images.
    pub(crate) fn html(&self, target: impl Fn(&str) -> String) -> String {
        let mut anchors = self.anchors().into_iter();
        let events = self.events.iter().cloned().map(|event| match event {
            Event::Start(Tag::Heading {
                level,
                classes,
                attrs,
                ..
            }) => Event::Start(Tag::Heading {
                level,
                id: anchors.next().map(CowStr::from),
                classes,
                attrs,
            }),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => Event::Start(Tag::Link {
                link_type,
                dest_url: target(&dest_url).into(),
                title,
                id,
            }),
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => Event::Start(Tag::Image {
                link_type,
                dest_url: target(&dest_url).into(),
                title,
                id,
            }),
            event => event,
        });
        let mut out = String::new();
        html::push_html(&mut out, events);
        out
    }

    /// Anchors and texts of the headings.
    fn headings(&self) -> Vec<(String, String)> {
        let mut headings = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut heading: Option<String> = None;
        for event in &self.events {
            match (event, &mut heading) {
                (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
                (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(text),
                (Event::End(TagEnd::Heading(_)), Some(text)) => {
                    let anchor = anchor(text);
                    let times = seen.entry(anchor.clone()).or_default();
                    let anchor = match *times {
                        0 => anchor,
                        times => format!("{anchor}-{times}"),
                    };
                    *times += 1;
                    headings.push((anchor, std::mem::take(text)));
                    heading = None;
                }
                _ => {}
            }
        }
        headings
    }
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter_map(|character| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        _ if character.is_alphanumeric() => Some(character),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_anchors_of_github() {
        let page = Document::parse("# `check`, and more!\n\n## A\n\ntext\n\n## A\n");
        assert_eq!(page.anchors(), ["check-and-more", "a", "a-1"]);
        assert_eq!(page.title(), "check, and more!");
        let html = page.html(str::to_owned);
        assert!(html.contains("<h2 id=\"a-1\">A</h2>"), "{html}");
    }

    #[test]
    fn links_are_found_and_replaced() {
        let page = Document::parse("[a](b.md#c) ![d](e.svg) `[no](link.md)`");
        assert_eq!(page.links().collect::<Vec<_>>(), ["b.md#c", "e.svg"]);
        let html = page.html(|target| format!("/{target}"));
        assert!(
            html.contains("href=\"/b.md#c\"") && html.contains("src=\"/e.svg\""),
            "{html}"
        );
    }
}
