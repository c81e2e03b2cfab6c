//! Print macros stay in the faces and the binaries.

use crossbar_suites::scan::{is_ident, is_punct};
use crossbar_suites::tree::{Tree, Violation};
use proc_macro2::{TokenStream, TokenTree};

const MACROS: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let page = match crate::page(tree) {
        Ok(page) => page,
        Err(found) => return found,
    };
    let mut found = Vec::new();
    for source in tree
        .sources()
        .iter()
        .filter(|source| is_silent(&source.path))
    {
        if source
            .room()
            .is_some_and(|room| page.printers.contains(room))
        {
            continue;
        }
        for (name, line) in printed(&source.shipped) {
            found.push(Violation::at(
                &source.path,
                line,
                format!("{name}! outside a face: write to a writer"),
            ));
        }
    }
    found
}

/// The published crates, their binaries left out.
fn is_silent(path: &str) -> bool {
    let published = path.starts_with("crossbar/src/") || path.starts_with("crossbar-macros/src/");
    published && !path.starts_with("crossbar/src/bin/")
}

fn printed(stream: &TokenStream) -> Vec<(String, usize)> {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            found.extend(printed(&group.stream()));
        }
        let name = MACROS.iter().find(|name| is_ident(Some(token), name));
        if let Some(name) = name.filter(|_| is_punct(tokens.get(at + 1), '!')) {
            found.push(((*name).to_owned(), token.span().start().line));
        }
    }
    found
}

#[test]
fn catches_a_print_in_a_room_and_in_the_front_door() {
    for path in [
        "crossbar/src/check/mcp.rs",
        "crossbar/src/lib.rs",
        "crossbar-macros/src/lib.rs",
    ] {
        for name in ["print", "println", "eprint", "eprintln", "dbg"] {
            let text = format!("//! C.\nfn f() {{ if x {{ {name}!(\"x\") }} }}");
            crate::expect_caught(check, path, &text, &format!("{name}! outside a face"));
        }
    }
}

#[test]
fn allows_faces_binaries_and_tests() {
    let text = "//! C.\nfn f() { println!(\"x\") }";
    crate::expect_allowed(check, "crossbar/src/cli/run.rs", text);
    crate::expect_allowed(check, "crossbar/src/bin/crossbar.rs", text);
    crate::expect_allowed(
        check,
        "crossbar/src/check/mcp.rs",
        "//! C.\n#[cfg(test)]\nfn f() { println!(\"x\") }",
    );
}
