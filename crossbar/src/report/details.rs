//! What report.md holds below the printed text: the figures behind it that not everybody needs.

use super::page::Page;
use super::{Frozen, Styles, cross_check, factors, front, patterns, prune, slices, tasks, times};

/// The details, at most 100 columns wide.
pub(super) fn page(frozen: &Frozen<'_>) -> String {
    let mut page = Page::new(Styles::Plain);
    factors::write(&mut page, frozen);
    front::write(&mut page, frozen.analysis);
    times::write(&mut page, frozen.analysis);
    patterns::write(&mut page, frozen.analysis);
    tasks::write(&mut page, frozen.analysis);
    prune::details(&mut page, frozen.analysis);
    slices::write(&mut page, frozen.analysis);
    cross_check::write(&mut page, frozen.analysis);
    page.finish()
}
