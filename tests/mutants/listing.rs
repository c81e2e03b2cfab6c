//! Which mutants there are: cargo-mutants' own list.

use crate::Done;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The rooms whose mutants are tried.
const ROOMS: [&str; 2] = ["crossbar/src/stats/**", "crossbar/src/analysis/**"];

/// What a mutant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Genre {
    /// The whole body of a function is a value.
    FnValue,
    /// Another operator between two expressions.
    Binary,
    /// An operator before an expression goes.
    Unary,
    /// An arm of a match goes.
    Arm,
    /// The guard of an arm is a constant.
    Guard,
    /// A field goes, and its value comes from the rest of the struct.
    Field,
}

/// One change of one expression.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// From 1; 0 is the unchanged program.
    pub id: u32,
    /// As cargo-mutants names it: `path:line:column: what`.
    pub name: String,
    /// The path from the workspace's root.
    pub file: String,
    /// Where the changed text begins: line and column from 1.
    pub at: (usize, usize),
    /// What stands there instead.
    pub replacement: String,
    pub genre: Genre,
    /// Whether the function returns an `impl Trait`, which can't be two types at once.
    pub is_opaque: bool,
}

/// The mutants in files whose path holds one of the words; all where there is no word.
///
/// # Errors
///
/// There is no cargo-mutants, or its list is of another form.
pub fn of(root: &Path, words: &[String]) -> Done<Vec<Mutant>> {
    let mut command = Command::new("cargo");
    command.current_dir(root);
    command.args(["mutants", "--list", "--json", "-p", "crossbar-test"]);
    for room in ROOMS {
        command.args(["-f", room]);
    }
    let said = command.output()?;
    let list: Vec<Value> = serde_json::from_slice(&said.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&said.stderr);
        format!("no list of mutants: {said}\nhelp: cargo install cargo-mutants --locked")
    })?;
    let mut mutants = Vec::new();
    for (value, id) in list.iter().zip(1..) {
        let mutant = read(value, id).ok_or_else(|| format!("not a mutant: {value}"))?;
        if words.is_empty() || words.iter().any(|word| mutant.file.contains(word)) {
            mutants.push(mutant);
        }
    }
    Ok(mutants)
}

fn read(value: &Value, id: u32) -> Option<Mutant> {
    let start = &value["span"]["start"];
    let number = |name: &str| usize::try_from(start[name].as_u64()?).ok();
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let returns = value["function"]["return_type"].as_str().unwrap_or("");
    Some(Mutant {
        id,
        is_opaque: returns.contains("impl "),
        name: text("name")?,
        file: text("file")?,
        at: (number("line")?, number("column")?),
        replacement: text("replacement")?,
        genre: match value["genre"].as_str()? {
            "FnValue" => Genre::FnValue,
            "BinaryOperator" => Genre::Binary,
            "UnaryOperator" => Genre::Unary,
            "MatchArm" => Genre::Arm,
            "MatchArmGuard" => Genre::Guard,
            "StructField" => Genre::Field,
            _ => return None,
        },
    })
}
