//! `diff-logs`: a validation log against a golden one.

use crate::args::DiffLogsArgs;
use crate::exit::Exit;
use crate::golden::{self, OnDifference, Request};

pub(crate) fn diff_logs(args: &DiffLogsArgs) -> anyhow::Result<Exit> {
    golden::run(&Request {
        new: &args.new,
        golden: &args.golden,
        ignore: &args.ignore,
        format: args.format,
        on_difference: if args.update {
            OnDifference::Update
        } else {
            OnDifference::Fail
        },
    })
}
