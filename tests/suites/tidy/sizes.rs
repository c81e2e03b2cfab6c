//! Files of at most 400 code lines and functions of at most 60. The tests of a file count apart.

use std::collections::BTreeSet;

use crossbar_suites::scan::{code_lines, is_ident, is_punct};
use crossbar_suites::tree::{Tree, Violation};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

const FILE: usize = 400;
const FUNCTION: usize = 60;

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for source in tree.sources() {
        let Some(all) = &source.all else { continue };
        let (lines, shipped) = (code_lines(all), code_lines(&source.shipped));
        let tests = lines.difference(&shipped).count();
        for (count, what) in [
            (shipped.len(), "code lines"),
            (tests, "code lines of tests"),
        ] {
            if count > FILE {
                found.push(Violation::of(
                    &source.path,
                    format!("{count} {what}, at most {FILE}"),
                ));
            }
        }
        for (name, line, count) in functions(all) {
            if count > FUNCTION {
                let text = format!("fn {name} has {count} code lines, at most {FUNCTION}");
                found.push(Violation::at(&source.path, line, text));
            }
        }
    }
    found
}

/// Name, line and size of every function, those in macro bodies too.
fn functions(stream: &TokenStream) -> Vec<(String, usize, usize)> {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            found.extend(functions(&group.stream()));
        }
        let Some(TokenTree::Ident(name)) =
            tokens.get(at + 1).filter(|_| is_ident(Some(token), "fn"))
        else {
            continue;
        };
        if let Some(body) = body(&tokens[at..]) {
            found.push((name.to_string(), name.span().start().line, size(body)));
        }
    }
    found
}

fn body(tokens: &[TokenTree]) -> Option<&Group> {
    let until = tokens
        .iter()
        .take_while(|token| !is_punct(Some(token), ';'));
    until.into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    })
}

/// Code lines between the lines of the two braces, as clippy counts them.
fn size(body: &Group) -> usize {
    let braces = [body.span_open().start().line, body.span_close().end().line];
    let inside: BTreeSet<usize> = code_lines(&body.stream())
        .into_iter()
        .filter(|line| !braces.contains(line))
        .collect();
    inside.len()
}

#[test]
fn catches_a_long_file() {
    let path = "crossbar/src/check/long.rs";
    let text = |count: usize| format!("//! L.\n{}", "// words\n\nconst X: u8 = 0;\n".repeat(count));
    crate::expect_caught(check, path, &text(401), "401 code lines, at most 400");
    crate::expect_allowed(check, path, &text(400));
}

#[test]
fn counts_tests_apart() {
    let path = "tests/suites/long.rs";
    let tests = |count: usize| {
        format!(
            "#[cfg(test)]\nmod tests {{\n{}}}\n",
            "const X: u8 = 0;\n".repeat(count)
        )
    };
    let text = format!("//! L.\n{}{}", "const X: u8 = 0;\n".repeat(390), tests(390));
    crate::expect_allowed(check, path, &text);
    crate::expect_caught(
        check,
        path,
        &format!("//! L.\n{}", tests(399)),
        "402 code lines of tests",
    );
}

#[test]
fn catches_a_long_function_in_a_macro_body_too() {
    let path = "crossbar/src/check/long.rs";
    let function = |count: usize| {
        format!(
            "fn long() -> [u8; 2] {{\n{}\n}}",
            "\n// words\nf();".repeat(count)
        )
    };
    crate::expect_caught(
        check,
        path,
        &format!("//! L.\n{}", function(61)),
        "fn long has 61 code lines",
    );
    crate::expect_caught(
        check,
        path,
        &format!("//! L.\nm! {{ {} }}", function(61)),
        "fn long has 61 code lines",
    );
    crate::expect_allowed(check, path, &format!("//! L.\n{}", function(60)));
}
