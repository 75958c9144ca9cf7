//! The whole comparison, from files to the exit code.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::align::{Step, align};
use super::fields::{Ids, Ignored};
use super::show::{Human, Json, Show, Totals};
use super::stream::{Index, Stream};
use super::update;
use crate::args::ListFormat;
use crate::exit::Exit;
use crate::input::Meter;
use crate::output;

/// The request.
pub(crate) struct Request<'a> {
    pub(crate) new: &'a Path,
    pub(crate) golden: &'a Path,
    /// Members that do not count, beyond those that differ from run to run.
    pub(crate) ignore: &'a [String],
    pub(crate) ids: Ids,
    pub(crate) format: ListFormat,
    /// Whether the golden log is replaced by the new one.
    pub(crate) on_difference: OnDifference,
}

/// The consequence of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnDifference {
    /// Exit code 1.
    Fail,
    /// A new golden log.
    Update,
}

/// Compares two logs and shows the difference.
pub(crate) fn run(request: &Request<'_>) -> anyhow::Result<Exit> {
    let ignored = Ignored::volatile(request.ids).and(request.ignore);
    let meter = Meter::default();
    let update = request.on_difference == OnDifference::Update;
    let new = Stream::open(request.new, &meter)?.index(&ignored)?;
    let exists = request.golden.try_exists().unwrap_or(true);
    if !exists && !update {
        let golden = request.golden.display();
        anyhow::bail!(
            "failed to read {golden}: there is no golden log yet; --update writes it from {}",
            request.new.display()
        );
    }
    let golden = if exists {
        Stream::open(request.golden, &meter)?.index(&ignored)?
    } else {
        Index::default()
    };
    let steps = align(&golden.prints, &new.prints);
    let totals = Totals::of(&steps, golden.prints.len(), new.prints.len());
    let shown = show(request, &ignored, &meter, (&golden, &new), &steps, &totals);
    output::unless_closed(shown)?;
    let malformed = complain(&[&golden, &new]);
    if update {
        if new.malformed_count > 0 {
            anyhow::bail!(
                "{} is not written: not all of the new log could be read",
                request.golden.display()
            );
        }
        // A log that is equal, except for ignored members, stays as it is.
        if totals.are_different() || !exists || golden.malformed_count > 0 {
            update::write(request.new, request.golden, request.ids, &meter)?;
            output::say(&format!(
                "{} now has {} events",
                request.golden.display(),
                new.prints.len()
            ));
        }
        return Ok(Exit::Clean);
    }
    Ok(match (malformed, totals.are_different()) {
        (true, _) => Exit::CouldNotRun,
        (false, true) => Exit::Violations,
        (false, false) => Exit::Clean,
    })
}

fn show(
    request: &Request<'_>,
    ignored: &Ignored,
    meter: &Meter,
    (golden, new): (&Index, &Index),
    steps: &[Step],
    totals: &Totals,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let names: [PathBuf; 2] = [request.golden.to_owned(), request.new.to_owned()];
    let mut show: Box<dyn Show> = match request.format {
        ListFormat::Human => Box::new(Human::default()),
        ListFormat::Json => Box::new(Json::default()),
    };
    show.begin(&names, totals, &mut out)?;
    // The steps follow both logs, so each is read from its beginning to the last difference.
    let mut streams: Option<(Stream<'_>, Stream<'_>)> = None;
    for &step in steps {
        if let Step::Equal(count) = step {
            show.equal(count, &mut out)?;
            continue;
        }
        if streams.is_none() {
            let golden = if golden.lines.is_empty() {
                // There may be no file.
                Stream::open(request.new, meter)?
            } else {
                Stream::open(request.golden, meter)?
            };
            streams = Some((golden, Stream::open(request.new, meter)?));
        }
        let Some((old_stream, new_stream)) = &mut streams else {
            continue;
        };
        match step {
            Step::Equal(_) => {}
            Step::Changed {
                golden: old,
                new: at,
            } => {
                let (old_line, new_line) = (golden.lines[old], new.lines[at]);
                let old = old_stream.event(old_line, ignored)?;
                let new = new_stream.event(new_line, ignored)?;
                show.changed((old_line, &old), (new_line, &new), &mut out)?;
            }
            Step::Removed(at) => {
                let line = golden.lines[at];
                show.removed(line, &old_stream.event(line, ignored)?, &mut out)?;
            }
            Step::Added(at) => {
                let line = new.lines[at];
                show.added(line, &new_stream.event(line, ignored)?, &mut out)?;
            }
        }
    }
    show.finish(totals, &mut out)?;
    Ok(out.flush()?)
}

/// Reports lines that are no events; returns whether there are any.
fn complain(indexes: &[&Index]) -> bool {
    for index in indexes {
        for line in &index.malformed {
            output::say(line);
        }
        let rest = index.malformed_count - index.malformed.len();
        if rest > 0 {
            output::say(&format!("and {rest} further lines"));
        }
    }
    indexes.iter().any(|index| index.malformed_count > 0)
}
