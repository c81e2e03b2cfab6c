//! Every flag of `cargo nextest run` and `cargo nextest list` has its line in docs/test-face.md and is
//! used here once: the tests run, or nextest turns it away, and what is recorded is what ran.

use crossbar_suites::project::{Output, Project, target};
use crossbar_suites::tree;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What a command comes to.
#[derive(Clone, Copy)]
enum Comes {
    /// So many tests pass, and so many rollouts are recorded.
    To { passed: usize, rollouts: usize },
    /// To nothing that runs, without an error.
    Nothing,
    /// To an error.
    Refused,
}

/// Three rollouts of one case.
const ONE: Comes = Comes::To {
    passed: 1,
    rollouts: 3,
};

/// The builds are used again. Words in braces are filled in.
const REUSED: &str = "--cargo-metadata {cargo} --binaries-metadata {binaries}";

/// Each line of flags with what it comes to.
const LINES: &[(&str, Comes)] = &[
    (
        "--package agent-tests --test agents --color never --no-pager --verbose",
        to(8, 16),
    ),
    (
        "--workspace --exclude shop --tests --locked --offline --frozen good",
        to(2, 6),
    ),
    (
        "--all --lib --bins --examples --benches --build-jobs 2",
        to(1, 0),
    ),
    (
        "-p shop --bin till --example sale --bench speed --no-tests pass",
        Comes::Nothing,
    ),
    (
        "-p shop --release --target {host} --features extra --all-features \
             --no-default-features --test other",
        to(1, 0),
    ),
    (
        "--manifest-path agent-tests/Cargo.toml --cargo-profile dev --target-dir {target} \
             --cargo-verbose one::good",
        ONE,
    ),
    (
        "-p agent-tests --all-targets --ignore-rust-version --future-incompat-report \
             --config term.quiet=false --cargo-message-format short --cargo-quiet --timings \
             one::good",
        ONE,
    ),
    ("-p agent-tests --unit-graph", Comes::Refused),
    ("-p agent-tests -Z unstable-options", Comes::Refused),
    (
        "{reused} --workspace-remap {here} --target-dir-remap {target} --build-dir-remap {target} \
             --partition slice:1/2 --run-ignored all --platform-filter any --ignore-default-filter \
             --filterset test(desk)",
        to(4, 8),
    ),
    ("{reused} --rerun latest", Comes::Refused),
    ("-p agent-tests --no-run", Comes::Nothing),
    (
        "{reused} --test-threads 2 --retries 1 --flaky-result pass --no-fail-fast one::good",
        ONE,
    ),
    ("{reused} --fail-fast one::good", ONE),
    ("{reused} --max-fail 1:wait --no-capture one::good", ONE),
    ("{reused} --debugger env one::good", ONE),
    ("{reused} --tracer env one::good", ONE),
    // The second time what was measured stays.
    ("{reused} --stress-count 2 one::good", ONE),
    ("{reused} --stress-duration 1s one::good", ONE),
    (
        "{reused} --failure-output never --success-output final --status-level all \
             --final-status-level all --no-output-indent --show-progress none --no-input-handler \
             --max-progress-running 3 one::good",
        ONE,
    ),
    (
        "{reused} --message-format libtest-json --message-format-version 0.1 \
             --hide-progress-bar one::good",
        ONE,
    ),
    (
        "--archive-file {archive} --archive-format tar-zst --extract-to {there} \
             --extract-overwrite --workspace-remap {here} one::good",
        ONE,
    ),
    (
        "--archive-file {archive} --persist-extract-tempdir --workspace-remap {here} one::good",
        ONE,
    ),
    (
        "{reused} --config-file {config} --user-config-file none --tool-config-file t:{config} \
             --override-version-check --profile default one::good",
        ONE,
    ),
    ("--help", Comes::Nothing),
    ("{reused} -- --exact desk::one::good+react --skip two", ONE),
];

/// So many tests, so many rollouts.
const fn to(passed: usize, rollouts: usize) -> Comes {
    Comes::To { passed, rollouts }
}

/// What follows is a value, or several; so the words of a line can be told apart.
fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word != "--"
}

/// The flag without a value that is written with it.
fn name(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

/// The flags of a help text, long where there is a long one, with whether a value follows.
fn of_help(help: &str) -> BTreeMap<String, bool> {
    let lines = help.lines().filter(|line| {
        let rest = line.trim_start();
        line.len() - rest.len() <= 6 && rest.starts_with('-')
    });
    let one = |line: &str| {
        let last = line.trim().split(", ").last().unwrap();
        let end = last.find([' ', '[', '.']).unwrap_or(last.len());
        (last[..end].to_owned(), last[end..].starts_with(" <"))
    };
    lines.map(one).collect()
}

fn on_the_page() -> BTreeSet<String> {
    let page = fs::read_to_string(tree::root().join("docs/test-face.md")).unwrap();
    let (_, section) = page.split_once("## Flags of nextest\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `-"));
    let cells = rows.map(|row| row.split(" | ").next().unwrap());
    let words = cells.flat_map(|cell| cell.split('`'));
    words
        .filter(|word| is_flag(word))
        .map(str::to_owned)
        .collect()
}

/// A workspace with tests of two kinds, its builds as files, and what stands in braces.
struct Built {
    project: Project,
    words: BTreeMap<&'static str, String>,
}

impl Built {
    fn new() -> Self {
        let mut project = Project::collector();
        for file in ["src/bin/till.rs", "examples/sale.rs", "benches/speed.rs"] {
            project.write(&format!("shop/{file}"), "fn main() {}\n");
        }
        let shop = project.read("shop/Cargo.toml");
        project.write(
            "shop/Cargo.toml",
            &format!("{shop}\n[features]\nextra = []\n"),
        );
        project.write("nextest.toml", "[profile.default]\nretries = 0\n");
        project.env("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1");
        let said = project.nextest(&[
            "list",
            "--list-type",
            "binaries-only",
            "--message-format",
            "json",
        ]);
        assert_eq!(said.code, Some(0), "{said}");
        project.write("runs/binaries.json", &said.stdout);
        let said = project.cargo(&["metadata", "--format-version", "1"]);
        project.write("runs/cargo.json", &said.stdout);
        let path = |name: &str| project.path().join(name).to_string_lossy().into_owned();
        let words = [
            ("binaries", path("runs/binaries.json")),
            ("cargo", path("runs/cargo.json")),
            ("archive", path("runs/all.tar.zst")),
            ("there", path("runs/there")),
            ("config", path("nextest.toml")),
            ("here", path("")),
            ("target", target().to_string_lossy().into_owned()),
            (
                "host",
                format!("{}-unknown-linux-gnu", std::env::consts::ARCH),
            ),
        ];
        let made = project.nextest(&[
            "archive",
            "--archive-file",
            &path("runs/all.tar.zst"),
            "--zstd-level",
            "1",
        ]);
        assert_eq!(made.code, Some(0), "{made}");
        fs::create_dir(path("runs/there")).unwrap();
        let words = words.into();
        Self { project, words }
    }

    /// The words of a line, those in braces filled in.
    fn words(&self, line: &str) -> Vec<String> {
        let line = line.replace("{reused}", REUSED);
        let filled = |word: &str| {
            let mut word = word.to_owned();
            for (name, value) in &self.words {
                word = word.replace(&format!("{{{name}}}"), value);
            }
            word
        };
        line.split_whitespace().map(filled).collect()
    }

    fn nextest(&self, args: &[String]) -> Output {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.project.nextest(&args)
    }

    /// How many rollouts the record holds, of all runs.
    fn recorded(&self) -> usize {
        let store = self.project.path().join("runs/store.db");
        if !store.is_file() {
            return 0;
        }
        let store = rusqlite::Connection::open(store).unwrap();
        let sql = "SELECT count(*) FROM rollout WHERE state = 'terminal'";
        let count: i64 = store.query_row(sql, [], |row| row.get(0)).unwrap();
        usize::try_from(count).unwrap()
    }
}

#[test]
fn the_page_has_a_line_for_every_flag_and_every_line_is_a_case() {
    let built = Built::new();
    let run = of_help(&built.project.nextest(&["run", "--help"]).stdout);
    let list = of_help(&built.project.nextest(&["list", "--help"]).stdout);
    let all: BTreeSet<String> = run.keys().chain(list.keys()).cloned().collect();
    assert!(all.len() > 80, "{all:?}");
    assert_eq!(on_the_page(), all);
    let mut used = BTreeSet::from(["--list-type".to_owned()]);
    for (line, comes) in LINES {
        let words = built.words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let own = words.iter().take_while(|word| **word != "--");
        used.extend(
            own.filter(|word| is_flag(word))
                .map(|word| name(word).to_owned()),
        );
        used.extend(words.contains(&"-p").then(|| "--package".to_owned()));
        runs(&built, &words, *comes);
        lists(&built, &words, (&list, *comes));
    }
    used.remove("-p");
    assert_eq!(used, all, "every flag is used");
}

fn runs(built: &Built, words: &[&str], comes: Comes) {
    let before = built.recorded();
    let said = built.nextest(
        &[&["run"], words]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
    );
    let recorded = built.recorded() - before;
    match comes {
        Comes::To { passed, rollouts } => {
            assert_eq!(
                (said.code, recorded),
                (Some(0), rollouts),
                "{words:?} {said}"
            );
            let told = format!("{passed} passed");
            let json = said.stdout.contains(&format!("\"passed\":{passed}"));
            let stress = said.stderr.contains("iterations passed");
            let quiet = words.contains(&"--debugger") || words.contains(&"--tracer");
            assert!(
                said.stderr.contains(&told) || json || stress || quiet,
                "{words:?} {said}"
            );
        }
        Comes::Nothing => assert_eq!((said.code, recorded), (Some(0), 0), "{words:?} {said}"),
        Comes::Refused => {
            assert_ne!(said.code, Some(0), "{words:?} {said}");
            assert_eq!(recorded, 0, "{words:?} {said}");
        }
    }
}

/// The same flags, as far as `list` has them: the same names, and nothing begins.
fn lists(built: &Built, words: &[&str], (flags, comes): (&BTreeMap<String, bool>, Comes)) {
    let (mut kept, mut words) = (vec!["list"], words.iter().copied().peekable());
    while let Some(word) = words.next() {
        let known = !is_flag(word)
            || word == "-p"
            || flags.contains_key(name(word)) && word != "--message-format";
        if word == "--" {
            kept.push(word);
            kept.extend(words);
            break;
        }
        // Names of tests stand last, so what follows a flag that is left out is its value.
        if known {
            kept.push(word);
        } else if words
            .peek()
            .is_some_and(|next| !is_flag(next) && !next.contains("::"))
        {
            words.next();
        }
    }
    let Comes::To { passed, .. } = comes else {
        return;
    };
    kept.splice(1..1, ["--message-format", "oneline", "--list-type", "full"]);
    let before = built.recorded();
    let said = built.nextest(
        &kept
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>(),
    );
    assert_eq!(said.code, Some(0), "{kept:?} {said}");
    assert_eq!(said.stdout.lines().count(), passed, "{kept:?} {said}");
    assert_eq!(built.recorded(), before, "a list starts nothing: {kept:?}");
}
