//! Relative links of Markdown pages lead to a file, and to a heading where they name one.

use crossbar_suites::tree::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| is_page(path)) {
        for (line, target) in links(text) {
            if let Some(problem) = problem(tree, path, &target) {
                found.push(Violation::at(path, line, problem));
            }
        }
    }
    found
}

fn is_page(path: &str) -> bool {
    let fixture = path.contains("/fixtures/") || path.starts_with("tests/cases/");
    path.ends_with(".md") && !fixture
}

/// Targets of inline links outside code, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Every second part of a line split at backticks is code.
        let words: String = line.split('`').step_by(2).collect();
        let targets = words
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'));
        found.extend(targets.map(|(target, _)| (at + 1, target.to_owned())));
    }
    found
}

fn problem(tree: &Tree, page: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target
        .split_once('#')
        .map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let resolved = if path.is_empty() {
        Some(page.to_owned())
    } else {
        resolve(page, path)
    };
    let Some(file) = resolved.filter(|file| tree.exists(file)) else {
        return Some(format!("`{target}` leads nowhere"));
    };
    let heading = anchor.filter(|_| file.ends_with(".md"))?;
    let known = tree
        .text(&file)?
        .lines()
        .any(|line| line.starts_with('#') && slug(line) == heading);
    (!known).then(|| format!("`{target}`: no such heading"))
}

/// The path from the root; `None` above it.
fn resolve(page: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The anchor that a heading gets where Markdown is shown.
fn slug(heading: &str) -> String {
    let kept = heading
        .trim_start_matches('#')
        .trim()
        .chars()
        .filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.flat_map(char::to_lowercase)
        .map(|sign| if sign == ' ' { '-' } else { sign })
        .collect()
}

#[test]
fn catches_links_that_lead_nowhere() {
    let page = "docs/walkthrough.md";
    crate::expect_caught(check, page, "see [x](absent.md)", "leads nowhere");
    crate::expect_caught(check, page, "see [x](../../outside.md)", "leads nowhere");
    crate::expect_caught(
        check,
        page,
        "see [x](architecture.md#no-such-place)",
        "no such heading",
    );
    crate::expect_caught(check, page, "# A\nsee [x](#b)", "no such heading");
}

#[test]
fn allows_files_folders_headings_and_code() {
    let text = "# Big Words!\n[a](architecture.md#rooms-and-floors) [b](../crossbar/src) [c](#big-words)\n\
        `[d](nowhere.md)` [e](https://example.com/x)\n```\n[f](nowhere.md)\n```\n";
    crate::expect_allowed(check, "docs/walkthrough.md", text);
}
