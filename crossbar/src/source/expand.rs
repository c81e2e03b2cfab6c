//! `${VAR}` in texts.

use super::diagnostic::{Diagnostic, quoted};
use super::file::Span;

/// Expands `${NAME}` and `${NAME:-default}` (the default also when the value is empty), and turns
/// `$$` into `$`. A `$` before anything else stays. Values and defaults are taken as they are:
/// what looks like a variable in them is not expanded again. `NAME` is a letter or `_`, then
/// letters, digits and `_`; `lookup` gives its value, `None` when it is unset.
///
/// # Errors
/// Every problem, at `span` of the file known by `path`: an unset variable without a default, a
/// `${` that is never closed, and whatever else stands between the braces.
pub fn expand(
    text: &str,
    path: &str,
    span: Span,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<String, Vec<Diagnostic>> {
    let mut out = String::with_capacity(text.len());
    let mut problems = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let Some(inside) = rest.strip_prefix('{') else {
            out.push('$');
            continue;
        };
        let Some((inside, after)) = inside.split_once('}') else {
            problems.push(
                Diagnostic::error(path, span, "`${` is never closed with `}`")
                    .with_help("write `$${` for a literal `${`"),
            );
            rest = "";
            break;
        };
        match value(inside, lookup) {
            Ok(value) => out.push_str(&value),
            Err((message, help)) => {
                problems.push(Diagnostic::error(path, span, message).with_help(help))
            }
        }
        rest = after;
    }
    out.push_str(rest);
    if problems.is_empty() {
        Ok(out)
    } else {
        Err(problems)
    }
}

/// The value of what stands between the braces, or a message and its cure.
fn value(
    inside: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<String, (String, String)> {
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    if !is_name(name) {
        let message = format!("{} is not a variable", quoted(&format!("${{{inside}}}")));
        return Err((
            message,
            "write `${NAME}`, `${NAME:-default}`, or `$${` for a literal `${`".to_owned(),
        ));
    }
    if default.is_some_and(|default| default.contains("${")) {
        let message = format!(
            "the default of variable {} holds a variable itself",
            quoted(name)
        );
        return Err((
            message,
            "defaults are taken as they are: write a fixed text".to_owned(),
        ));
    }
    match (lookup(name), default) {
        (Some(value), None) => Ok(value),
        (Some(value), Some(_)) if !value.is_empty() => Ok(value),
        (_, Some(default)) => Ok(default.to_owned()),
        (None, None) => Err((
            format!("variable {} is not set", quoted(name)),
            format!(
                "set it, give a default with `${{{name}:-...}}`, or write `$${{{name}}}` for the literal text"
            ),
        )),
    }
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Fields, File, Problems, one_line, parse};

    fn expanded(text: &str) -> Result<String, Vec<String>> {
        let lookup = |name: &str| match name {
            "HOME" => Some("/home/${NOPE}".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        let span = Span {
            start: 9,
            end: 12,
            line: 2,
            column: 4,
        };
        expand(text, "roster.yaml", span, &lookup).map_err(|problems| {
            problems
                .iter()
                .map(|one| format!("{}:{}: {}", one.span.line, one.span.column, one.message))
                .collect()
        })
    }

    #[test]
    fn d12_values_defaults_and_dollars() {
        for (text, want) in [
            ("${HOME}/x", "/home/${NOPE}/x"),
            ("${NOPE:-none}", "none"),
            ("${NOPE:-}", ""),
            ("${EMPTY:-none}", "none"),
            ("a${EMPTY}b", "ab"),
            ("$${LITERAL}", "${LITERAL}"),
            ("costs $5 and $", "costs $5 and $"),
            ("$$", "$"),
            ("$$$${HOME}", "$${HOME}"),
            ("$HOME é", "$HOME é"),
        ] {
            assert_eq!(expanded(text).as_deref(), Ok(want), "{text}");
        }
    }

    #[test]
    fn d12_unset_is_an_error_with_name_and_place() {
        assert_eq!(
            expanded("${NOPE}:${HOME}:${OTHER}"),
            Err(vec![
                "2:4: variable `NOPE` is not set".into(),
                "2:4: variable `OTHER` is not set".into()
            ])
        );
    }

    #[test]
    fn d12_the_file_of_the_case() {
        let file = File::new("roster.yaml", include_str!("../../../tests/cases/D12.yaml"));
        let problems = Problems::new(file.path());
        let tree = parse(&file, &problems).unwrap();
        let mut root = Fields::root(&tree, "the roster", &problems).unwrap();
        let providers = root.required("providers").entries().unwrap();
        let mut results = Vec::new();
        for (name, field) in providers[0].1.entries().unwrap() {
            let text = field.text().unwrap();
            let result = expand(text.value, file.path(), text.span, &|_| None);
            results.push((name.value, result.map_err(|all| one_line(&all[0]))));
        }
        assert_eq!(
            results[0],
            ("base_url", Ok("http://127.0.0.1:9".to_owned()))
        );
        let message = results[1].1.clone().unwrap_err();
        assert!(
            message.starts_with("roster.yaml:4:14: variable `NOPE` is not set (set it"),
            "{message}"
        );
        assert_eq!(results[2], ("org", Ok("none".to_owned())));
        assert_eq!(results[3], ("note", Ok("${LITERAL}".to_owned())));
        // a prompt is read without `expand` and stays as it is
        let task = &root.required("tasks").items().unwrap()[0];
        let prompt = task.fields("a task").unwrap().required("prompt").string();
        assert_eq!(
            prompt.as_deref(),
            Some("Print ${HOME} and say it costs $5.")
        );
    }

    #[test]
    fn malformed_variables_are_errors() {
        for text in [
            "${",
            "${HOME",
            "${}",
            "${1A}",
            "${A-b}",
            "${A:?x}",
            "${HOME:-${NOPE}}",
            "${ HOME }",
        ] {
            assert_eq!(expanded(text).map_err(|all| all.len()), Err(1), "{text}");
        }
    }
}
