//! report.md: the printed text, without colours, in a fence that its own text can't close.

use super::{Frozen, ReportError, Styles, text};
use std::io::Write;

/// Writes report.md.
///
/// # Errors
/// When the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    _: Styles,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let printed = text::page(frozen, Styles::Plain);
    let fence = "`".repeat(longest_run(&printed).max(2) + 1);
    writeln!(out, "# crossbar: run {}\n", frozen.run_id)?;
    writeln!(out, "Data set {}\n", frozen.dataset_hash)?;
    Ok(write!(out, "{fence}text\n{printed}{fence}\n")?)
}

/// The longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
