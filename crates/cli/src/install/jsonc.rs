//! Servers in JSON, with or without comments.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::document::{Arguments, Details, Gap, Launch, Server, Start, Text, located, own_line};

/// The notation of clients: comments and trailing commas, but nothing else beyond JSON.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The members that hold servers, for Claude and for VS Code.
const GROUPS: [&str; 2] = ["mcpServers", "servers"];

/// The servers in a text; the fault begins with `line:column: `.
pub(super) fn read(text: &str) -> Result<Vec<Server>, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map_err(|error| {
        let message = error.kind().to_string();
        located(text, error.range().start, &lower_first(&message))
    })?;
    // Some clients make an empty file first.
    let Some(root) = parsed.value else {
        return Ok(Vec::new());
    };
    let Value::Object(root) = root else {
        return Err(located(text, 0, "expected an object"));
    };
    let mut servers = Vec::new();
    add_groups(text, &root, None, &mut servers);
    // Settings of VS Code have them a level deeper.
    if let Some(Value::Object(deeper)) = member(&root, "mcp") {
        add_groups(text, deeper, None, &mut servers);
    }
    if let Some(Value::Object(projects)) = member(&root, "projects") {
        for project in &projects.properties {
            if let Value::Object(settings) = &project.value {
                add_groups(text, settings, Some(project.name.as_str()), &mut servers);
            }
        }
    }
    Ok(servers)
}

fn add_groups(text: &str, object: &Object<'_>, project: Option<&str>, servers: &mut Vec<Server>) {
    for name in GROUPS {
        let Some(Value::Object(group)) = member(object, name) else {
            continue;
        };
        servers.extend(group.properties.iter().map(|server| Server {
            project: project.map(str::to_owned),
            name: server.name.as_str().to_owned(),
            start: start(text, &server.value),
            group: name,
            details: details(&server.value),
        }));
    }
}

/// The members with the address of a server.
const URLS: [&str; 3] = ["url", "serverUrl", "httpUrl"];

fn details(server: &Value<'_>) -> Details {
    let Value::Object(server) = server else {
        return Details::default();
    };
    let text = |name| {
        member(server, name)
            .and_then(text_of)
            .map(|text| text.value)
    };
    let pairs = |name| match member(server, name) {
        Some(Value::Object(pairs)) => pairs.properties.iter().filter_map(pair).collect(),
        _ => Vec::new(),
    };
    Details {
        environment: pairs("env"),
        folder: text("cwd"),
        url: URLS.into_iter().find_map(text),
        headers: pairs("headers"),
    }
}

fn pair(property: &ObjectProp<'_>) -> Option<(String, String)> {
    let value = text_of(&property.value)?.value;
    Some((property.name.as_str().to_owned(), value))
}

fn start(text: &str, server: &Value<'_>) -> Start {
    let Value::Object(server) = server else {
        return Start::Unclear("it is not an object");
    };
    if let Some(name) = URLS.into_iter().find(|name| member(server, name).is_some()) {
        return Start::Remote(name);
    }
    if let Some(Value::StringLit(kind)) = member(server, "type")
        && kind.value != "stdio"
    {
        return Start::Remote("type");
    }
    let repeats = |name| server.properties.iter().filter(|it| is(it, name)).count() > 1;
    if repeats("command") || repeats("args") {
        return Start::Unclear("its command is given twice");
    }
    let Some(property) = server.properties.iter().find(|it| is(it, "command")) else {
        return Start::Unclear("it has no command");
    };
    let Some(command) = text_of(&property.value) else {
        return Start::Unclear("its command is not a string");
    };
    let arguments = match member(server, "args") {
        None => None,
        Some(Value::Array(array)) => {
            let items: Option<Vec<_>> = array.elements.iter().map(text_of).collect();
            let Some(items) = items else {
                return Start::Unclear("one of its arguments is not a string");
            };
            let range = array.range.start..array.range.end;
            Some(Arguments { items, range })
        }
        Some(_) => return Start::Unclear("its arguments are not an array"),
    };
    let gap = Gap {
        at: command.range.end,
        before: before_arguments(text, property, command.range.start),
    };
    Start::Command(Launch {
        command,
        arguments,
        gap,
    })
}

/// The text before the array of arguments, in the manner of the command's member.
fn before_arguments(text: &str, command: &ObjectProp<'_>, value: usize) -> String {
    let tight = text[..value].ends_with(':');
    let key = if tight { "\"args\":" } else { "\"args\": " };
    match own_line(text, command.range.start) {
        Some(line) => format!(",{line}{key}"),
        None if tight => format!(",{key}"),
        None => format!(", {key}"),
    }
}

fn text_of(value: &Value<'_>) -> Option<Text> {
    let Value::StringLit(literal) = value else {
        return None;
    };
    Some(Text {
        value: literal.value.clone().into_owned(),
        range: literal.range.start..literal.range.end,
    })
}

/// The last one of a repeated member counts, as in most parsers.
fn member<'o, 't>(object: &'o Object<'t>, name: &str) -> Option<&'o Value<'t>> {
    let mut found = object.properties.iter().rev();
    found.find(|it| is(it, name)).map(|it| &it.value)
}

fn is(property: &ObjectProp<'_>, name: &str) -> bool {
    property.name.as_str() == name
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}
