//! report.md: the printed text, without colours, and below it the details, each in a fence that
//! its own text can't close.

use super::{Frozen, ReportError, Styles, details, text};
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
    writeln!(out, "# crossbar: run {}\n", frozen.run_id)?;
    writeln!(out, "Data set {}\n", frozen.dataset_hash)?;
    fenced(out, &text::page(frozen, Styles::Plain))?;
    let further = details::page(frozen);
    if !further.is_empty() {
        writeln!(out, "\n## Details\n")?;
        fenced(out, &further)?;
    }
    Ok(())
}

fn fenced(out: &mut dyn Write, text: &str) -> Result<(), ReportError> {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    Ok(write!(out, "{fence}text\n{text}{fence}\n")?)
}

/// The longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
