//! Paths, test code and code lines of small texts.

use super::*;
use crate::tree::Tree;

fn named(text: &str) -> Vec<String> {
    let shipped = without_tests(text.parse().unwrap(), &mut Vec::new());
    paths(&shipped)
        .into_iter()
        .map(|named| named.segments.join("::"))
        .collect()
}

#[test]
fn spreads_groups_and_sees_macro_bodies() {
    assert_eq!(
        named("use crate::{a, b::{c, self}, d::*};"),
        ["crate::a", "crate::b::c", "crate::b", "crate::d::*"]
    );
    assert_eq!(named("pub(crate) use super::x as y;"), ["super::x"]);
    assert_eq!(
        named("macro_rules! m { () => { $crate::a::f::<u8>() } }"),
        ["crate::a::f"]
    );
    assert_eq!(
        named("fn f(x: &::std::fs::File) { vec![crate::b::g()] }"),
        ["std::fs::File", "crate::b::g"]
    );
}

#[test]
fn leaves_test_code_out() {
    assert_eq!(
        named("#[cfg(test)] mod t { use crate::a; } use crate::b;"),
        ["crate::b"]
    );
    assert_eq!(
        named("#[cfg(test)] use crate::{a, c}; use crate::b;"),
        ["crate::b"]
    );
    assert_eq!(
        named("#[cfg(test)] #[derive(A)] pub(crate) fn f() -> crate::a::X { x } use crate::b;"),
        ["crate::b"]
    );
    assert_eq!(
        named("struct S { #[cfg(test)] x: crate::a::X, y: crate::b::Y }"),
        ["crate::b::Y"]
    );
    assert_eq!(named("#[cfg(not(test))] use crate::a;"), ["crate::a"]);
}

#[test]
fn a_file_that_only_tests_reach_ships_nothing() {
    let tree = Tree::default()
        .with("crossbar/src/a/mod.rs", "mod b;")
        .with("crossbar/src/a/b.rs", "#[cfg(test)] mod tests;")
        .with("crossbar/src/a/b/tests.rs", "use crate::c;")
        .with("crossbar/src/a/tests.rs", "use crate::d;");
    let shipped: Vec<bool> = tree
        .sources()
        .iter()
        .map(|source| source.shipped.is_empty())
        .collect();
    assert_eq!(shipped, [true, true, false, false]);
}

#[test]
fn absolute_paths_follow_super_through_inline_modules() {
    let text: TokenStream = "mod inner { use super::super::super::check::A; }"
        .parse()
        .unwrap();
    let module = ["env".to_owned(), "local".to_owned()];
    assert_eq!(
        absolute(&paths(&text)[0], &module),
        Some(vec!["check".to_owned(), "A".to_owned()])
    );
}

#[test]
fn comments_and_blank_lines_are_no_code() {
    let text: TokenStream = "//! a\n\n/// doc\n// no\nfn f() {\n\n    g(\n    );\n}\n"
        .parse()
        .unwrap();
    assert_eq!(
        code_lines(&text).into_iter().collect::<Vec<_>>(),
        [5, 7, 8, 9]
    );
}
