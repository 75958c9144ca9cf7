//! Probes a server or a client.

use crate::assemble::assemble;
use crate::options::Options;
use crate::report::Report;
use crate::requirement::Wanted;
use crate::requirements::requirement;
use crate::transport::{Target, Unreachable};
use crate::{client, server};

/// Probes a server, or a client by being its server.
///
/// `tell` is given what is being done, for a line of progress. Of a server that wants
/// authorisation, the report says what those without credentials are told, and has the status in
/// `authorisation`.
///
/// ```no_run
/// use mcp_assay_probe::{Options, Target, probe};
///
/// let options = Options::new(Target::Command(vec!["./server".to_owned()]));
/// let report = probe(&options, &mut |_| ())?;
/// assert_eq!(report.failures().count(), 0);
/// # Ok::<(), mcp_assay_probe::Unreachable>(())
/// ```
pub fn probe(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Report, Unreachable> {
    // The requirements of the prober itself are shown by every step.
    let is_of_one_step = |id: &str| requirement(id).is_some_and(|known| known.family() != "probe");
    let wanted = Wanted::new(options, is_of_one_step);
    let gathered = match &options.target {
        Target::Client(client) => client::run(wanted, client, tell)?,
        Target::Command(_) | Target::Url { .. } => server::run(wanted, tell)?,
    };
    Ok(assemble(options, gathered))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_does_not_exist_is_unreachable() {
        let target = Target::Command(vec!["/no/such/command".to_owned()]);
        let result = probe(&Options::new(target), &mut |_| ());
        assert!(matches!(result, Err(Unreachable::Start(_))));
    }
}
