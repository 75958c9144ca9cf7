//! Text in HTML, and the frame of a page.

/// Text that is no markup.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A sentence with names in backticks.
pub(crate) fn sentence(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = escape(part);
        if index % 2 == 1 {
            format!("<code>{part}</code>")
        } else {
            part
        }
    });
    parts.collect()
}

/// The scripts of a page.
#[derive(Clone, Copy)]
pub(crate) enum Scripts {
    None,
    /// One module, which may start WebAssembly.
    Module(&'static str),
}

/// A page of the site.
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    /// The way from the page to the root of the site: `../../` or nothing.
    pub(crate) root: &'a str,
    pub(crate) navigation: &'a str,
    pub(crate) main: &'a str,
    pub(crate) scripts: Scripts,
}

impl Frame<'_> {
    /// The whole page.
    pub(crate) fn page(&self) -> String {
        let Self {
            title,
            root,
            navigation,
            main,
            scripts,
        } = self;
        let title = escape(title);
        let (policy, script) = match scripts {
            Scripts::None => ("", String::new()),
            Scripts::Module(name) => (
                "; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
                format!("<script type=\"module\" src=\"{root}{name}\"></script>\n"),
            ),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'self'; img-src 'self'{policy}\">\n\
             <title>{title} – mcp-assay</title>\n\
             <link rel=\"icon\" href=\"{root}icon.svg\">\n\
             <link rel=\"stylesheet\" href=\"{root}site.css\">\n{script}</head>\n<body>\n\
             <nav>\n{navigation}</nav>\n<main>\n{main}</main>\n</body>\n</html>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(escape("<a b=\"&\">"), "&lt;a b=&quot;&amp;&quot;&gt;");
        assert_eq!(sentence("`a<b` is"), "<code>a&lt;b</code> is");
    }
}
