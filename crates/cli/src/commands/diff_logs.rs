//! `diff-logs`: a validation log against a golden one.

use crate::args::DiffLogsArgs;
use crate::diff_logs::{self, Ids, OnDifference, Request};
use crate::exit::Exit;

pub(crate) fn diff_logs(args: &DiffLogsArgs) -> anyhow::Result<Exit> {
    diff_logs::run(&Request {
        new: &args.new,
        golden: &args.golden,
        ignore: &args.ignore,
        ids: if args.ids {
            Ids::Compared
        } else {
            Ids::Ignored
        },
        format: args.format,
        on_difference: if args.update {
            OnDifference::Update
        } else {
            OnDifference::Fail
        },
    })
}
