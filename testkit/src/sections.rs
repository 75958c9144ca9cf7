//! Dialogues stand in the fenced blocks of Markdown files, under headings that say what they show.

/// A heading of the second level, and what stands below it.
#[derive(Debug)]
pub struct Section<'a> {
    /// The text of the heading.
    pub heading: &'a str,
    /// The lines outside of blocks that are not empty.
    pub prose: Vec<&'a str>,
    /// The fenced blocks.
    pub blocks: Vec<Block<'a>>,
}

/// A fenced block.
#[derive(Debug)]
pub struct Block<'a> {
    /// The words behind the fence.
    pub info: &'a str,
    /// The lines between the fences.
    pub lines: Vec<&'a str>,
}

/// The sections of a Markdown file.
///
/// # Errors
///
/// If a block stands before the first heading or is not closed.
pub fn sections(text: &str) -> Result<Vec<Section<'_>>, String> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in text.lines() {
        let fence = line.strip_prefix("```");
        match (open.take(), fence) {
            (Some(block), Some(_)) => sections
                .last_mut()
                .ok_or_else(|| format!("`{}` stands under no heading", block.info))?
                .blocks
                .push(block),
            (Some(mut block), None) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, Some(info)) => {
                let lines = Vec::new();
                open = Some(Block { info, lines });
            }
            (None, None) => match (line.strip_prefix("## "), sections.last_mut()) {
                (Some(heading), _) => sections.push(Section {
                    heading,
                    prose: Vec::new(),
                    blocks: Vec::new(),
                }),
                (None, Some(section)) if !line.trim().is_empty() => section.prose.push(line),
                (None, _) => {}
            },
        }
    }
    match open {
        Some(block) => Err(format!("`{}` is not closed", block.info)),
        None => Ok(sections),
    }
}

/// The fenced blocks among lines, whatever stands between them.
///
/// # Errors
///
/// If a block is not closed.
pub fn blocks<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Vec<Block<'a>>, String> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in lines {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let lines = Vec::new();
                open = Some(Block { info, lines });
            }
            (None, None) => {}
            (Some(block), None) => block.lines.push(line),
            (Some(_), Some(_)) => blocks.extend(open.take()),
        }
    }
    match open {
        Some(block) => Err(format!("`{}` is not closed", block.info)),
        None => Ok(blocks),
    }
}
