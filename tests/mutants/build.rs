//! Compiles all mutants at once, and leaves out those that do not compile.

use crate::listing::Mutant;
use crate::render::{Node, rendered};
use crate::{Done, source, tree};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What became of each mutant in the build: those that are in it, by their place, those that do not
/// compile, and those that this way of trying has no place for.
#[derive(Debug, Default)]
pub struct Woven {
    /// The number of each mutant, and that of the place that reports being reached.
    pub places: BTreeMap<u32, u32>,
    pub unviable: BTreeSet<u32>,
    pub unplaced: BTreeSet<u32>,
}

struct File {
    path: PathBuf,
    text: String,
    nodes: Vec<Node>,
}

impl File {
    fn render(&self) -> Done<()> {
        let text = rendered(&self.text, self.nodes.clone());
        tree::put(&self.path, text.as_bytes())
    }
}

/// Where the switch stands.
const LIB: &str = "crossbar/src/lib.rs";

/// Writes a tree with the mutants until what is left of them compiles. What did not compile is kept
/// in a file, for the next time.
///
/// # Errors
///
/// The compiler complains of something that is no mutant's.
pub fn woven(root: &Path, tree: &Path, kept: &Path, mutants: &[Mutant]) -> Done<Woven> {
    let mut written: BTreeSet<String> = mutants.iter().map(|one| one.file.clone()).collect();
    written.insert(LIB.to_owned());
    tree::copy(root, tree, &written)?;
    let last = mutants.iter().map(|mutant| mutant.id).max().unwrap_or(0);
    let lib = fs::read_to_string(root.join(LIB))? + &tree::switch(last as usize + 1);
    tree::put(&tree.join(LIB), lib.as_bytes())?;
    let mut files = files(root, tree, mutants)?;
    let memory = kept.join("left-out.tsv");
    let mut found = remembered(&memory, mutants);
    let gone: BTreeSet<u32> = found.unviable.union(&found.unplaced).copied().collect();
    for node in files.iter_mut().flat_map(|file| &mut file.nodes) {
        node.arms.retain(|arm| !gone.contains(&arm.id));
    }
    for round in 1.. {
        for file in &files {
            file.render()?;
        }
        let errors = complaints(tree)?;
        eprintln!("round {round}: {} errors", errors.len());
        if errors.is_empty() {
            break;
        }
        for error in &errors {
            if !leave_out(&mut files, error, &mut found) {
                return Err(format!("{} at {:?}", error.text, error.places).into());
            }
        }
    }
    for node in files.iter().flat_map(|file| &file.nodes) {
        let place = node.arms.first().map_or(0, |arm| arm.id);
        let ids = node.arms.iter().map(|arm| (arm.id, place));
        found.places.extend(ids);
    }
    for mutant in mutants {
        let is_known = found.places.contains_key(&mutant.id) || found.unviable.contains(&mutant.id);
        if !is_known {
            found.unplaced.insert(mutant.id);
        }
    }
    remember(&memory, mutants, &found)?;
    Ok(found)
}

fn remembered(memory: &Path, mutants: &[Mutant]) -> Woven {
    let text = fs::read_to_string(memory).unwrap_or_default();
    let lines: BTreeSet<&str> = text.lines().collect();
    let is = |word: &str| {
        let named = mutants.iter();
        let named = named.filter(|one| lines.contains(format!("{word}\t{}", one.name).as_str()));
        named.map(|one| one.id).collect()
    };
    Woven {
        places: BTreeMap::new(),
        unviable: is("unviable"),
        unplaced: is("unplaced"),
    }
}

fn remember(memory: &Path, mutants: &[Mutant], found: &Woven) -> Done<()> {
    let mut text = String::new();
    for (word, ids) in [("unviable", &found.unviable), ("unplaced", &found.unplaced)] {
        for mutant in mutants.iter().filter(|one| ids.contains(&one.id)) {
            text += &format!("{word}\t{}\n", mutant.name);
        }
    }
    Ok(fs::write(memory, text)?)
}

fn files(root: &Path, tree: &Path, mutants: &[Mutant]) -> Done<Vec<File>> {
    let mut of: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        of.entry(&mutant.file).or_default().push(mutant);
    }
    let files = of.into_iter().map(|(name, mutants)| {
        let path = tree.join(name);
        let text = fs::read_to_string(root.join(name))?;
        let nodes = source::nodes(&text, &mutants)?;
        Ok(File { path, text, nodes })
    });
    files.collect()
}

/// An error of the compiler: its code, and the places that it points at, the chief one first.
#[derive(Debug)]
struct Complaint {
    code: String,
    text: String,
    places: Vec<(PathBuf, usize)>,
}

fn complaints(tree: &Path) -> Done<Vec<Complaint>> {
    let said = cargo(tree, "check", "--lib --message-format=json").output()?;
    let lines = String::from_utf8_lossy(&said.stdout).into_owned();
    let mut all = Vec::new();
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line)?;
        let message = &value["message"];
        let spans = message["spans"].as_array();
        let Some(spans) = spans.filter(|spans| !spans.is_empty()) else {
            continue;
        };
        if message["level"] != "error" {
            continue;
        }
        let mut spans: Vec<_> = spans.iter().collect();
        spans.sort_by_key(|span| span["is_primary"] != true);
        let places = spans.iter().filter_map(|span| {
            let file = tree.join(span["file_name"].as_str()?);
            Some((file, usize::try_from(span["line_start"].as_u64()?).ok()?))
        });
        all.push(Complaint {
            code: message["code"]["code"].as_str().unwrap_or("").to_owned(),
            text: message["message"].as_str().unwrap_or("").to_owned(),
            places: places.collect(),
        });
    }
    if all.is_empty() && !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).into());
    }
    Ok(all)
}

/// Takes the mutants of an error out of their file; whether there were any, now or before.
fn leave_out(files: &mut [File], error: &Complaint, found: &mut Woven) -> bool {
    for (path, line) in &error.places {
        let Some(file) = files.iter_mut().find(|file| file.path == *path) else {
            continue;
        };
        let Ok(written) = fs::read_to_string(path) else {
            continue;
        };
        let lines: Vec<&str> = written.lines().collect();
        if let Some(id) = lines.get(line - 1).and_then(|line| number(line, "/*M:")) {
            // What only a constant may not do is no fault of the mutant.
            let is_constant = matches!(error.code.as_str(), "E0015" | "E0658");
            let gone = if is_constant {
                &mut found.unplaced
            } else {
                &mut found.unviable
            };
            gone.insert(id);
            for node in &mut file.nodes {
                node.arms.retain(|arm| arm.id != id);
            }
            return true;
        }
        if let Some(site) = enclosing(&lines, *line) {
            for node in &mut file.nodes {
                if node.arms.first().is_some_and(|arm| arm.id == site) {
                    found.unplaced.extend(node.arms.iter().map(|arm| arm.id));
                    node.arms.clear();
                }
            }
            return true;
        }
    }
    false
}

fn number(line: &str, mark: &str) -> Option<u32> {
    let (_, rest) = line.rsplit_once(mark)?;
    rest.split_once("*/")?.0.parse().ok()
}

/// The innermost place around a line, its head counted in.
fn enclosing(lines: &[&str], line: usize) -> Option<u32> {
    let head = |text: &str| text.contains("(match crate::mutant_switch::at(");
    let mut open: Vec<Option<u32>> = Vec::new();
    for (at, text) in lines.iter().enumerate() {
        if head(text) {
            let (_, rest) = text.rsplit_once("mutant_switch::at(")?;
            open.push(rest.split_once(')').and_then(|(id, _)| id.parse().ok()));
        }
        if at + 1 == line {
            return open.last().copied().flatten();
        }
        for _ in 0..text.matches("/*E:").count() {
            open.pop();
        }
    }
    None
}

fn cargo(tree: &Path, verb: &str, rest: &str) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(tree).env_remove("CARGO_TARGET_DIR");
    command.args([verb, "--locked", "-p", "crossbar-test"]);
    command.args(["--features", "cli,http,build"]);
    command.args(rest.split(' '));
    if let Some(place) = tree.parent() {
        command.env("CARGO_TARGET_DIR", place.join("build"));
    }
    command
}

/// A test binary, and the folder in which it runs.
#[derive(Debug, Clone)]
pub struct Binary {
    pub path: PathBuf,
    pub folder: PathBuf,
}

/// Builds the library's own tests and the golden values, somewhat optimised: they run thousands of
/// times.
///
/// # Errors
///
/// It does not compile.
pub fn tests(tree: &Path, target: &Path) -> Done<Vec<Binary>> {
    let mut command = cargo(
        tree,
        "test",
        "--no-run --message-format=json --lib -p crossbar-suites --test golden",
    );
    command.args([
        "--config",
        "profile.test.package.crossbar-test.opt-level=1",
        "--config",
        "profile.test.debug=0",
    ]);
    let said = command.env("CARGO_TARGET_DIR", target).output()?;
    if !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).into());
    }
    let mut binaries = Vec::new();
    for line in String::from_utf8_lossy(&said.stdout).lines() {
        let value: Value = serde_json::from_str(line)?;
        let is_test = value["profile"]["test"] == true;
        if let Some(path) = value["executable"].as_str().filter(|_| is_test) {
            let manifest = value["manifest_path"].as_str().map(Path::new);
            let folder = manifest.and_then(Path::parent).ok_or("no package")?;
            binaries.push(Binary {
                path: path.into(),
                folder: folder.to_owned(),
            });
        }
    }
    Ok(binaries)
}
