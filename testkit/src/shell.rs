//! A scripted server and a scripted client in a few lines of shell, for tests that cannot name a
//! program of this workspace: `CARGO_BIN_EXE_...` is there for the package of a program only.

/// A server in a few lines of shell. It speaks one revision, and answers as it is told.
///
/// ```
/// use mcp_assay_testkit::shell::ShellServer;
///
/// let server = ShellServer::new().answer("ping", "{}");
/// assert_eq!(server.command()[0], "sh");
/// ```
#[derive(Clone, Debug)]
pub struct ShellServer {
    capabilities: String,
    info: String,
    cases: String,
    begin: String,
    end: String,
}

impl ShellServer {
    /// A server without capabilities that answers `initialize` only.
    #[must_use]
    pub fn new() -> Self {
        Self {
            capabilities: "{}".to_owned(),
            info: r#"{"name":"sh","version":"1"}"#.to_owned(),
            cases: String::new(),
            begin: String::new(),
            end: String::new(),
        }
    }

    /// Declares these capabilities, a JSON object.
    #[must_use]
    pub fn capabilities(mut self, object: &str) -> Self {
        object.clone_into(&mut self.capabilities);
        self
    }

    /// Says who it is with a JSON object.
    #[must_use]
    pub fn info(mut self, object: &str) -> Self {
        object.clone_into(&mut self.info);
        self
    }

    /// Answers a method with a result, a JSON text.
    #[must_use]
    pub fn answer(self, method: &str, result: &str) -> Self {
        let commands = reply("result", result);
        self.case(&format!(r#"*'"{method}"'*"#), &commands)
    }

    /// Runs commands for lines that fit a pattern of `case` and none of those before it. `$line`
    /// is the line, `$id` the id in it.
    #[must_use]
    pub fn case(mut self, pattern: &str, commands: &str) -> Self {
        let lines = ["    ", pattern, ") ", commands, " ;;\n"];
        self.cases.extend(lines);
        self
    }

    /// Adds cases as they are written in a script.
    #[must_use]
    pub fn cases(mut self, cases: &str) -> Self {
        self.cases.push_str(cases);
        self.cases.push('\n');
        self
    }

    /// Runs commands before the first line.
    #[must_use]
    pub fn begin(mut self, commands: &str) -> Self {
        commands.clone_into(&mut self.begin);
        self
    }

    /// Runs commands after the last line.
    #[must_use]
    pub fn end(mut self, commands: &str) -> Self {
        commands.clone_into(&mut self.end);
        self
    }

    /// The script, for `sh -c`.
    #[must_use]
    pub fn script(&self) -> String {
        let Self {
            capabilities,
            info,
            cases,
            begin,
            end,
        } = self;
        let greeting = format!(
            r#"{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"serverInfo":{info}}}"#
        );
        let greet = reply("result", &greeting);
        format!(
            r#"{begin}
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) {greet} ;;
{cases}  esac
done
{end}
"#
        )
    }

    /// The command that starts it.
    #[must_use]
    pub fn command(&self) -> [String; 3] {
        ["sh".to_owned(), "-c".to_owned(), self.script()]
    }
}

impl Default for ShellServer {
    fn default() -> Self {
        Self::new()
    }
}

/// The command that prints a message with a member beside the id.
fn reply(member: &str, json: &str) -> String {
    let quoted = json.replace('\'', r"'\''");
    format!(r#"printf '{{"jsonrpc":"2.0","id":%s,"{member}":%s}}\n' "$id" '{quoted}'"#)
}

/// The script of a client that greets the server it is told to start, answers pings, asks for the
/// prompts and leaves. `info` is a JSON object.
#[must_use]
pub fn shell_client(info: &str) -> String {
    let script = r#"
fifo=$(mktemp -u)
mkfifo "$fifo"
sh -c "$MCP_ASSAY_SERVER_COMMAND" < "$fifo" | (
  exec 3> "$fifo"
  rm "$fifo"
  printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":INFO}}\n' >&3
  read -r answer
  printf '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"prompts/list"}\n' >&3
  while read -r line; do
    case "$line" in
      *'"ping"'*)
        id=$(printf '%s' "$line" | sed -n 's/.*"id":\("*[a-z0-9-]*"*\).*/\1/p')
        printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" >&3 ;;
      *'"id":2,'*) break ;;
    esac
  done
  exec 3>&-
)
"#;
    script.replace("INFO", info)
}
