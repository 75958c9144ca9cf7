//! `[gateway]`: the address to listen on, and the server behind each path.

use mcp_assay::toml_keys::{self as keys, Fault, Value};
use mcp_assay_gateway::Upstream;

use crate::args::MemorySize;
use crate::suggest;

/// The table `[gateway]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatewayTable {
    /// The address to listen on.
    pub(crate) listen: Option<String>,
    /// The memory for all connections together.
    pub(crate) max_memory: Option<MemorySize>,
    /// Servers by the beginning of their paths, in the order of the file.
    pub(crate) upstreams: Vec<Upstream>,
}

/// Its keys.
pub(super) const KEYS: [&str; 3] = ["listen", "max_memory", "upstreams"];

/// Reads the table.
pub(super) fn gateway(value: Value<'_>) -> Result<GatewayTable, Fault> {
    let mut gateway = GatewayTable::default();
    for (key, value) in keys::members(keys::table(value, "`gateway`")?) {
        match key.text {
            "listen" => gateway.listen = Some(keys::text(value, "`listen`")?.text.to_owned()),
            "max_memory" => {
                let size = keys::text(value, "`max_memory`")?;
                let parsed = size.text.parse().map_err(|wrong: &str| size.fault(wrong));
                gateway.max_memory = Some(parsed?);
            }
            "upstreams" => {
                for (prefix, url) in keys::members(keys::table(value, "`upstreams`")?) {
                    let text = keys::text(url, &format!("the server of `{}`", prefix.text))?;
                    let prefixed = Upstream::check_prefix(prefix.text);
                    prefixed.map_err(|wrong| prefix.fault(wrong))?;
                    let upstream = Upstream::new(prefix.text, text.text);
                    let upstream = upstream.map_err(|wrong| text.fault(wrong.to_string()))?;
                    gateway.upstreams.push(upstream);
                }
            }
            _ => {
                let unknown = suggest::unknown_text("key", key.text, KEYS.into_iter());
                return Err(key.fault(unknown));
            }
        }
    }
    Ok(gateway)
}
