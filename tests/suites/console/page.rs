//! One page: its files are laid out beside each other, and trycmd types its commands there.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crossbar_suites::blocks::blocks;
use crossbar_suites::project::{Project, binaries};
use crossbar_suites::tree;

use super::masks::masked;

/// Where the pages lie.
pub const PAGES: &str = "tests/console";

/// Names the folder with the page; trycmd takes its own environment for the commands, so it works
/// in a process that has nothing of the test run's.
const STAGE: &str = "CONSOLE_STAGE";

/// A page in a folder where trycmd finds it.
pub struct Page {
    name: String,
    stage: Project,
    programs: Vec<String>,
}

impl Page {
    /// The page `NAME.md`, the files that it shows, and the program `crossbar`.
    pub fn new(name: &str) -> Self {
        let stage = Project::empty();
        let text = fs::read_to_string(tree::root().join(format!("{PAGES}/{name}.md"))).unwrap();
        for block in blocks(&text) {
            if let Some(file) = block.file {
                stage.write(&format!("page.in/{file}"), &(block.lines.join("\n") + "\n"));
            }
        }
        // Where there is such a folder trycmd lets all commands of a page share a copy of page.in.
        stage.write("page.out/.keep", "").write("page.md", &text);
        let mut page = Self {
            name: name.to_owned(),
            stage,
            programs: Vec::new(),
        };
        page.program("crossbar", &binaries().join("crossbar"));
        page
    }

    /// One more file, unless the page shows it.
    pub fn file(&mut self, path: &str, text: &str) -> &mut Self {
        let path = format!("page.in/{path}");
        if !self.stage.has(&path) {
            self.stage.write(&path, text);
        }
        self
    }

    /// A file that the page shows.
    pub fn shown(&self, path: &str) -> Option<String> {
        let path = format!("page.in/{path}");
        self.stage.has(&path).then(|| self.stage.read(&path))
    }

    /// One more program that the page may call.
    pub fn program(&mut self, name: &str, path: &Path) -> &mut Self {
        let programs = self.stage.path().join("programs");
        fs::create_dir_all(&programs).unwrap();
        std::os::unix::fs::symlink(path, programs.join(name)).unwrap();
        self.programs.push(name.to_owned());
        self
    }

    /// Types the commands; `test` is the calling test. The page must show what is printed.
    pub fn follow(&mut self, test: &str) {
        let text = self.stage.read("page.md");
        assert_eq!(unknown(&text, &self.programs), None, "{}", self.name);
        let overwrite = std::env::var("TRYCMD").is_ok_and(|mode| mode == "overwrite");
        let place = self.stage.path().to_string_lossy().into_owned();
        self.stage.env(STAGE, &place);
        if overwrite {
            self.stage.env("TRYCMD", "overwrite");
        }
        let own = std::env::current_exe().unwrap();
        let said = self
            .stage
            .start(&own, &[test, "--exact", "--nocapture"])
            .end();
        let ran = said.code == Some(0) && said.stdout.contains("1 passed");
        assert!(ran, "{PAGES}/{}.md: {said}", self.name);
        if overwrite {
            let path = tree::root().join(format!("{PAGES}/{}.md", self.name));
            fs::write(path, masked(&self.stage.read("page.md"))).unwrap();
        }
    }
}

/// Whether this process is the one with the clean environment: then the commands are typed here.
pub fn typed() -> bool {
    let Some(stage) = std::env::var_os(STAGE) else {
        return false;
    };
    let stage = Path::new(&stage);
    let cases = trycmd::TestCases::new();
    for program in fs::read_dir(stage.join("programs")).unwrap() {
        let program = program.unwrap();
        let name = program.file_name().to_string_lossy().into_owned();
        cases.register_bin(name, trycmd::schema::Bin::Path(program.path()));
    }
    cases
        .case(stage.join("page.md"))
        .timeout(Duration::from_secs(60))
        .insert_var("[VERSION]", env!("CARGO_PKG_VERSION"))
        .unwrap()
        .run();
    true
}

/// A command of a page.
pub struct Command {
    /// What is typed.
    pub text: String,
    /// Its exit code, or the word that trycmd has for one.
    pub code: String,
    /// What it prints.
    pub output: Vec<String>,
}

/// The commands of a page.
pub fn commands(text: &str) -> Vec<Command> {
    let mut found: Vec<Command> = Vec::new();
    let console = blocks(text)
        .into_iter()
        .filter(|block| block.language == "console");
    for line in console.flat_map(|block| block.lines) {
        if let Some(text) = line.strip_prefix("$ ") {
            found.push(Command {
                text: text.to_owned(),
                code: "0".to_owned(),
                output: Vec::new(),
            });
        } else if let Some(last) = found.last_mut() {
            match line.strip_prefix("? ") {
                Some(code) => last.code = code.to_owned(),
                None => last.output.push(line),
            }
        }
    }
    found
}

/// What trycmd would pass over in silence: a page without a command, and the first program that is
/// not there.
fn unknown(text: &str, programs: &[String]) -> Option<String> {
    let program = |command: Command| {
        let mut words = command.text.split(' ').filter(|word| !word.contains('='));
        words.next().unwrap_or_default().to_owned()
    };
    let named: Vec<_> = commands(text).into_iter().map(program).collect();
    if named.is_empty() {
        return Some("no command".to_owned());
    }
    named.into_iter().find(|name| !programs.contains(name))
}

#[test]
fn what_trycmd_passes_over_is_refused() {
    let page = |lines: &str| format!("# A\n```console\n{lines}```\n");
    let refused = |text: &str| unknown(text, &["crossbar".to_owned()]);
    assert_eq!(refused(&page("$ crossbar run\n")), None);
    assert_eq!(refused(&page("$ CI=1 crossbar run\n? 2\nerror\n")), None);
    assert_eq!(
        refused(&page("$ crosbar run\n")).as_deref(),
        Some("crosbar")
    );
    assert_eq!(refused("# A\n").as_deref(), Some("no command"));
    assert_eq!(
        refused("```sh\n$ crossbar\n```\n").as_deref(),
        Some("no command")
    );
}
