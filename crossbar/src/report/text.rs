//! The whole printed report, in the order in which people read it.

use super::page::Page;
use super::{
    Frozen, ReportError, Styles, card, delta, failures, matrix, money, noise, notices, origin,
    prune, safety, watch,
};
use crate::domain::unmet_lines;
use std::io::Write;

/// Writes the printed report.
///
/// # Errors
/// When the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    styles: Styles,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    Ok(out.write_all(page(frozen, styles).as_bytes())?)
}

/// The printed report.
pub(super) fn page(frozen: &Frozen<'_>, styles: Styles) -> String {
    let mut page = Page::new(styles);
    card::write(&mut page, frozen);
    matrix::write(&mut page, frozen.analysis);
    delta::details(&mut page, frozen.analysis);
    failures::write(&mut page, frozen.analysis);
    noise::write(&mut page, frozen.analysis);
    prune::write(&mut page, frozen.analysis, "report.md");
    watch::write(&mut page, frozen.analysis);
    notices::write(&mut page, frozen.analysis, &unmet_lines(&frozen.meta.unmet));
    safety::write(&mut page, frozen.analysis);
    money::write(&mut page, frozen);
    origin::environment(&mut page, frozen);
    page.finish()
}
