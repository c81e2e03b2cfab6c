//! Rust source as token trees: which paths it names, which lines are code, and where its test
//! code begins. Tokens rather than a syntax tree, so that macro bodies are seen as well.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::tree::Tree;

/// A Rust file.
#[derive(Debug)]
pub struct Source {
    /// Path from the root of the repository.
    pub path: String,
    /// Everything in it; `None` when it is not Rust at all.
    pub all: Option<TokenStream>,
    /// Without `#[cfg(test)]` items; empty for a file that only tests reach.
    pub shipped: TokenStream,
}

/// A path as it stands in source, groups of a `use` spread out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The segments; `*` for a glob.
    pub segments: Vec<String>,
    /// Inline modules around it, outermost first.
    pub scope: Vec<String>,
    /// Line, counted from 1.
    pub line: usize,
    /// Whether it names a macro (`path!`).
    pub is_macro: bool,
}

impl Named {
    /// Whether the path begins with these segments.
    pub fn starts(&self, prefix: &[&str]) -> bool {
        self.segments.len() >= prefix.len()
            && self
                .segments
                .iter()
                .zip(prefix)
                .all(|(have, want)| have == want)
    }
}

impl Source {
    /// The room that the file is in; `None` for the front door and for other packages.
    pub fn room(&self) -> Option<&str> {
        let (room, _) = self.path.strip_prefix("crossbar/src/")?.split_once('/')?;
        (!is_door(room)).then_some(room)
    }

    /// The module of the file, from the root of its crate.
    pub fn module(&self) -> Vec<String> {
        let inside = self
            .path
            .split_once("src/")
            .map_or(self.path.as_str(), |(_, inside)| inside);
        let mut module: Vec<String> = inside
            .trim_end_matches(".rs")
            .split('/')
            .map(str::to_owned)
            .collect();
        if module
            .last()
            .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
        {
            module.pop();
        }
        module
    }

    /// The paths that shipped code names.
    pub fn named(&self) -> Vec<Named> {
        paths(&self.shipped)
    }
}

/// Names in `crossbar/src/` that are the front door, not rooms.
pub fn is_door(name: &str) -> bool {
    matches!(name, "bin" | "__private")
}

/// Every Rust file of the tree but fixtures and cases of misuse.
pub fn sources(tree: &Tree) -> Vec<Source> {
    let ours = |path: &str| {
        path.ends_with(".rs") && !path.contains("/fixtures/") && !path.contains("/ui/")
    };
    let mut found = Vec::new();
    let mut test_files = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| ours(path)) {
        let all = text.parse::<TokenStream>().ok();
        let mut test_modules = Vec::new();
        let shipped = all.clone().map_or_else(TokenStream::new, |all| {
            without_tests(all, &mut test_modules)
        });
        let folder = ["mod.rs", "lib.rs", "main.rs"]
            .iter()
            .find_map(|name| path.strip_suffix(name));
        let folder = folder.map_or_else(|| path.replace(".rs", "/"), str::to_owned);
        test_files.extend(
            test_modules
                .into_iter()
                .map(|name| format!("{folder}{name}")),
        );
        found.push(Source {
            path: path.to_owned(),
            all,
            shipped,
        });
    }
    for source in &mut found {
        let stem = source.path.trim_end_matches(".rs");
        if test_files
            .iter()
            .any(|test| stem == test || stem.starts_with(&format!("{test}/")))
        {
            source.shipped = TokenStream::new();
        }
    }
    found
}

/// Drops the items under `#[cfg(test)]`; names of the modules dropped with their own file go to `modules`.
fn without_tests(tokens: TokenStream, modules: &mut Vec<String>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_punct(tokens.get(at), '#') && tokens.get(at + 1).is_some_and(is_cfg_test) {
            let end = item_end(&tokens, at + 2);
            modules.extend(module_of_its_own_file(&tokens[at + 2..end]));
            at = end;
            continue;
        }
        kept.push(match &tokens[at] {
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), without_tests(group.stream(), modules));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other.clone(),
        });
        at += 1;
    }
    kept.into_iter().collect()
}

fn is_cfg_test(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let text = group.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// One past the end of the item (or field, variant, statement) that starts at `at`.
fn item_end(tokens: &[TokenTree], mut at: usize) -> usize {
    const ITEMS: [&str; 14] = [
        "mod",
        "use",
        "fn",
        "struct",
        "enum",
        "impl",
        "const",
        "static",
        "type",
        "trait",
        "async",
        "extern",
        "let",
        "macro_rules",
    ];
    while is_punct(tokens.get(at), '#') {
        at += 2;
    }
    let mut head = at;
    if is_ident(tokens.get(head), "pub") {
        head += 1;
        head += usize::from(matches!(tokens.get(head), Some(TokenTree::Group(_))));
    }
    let is_item = ITEMS.iter().any(|word| is_ident(tokens.get(head), word));
    let is_use = is_ident(tokens.get(head), "use");
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace && is_item && !is_use =>
            {
                break;
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => break,
            TokenTree::Punct(punct) if punct.as_char() == ',' && !is_item => break,
            _ => {}
        }
    }
    at
}

fn module_of_its_own_file(item: &[TokenTree]) -> Option<String> {
    let at = item.iter().position(|token| is_ident(Some(token), "mod"))?;
    is_punct(item.get(at + 2), ';').then(|| item[at + 1].to_string())
}

/// Whether the token is this word.
pub fn is_ident(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if *ident == word)
}

/// Whether the token is this sign.
pub fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Whether `::` stands at this place.
fn is_path_sep(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// All paths of two segments or more, macro bodies included.
pub fn paths(tokens: &TokenStream) -> Vec<Named> {
    let mut found = Vec::new();
    walk(tokens, &mut Vec::new(), &mut found);
    found
}

fn walk(stream: &TokenStream, scope: &mut Vec<String>, found: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if *word == "mod" => {
                let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                else {
                    at += 1;
                    continue;
                };
                scope.push(name.to_string());
                walk(&body.stream(), scope, found);
                scope.pop();
                at += 3;
            }
            TokenTree::Ident(_) => {
                at = path(
                    &tokens,
                    at,
                    &Prefix {
                        segments: &[],
                        scope,
                    },
                    found,
                )
            }
            TokenTree::Group(group) => {
                walk(&group.stream(), scope, found);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// What stands before a path inside the braces of a `use`, and the modules around it.
struct Prefix<'a> {
    segments: &'a [String],
    scope: &'a [String],
}

/// Reads the path that starts at `at`; gives the place after it.
fn path(tokens: &[TokenTree], mut at: usize, prefix: &Prefix<'_>, found: &mut Vec<Named>) -> usize {
    let mut segments = prefix.segments.to_vec();
    let line = tokens[at].span().start().line;
    if !is_ident(tokens.get(at), "self") || segments.is_empty() {
        segments.push(tokens[at].to_string());
    }
    at += 1;
    while is_path_sep(tokens, at) {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(word)) => segments.push(word.to_string()),
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => segments.push("*".to_owned()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                spread(
                    &group.stream(),
                    &Prefix {
                        segments: &segments,
                        scope: prefix.scope,
                    },
                    found,
                );
                return at + 3;
            }
            _ => break,
        }
        at += 3;
    }
    if segments.len() > 1 {
        let is_macro = is_punct(tokens.get(at), '!') && !is_punct(tokens.get(at + 1), '=');
        found.push(Named {
            segments,
            scope: prefix.scope.to_vec(),
            line,
            is_macro,
        });
    }
    at
}

/// The entries of `use a::{..}`.
fn spread(stream: &TokenStream, prefix: &Prefix<'_>, found: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if *word == "as" => at += 2,
            TokenTree::Ident(_) => at = path(&tokens, at, prefix, found),
            TokenTree::Punct(star) if star.as_char() == '*' => {
                let mut segments = prefix.segments.to_vec();
                segments.push("*".to_owned());
                found.push(Named {
                    segments,
                    scope: prefix.scope.to_vec(),
                    line: star.span().start().line,
                    is_macro: false,
                });
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// The path from the root of the crate, where it is one of the crate: `crate::`, `crossbar::`, `self::`, `super::`.
pub fn absolute(named: &Named, module: &[String]) -> Option<Vec<String>> {
    let mut here: Vec<String> = module.iter().chain(&named.scope).cloned().collect();
    let supers = named
        .segments
        .iter()
        .take_while(|segment| *segment == "super")
        .count();
    let rest = match named.segments.first()?.as_str() {
        "crate" | "crossbar" => return Some(named.segments[1..].to_vec()),
        "super" => {
            here.truncate(here.len().saturating_sub(supers));
            &named.segments[supers..]
        }
        "self" => &named.segments[1..],
        _ => return None,
    };
    here.extend_from_slice(rest);
    Some(here)
}

/// The lines that hold code: no comment, no blank line.
pub fn code_lines(tokens: &TokenStream) -> BTreeSet<usize> {
    let mut lines = BTreeSet::new();
    mark(tokens, &mut lines);
    lines
}

fn mark(stream: &TokenStream, lines: &mut BTreeSet<usize>) {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let skip = usize::from(is_punct(tokens.get(at + 1), '!')) + 1;
        if is_punct(tokens.get(at), '#') && tokens.get(at + skip).is_some_and(is_doc) {
            at += skip + 1;
            continue;
        }
        match &tokens[at] {
            TokenTree::Group(group) => {
                lines.insert(group.span_open().start().line);
                lines.insert(group.span_close().end().line);
                mark(&group.stream(), lines);
            }
            token => lines.extend(token.span().start().line..=token.span().end().line),
        }
        at += 1;
    }
}

/// Whether the brackets after `#` are what a doc comment turns into.
fn is_doc(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let mut inner = group.stream().into_iter();
    is_ident(inner.next().as_ref(), "doc") && is_punct(inner.next().as_ref(), '=')
}

#[cfg(test)]
mod tests;
