//! A diagnostic as text: the long form for a terminal, the one-line form for build scripts.

use super::secret::masked;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Level, Origin, Renderer, Snippet};

use super::diagnostic::{Diagnostic, Severity};
use super::file::{File, Span};

/// Whether terminal escapes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// None.
    Plain,
    /// ANSI styles.
    Ansi,
}

/// The long form: `error: what`, ` --> path:line:column`, the lines concerned with the places
/// underlined, and `help: the cure`. `file` is the one the diagnostic's spans are of; one without a
/// text, which a folder is too, is named alone. There is no line break at the end.
pub fn render(diagnostic: &Diagnostic, file: &File, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // The line that is wrong may hold a key, in its own place or in a wrong one.
    let shown = masked(file.text());
    let place = match file.text().is_empty() {
        true => Element::Origin(Origin::path(diagnostic.path.as_str())),
        false => Element::from(lines(diagnostic, file, &shown)),
    };
    let title = level.primary_title(diagnostic.message.as_str());
    let mut report = vec![title.element(place)];
    if let Some(help) = &diagnostic.help {
        report.push(annotate_snippets::Group::with_title(
            Level::HELP.secondary_title(help.as_str()),
        ));
    }
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    renderer.decor_style(DecorStyle::Ascii).render(&report)
}

/// The lines concerned, as they are shown.
fn lines<'a>(
    diagnostic: &'a Diagnostic,
    file: &File,
    shown: &'a str,
) -> Snippet<'a, Annotation<'a>> {
    let primary = AnnotationKind::Primary.span(on_one_line(file, diagnostic.span));
    let related = diagnostic.related.iter().map(|(span, label)| {
        AnnotationKind::Context
            .span(on_one_line(file, *span))
            .label(label.as_str())
    });
    Snippet::source(shown)
        .path(diagnostic.path.as_str())
        .annotation(primary)
        .annotations(related)
}

/// The short form `path:line:column: message`, with the cure in brackets.
pub fn one_line(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        path,
        span,
        message,
        ..
    } = diagnostic;
    let help = diagnostic
        .help
        .as_ref()
        .map(|help| format!(" ({help})"))
        .unwrap_or_default();
    format!("{path}:{}:{}: {message}{help}", span.line, span.column)
}

/// The bytes to underline: of a value over several lines the first line alone.
fn on_one_line(file: &File, span: Span) -> std::ops::Range<usize> {
    let rest = file.text().get(span.start..span.end).unwrap_or_default();
    let first = rest.lines().next().unwrap_or_default();
    let start = span.start.min(file.text().len());
    start..start + first.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> File {
        File::new("a/b.task.yaml", "id: x\nenv:\n  A: é😀 \"q\"\n  B: 2\n")
    }

    #[test]
    fn a_value_over_several_lines_is_underlined_on_its_first() {
        let file = file();
        let warning = Diagnostic::warning(file.path(), file.span(13, file.text().len()), "odd");
        let want = "\
warning: odd
 --> a/b.task.yaml:3:3
  |
3 |   A: é😀 \"q\"
  |   ^^^^^^^^^^";
        assert_eq!(render(&warning, &file, Colour::Plain), want);
    }

    #[test]
    fn a_place_without_a_text_is_named_alone() {
        let folder = File::new("packs/desk", "");
        let error = Diagnostic::error("packs/desk", Span::START, "no").with_help("mend");
        let want = "error: no\n--> packs/desk\n |\nhelp: mend";
        assert_eq!(render(&error, &folder, Colour::Plain), want);
    }

    #[test]
    fn columns_agree_with_the_span_after_wide_characters() {
        let file = file();
        let at = file.text().find("\"q\"").unwrap();
        let error = Diagnostic::error(file.path(), file.span(at, at + 3), "no");
        assert!(render(&error, &file, Colour::Plain).contains("--> a/b.task.yaml:3:9\n"));
        assert_eq!(one_line(&error), "a/b.task.yaml:3:9: no");
    }

    #[test]
    fn places_at_and_beyond_the_end_are_shown() {
        for text in ["", "a", "a\n"] {
            let file = File::new("f", text);
            let other = Span {
                start: 90,
                end: 99,
                line: 9,
                column: 1,
            };
            for span in [file.span(text.len(), text.len() + 1), Span::START, other] {
                let error = Diagnostic::error("f", span, "no").with_related(other, "there");
                assert!(render(&error, &file, Colour::Plain).starts_with("error: no\n"));
            }
        }
    }

    #[test]
    fn control_characters_cannot_forge_lines_or_colours() {
        let file = File::new("f", "a: \"\u{1b}[31m\u{202e}\"\n");
        let hostile = "x\nerror: forged\u{1b}[2J\u{202e}";
        let error = Diagnostic::error("f", file.span(3, 9), hostile).with_help(hostile);
        let shown = render(&error, &file, Colour::Plain) + &one_line(&error);
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
        assert_eq!(one_line(&error).lines().count(), 1);
        assert!(
            !shown.lines().any(|line| line.starts_with("error: forged")),
            "{shown}"
        );
    }

    #[test]
    fn colour_is_asked_for() {
        let file = file();
        let error = Diagnostic::error(file.path(), file.span(0, 2), "no");
        assert!(render(&error, &file, Colour::Ansi).contains("\u{1b}["));
        assert!(!render(&error, &file, Colour::Plain).contains('\u{1b}'));
    }
}
