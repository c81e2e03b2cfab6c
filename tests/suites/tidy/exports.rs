//! What the published crates offer: lists of names instead of globs, and no `bool` parameters in
//! public functions, since `f(true)` can't be read.

use crossbar_suites::scan::{is_ident, is_punct};
use crossbar_suites::tree::{Tree, Violation};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    let published =
        |path: &str| path.starts_with("crossbar/src/") || path.starts_with("crossbar-macros/src/");
    for source in tree
        .sources()
        .iter()
        .filter(|source| published(&source.path))
    {
        for named in source
            .named()
            .iter()
            .filter(|named| named.segments.last().is_some_and(|last| last == "*"))
        {
            let text = format!("`{}`: list the names", named.segments.join("::"));
            found.push(Violation::at(&source.path, named.line, text));
        }
        for (name, line) in with_bool(&source.shipped) {
            let text = format!("pub fn {name} takes a bool: take an enum, or offer two functions");
            found.push(Violation::at(&source.path, line, text));
        }
    }
    found
}

/// Public functions with a `bool` parameter.
fn with_bool(stream: &TokenStream) -> Vec<(String, usize)> {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            found.extend(with_bool(&group.stream()));
        }
        if !is_ident(Some(token), "pub") {
            continue;
        }
        let words = tokens[at + 1..]
            .iter()
            .take_while(|token| matches!(token, TokenTree::Ident(_)))
            .count();
        let Some(place) = (at + 1..=at + words).find(|place| is_ident(tokens.get(*place), "fn"))
        else {
            continue;
        };
        let (Some(name), Some(group)) = (tokens.get(place + 1), parameters(&tokens[place..]))
        else {
            continue;
        };
        if takes_bool(group) {
            found.push((name.to_string(), name.span().start().line));
        }
    }
    found
}

fn parameters(tokens: &[TokenTree]) -> Option<&Group> {
    tokens.iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    })
}

/// Whether some parameter ends in `: bool`. An assertion takes the asserted fact, and a name
/// before it (`cx.check("one refund only", refunds == 1)`): that parameter is called `holds`.
fn takes_bool(group: &Group) -> bool {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| {
        let ends = tokens.get(at + 1).is_none() || is_punct(tokens.get(at + 1), ',');
        let asserted = at > 1 && is_ident(tokens.get(at - 2), "holds");
        let is_parameter = at > 0 && is_punct(tokens.get(at - 1), ':');
        is_ident(Some(token), "bool") && ends && is_parameter && !asserted
    })
}

#[test]
fn catches_globs() {
    let path = "crossbar/src/check/mcp.rs";
    crate::expect_caught(
        check,
        path,
        "//! C.\npub use crate::domain::*;",
        "list the names",
    );
    crate::expect_caught(
        check,
        path,
        "//! C.\nuse crate::{domain::{Task, *}};",
        "list the names",
    );
    crate::expect_allowed(
        check,
        path,
        "//! C.\nfn f() { a::b * c }\n#[cfg(test)]\nmod tests { use super::*; }",
    );
}

#[test]
fn catches_a_bool_parameter_of_a_public_function() {
    let path = "crossbar/src/check/mcp.rs";
    crate::expect_caught(
        check,
        path,
        "//! C.\nimpl X { pub const fn f(&self, on: bool) {} }",
        "pub fn f takes a bool",
    );
    crate::expect_caught(
        check,
        path,
        "//! C.\npub async fn g(on: bool, n: u8) {}",
        "pub fn g takes a bool",
    );
    crate::expect_allowed(
        check,
        path,
        "//! C.\npub(crate) fn f(on: bool) {}\npub fn g(f: fn(u8) -> bool) -> bool {}",
    );
}
