//! Expectations of a server as a whole, and of a call that has to fail.

use std::time::Duration;

use mcp_assay::registry::SchemaRegistry;
use serde_json::Value;

use crate::{Error, Harness, RpcError, Tool};

/// How long a server is listened to before it is called clean.
const QUIET: Duration = Duration::from_millis(50);

/// Names listed where one is not found.
const MOST_NAMES: usize = 30;

impl Harness {
    /// The tool of this name; fails if the server does not list it.
    ///
    /// ```no_run
    /// # fn a_test() -> Result<(), mcp_assay_harness::Error> {
    /// # let mut server = mcp_assay_harness::Harness::spawn(["./server"])?;
    /// server.expect_tool("forecast")?.expect_required("city")?.expect_read_only()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn expect_tool(&mut self, name: &str) -> Result<Tool, Error> {
        let tools = self.list_tools()?;
        let names: Vec<String> = tools
            .iter()
            .take(MOST_NAMES)
            .map(|tool| format!("`{}`", tool.name))
            .collect();
        let (count, more) = (
            tools.len(),
            if tools.len() > MOST_NAMES {
                ", …"
            } else {
                ""
            },
        );
        tools
            .into_iter()
            .find(|tool| tool.name == name)
            .ok_or_else(|| {
                Error::Unmet(match count {
                    0 => format!("there is no tool `{name}`: the server lists none"),
                    _ => format!(
                        "there is no tool `{name}`: the server lists {}{more}",
                        names.join(", ")
                    ),
                })
            })
    }

    /// Fails unless the schemas of every tool can be used: they are JSON Schema, refer to nothing
    /// outside, and arguments are an object.
    pub fn expect_schema_valid(&mut self) -> Result<(), Error> {
        let registry = SchemaRegistry::default();
        let mut faults = Vec::new();
        for tool in self.list_tools()? {
            let name = &tool.name;
            if tool.input_schema["type"] != "object" {
                faults.push(format!(
                    "the `inputSchema` of `{name}` is not of the type `object`"
                ));
            }
            let schemas = [
                ("inputSchema", Some(&tool.input_schema)),
                ("outputSchema", tool.output_schema.as_ref()),
            ];
            for (member, schema) in schemas {
                if let Some(schema) = schema
                    && let Err(error) = load(&registry, schema, &format!("`{member}` of `{name}`"))
                {
                    faults.push(error);
                }
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Error::Unmet(faults.join("\n")))
        }
    }

    /// Fails if the server broke a rule since the beginning, also one that was reported before.
    /// The levels are those that fail a call.
    pub fn expect_no_violations(&mut self) -> Result<(), Error> {
        self.listen(QUIET)?;
        let found = self.tell(0, self.strictness.level);
        if found.is_empty() {
            Ok(())
        } else {
            Err(Error::Violations(found))
        }
    }
}

fn load(registry: &SchemaRegistry, schema: &Value, location: &str) -> Result<(), String> {
    match registry.load_text(schema.to_string().as_bytes(), location) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.message),
    }
}

/// Expectations of a call that has to fail.
pub trait ExpectError {
    /// Gives the error if the server answered with this code, and fails otherwise.
    ///
    /// ```no_run
    /// use mcp_assay_harness::ExpectError;
    /// # fn a_test() -> Result<(), mcp_assay_harness::Error> {
    /// # let mut server = mcp_assay_harness::Harness::spawn(["./server"])?;
    /// let error = server.read_resource("test://nothing").expect_error(-32002)?;
    /// assert!(error.message.contains("not found"));
    /// # Ok(())
    /// # }
    /// ```
    fn expect_error(self, code: i64) -> Result<RpcError, Error>;
}

impl<T> ExpectError for Result<T, Error> {
    fn expect_error(self, code: i64) -> Result<RpcError, Error> {
        match self {
            Ok(_) => Err(Error::Unmet(format!(
                "the server answered with a result, expected error {code}"
            ))),
            Err(Error::Refused { error, .. }) if error.code == code => Ok(error),
            Err(Error::Refused { method, error }) => Err(Error::Unmet(format!(
                "{method} was answered with error {}: {}; expected error {code}",
                error.code, error.message
            ))),
            // Nothing else is an answer.
            Err(other) => Err(other),
        }
    }
}
