//! Which pages are followed, where their reader begins, and the few commands that are not run. No
//! other page has a command, and no page hides one from the suite.

use super::pages::{self, Block};
use super::session::Place;

/// A page whose commands are run.
#[derive(Debug)]
pub struct Followed {
    /// Its path in the repository.
    pub path: &'static str,
    /// Where its reader begins.
    pub start: Place,
    /// Its commands that are not run, word for word, each with the reason.
    pub not_run: &'static [(&'static str, &'static str)],
}

/// Every page whose commands are run. Each has its test in `console`.
pub const FOLLOWED: [Followed; 5] = [
    Followed {
        path: "README.md",
        start: Place::Clone,
        not_run: &[
            (
                "git clone https://github.com/crossbar-rs/crossbar",
                "it needs the network",
            ),
            ("cargo test --workspace", "it would run this very test"),
            (
                "CROSSBAR_LIVE=1 CROSSBAR_BUDGET_USD=2.50 cargo test --test agents",
                "it calls a model that somebody pays for",
            ),
        ],
    },
    Followed {
        path: "docs/walkthrough.md",
        start: Place::Nowhere,
        not_run: &[
            (
                "git clone https://github.com/crossbar-rs/crossbar",
                "it needs the network",
            ),
            (
                "cargo install --path crossbar/crossbar --features cli,http",
                "it would build all of this once more",
            ),
            (
                "CROSSBAR_LIVE=1 crossbar run --budget 2.50",
                "it calls a model that somebody pays for",
            ),
        ],
    },
    Followed {
        path: "docs/task-authoring.md",
        start: Place::Nowhere,
        not_run: &[],
    },
    Followed {
        path: "docs/replay.md",
        start: Place::Nowhere,
        not_run: &[],
    },
    Followed {
        path: "docs/import.md",
        start: Place::Clone,
        not_run: &[],
    },
];

/// What begins a command, where a block of another kind hides one.
const TYPED: [&str; 4] = ["cargo ", "crossbar ", "git ", "$ "];

/// The page that is shown no `console` block: its commands are the benchmark's, and belong to the
/// tools that it measures.
const BENCHMARK: &str = "docs/performance.md";

/// The page of this path, if its commands are run.
pub fn find(path: &str) -> Option<&'static Followed> {
    FOLLOWED.iter().find(|page| page.path == path)
}

/// The commands of a page that nobody would run, each by its line.
fn unseen(path: &str, text: &str) -> Vec<String> {
    let mut found: Vec<String> = pages::blocks(text)
        .iter()
        .filter_map(|block| {
            let why = escapes(path, block)?;
            Some(format!("{path}:{}: {why}", block.line))
        })
        .collect();
    for (at, line) in text.lines().enumerate() {
        let inner = line.trim_start_matches([' ', '\t', '>']);
        if inner.len() < line.len() && inner.starts_with("```console") {
            found.push(format!(
                "{path}:{}: a block that is indented is not followed",
                at + 1
            ));
        }
    }
    found
}

fn escapes(path: &str, block: &Block) -> Option<&'static str> {
    if block.language == "console" {
        let empty = !block.lines.iter().any(|line| line.starts_with("$ "));
        return match find(path) {
            None => Some("nothing follows this page"),
            Some(_) if empty => Some("no command: what is typed begins with `$ `"),
            Some(_) => None,
        };
    }
    let code = ["toml", "yaml", "rust", "json"].contains(&block.language.as_str());
    let typed = |line: &String| TYPED.iter().any(|start| line.starts_with(start));
    (!code && block.lines.iter().any(typed)).then_some("commands stand in ```console")
}

/// Whoever adds commands to another page adds a line to the table, and a test in `console`.
#[test]
fn no_command_of_any_page_is_passed_over() {
    for path in pages::all() {
        if path != BENCHMARK {
            let found = unseen(&path, &pages::read(&path));
            assert!(found.is_empty(), "{}", found.join("\n"));
        }
    }
    let tests = pages::read("tests/suites/docs/console.rs");
    for page in &FOLLOWED {
        let call = format!("holds({:?});", page.path);
        assert_eq!(tests.matches(&call).count(), 1, "no test of {}", page.path);
    }
}

/// Whoever reads nothing but the README sees the card as a terminal of 100 columns shows it.
#[test]
fn what_the_readme_shows_fits_a_terminal() {
    for block in pages::blocks(&pages::read("README.md")) {
        let wide = block.lines.iter().find(|line| line.chars().count() > 100);
        let shown = block.language == "console";
        assert!(!shown || wide.is_none(), "{}: {wide:?}", block.line);
    }
}

#[test]
fn a_command_that_nobody_would_run_is_found() {
    let seen = |page: &str, text: &str| unseen(page, text).len();
    let block = "```console\n$ crossbar run\n```\n";
    assert_eq!(seen("README.md", block), 0);
    assert_eq!(seen("docs/limitations.md", block), 1);
    assert_eq!(seen("README.md", "```console\ncrossbar run\n```\n"), 1);
    for language in ["", "sh", "text", "bash"] {
        let hidden = format!("```{language}\n$ crossbar run\n```\n");
        assert_eq!(seen("README.md", &hidden), 1, "{language}");
    }
    let indented = "- a list\n  ```console\n  $ crossbar run\n  ```\n";
    assert_eq!(seen("README.md", indented), 1);
    assert_eq!(seen("README.md", "```yaml\ncrossbar run: 1\n```\n"), 0);
}
