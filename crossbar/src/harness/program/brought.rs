//! What a program is given on top of the task, and whether its model was told of it: a file that
//! lies where nobody looks would be measured as if it were of no use.

use super::ending::did_not_start_as_told;
use crate::domain::{AddedFile, Additions, Given, GivenAs, Places, SKILL_FILE};
use crate::harness::DriveError;
use crate::harness::places::places;
use crate::harness::programs::AgentProgram;
use serde_json::Value;

/// What one program brings along.
pub(in crate::harness) struct Brought<'a> {
    /// What replaces its own prompt.
    pub(in crate::harness) instructions: Option<&'a str>,
    /// Skills and instruction file.
    pub(in crate::harness) additions: &'a Additions,
    /// Whether its first request carries the texts of its skills, or it reads them later.
    pub(in crate::harness) skills: SkillTexts,
}

/// When a program tells its model what a skill says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::harness) enum SkillTexts {
    /// With the prompt.
    AtOnce,
    /// When the model asks for it.
    WhenUsed,
}

impl Brought<'_> {
    /// The files that have to lie in the workspace before it starts.
    pub(super) fn files(&self, row: &AgentProgram) -> Vec<AddedFile> {
        let places = places(row.kind);
        places.map_or_else(Vec::new, |places| self.additions.files(places))
    }

    /// The texts, each before those that it stands over.
    pub(super) fn given(&self, row: &AgentProgram) -> Vec<Given> {
        let prompt = match self.instructions {
            Some(_) => GivenAs::Instructions,
            None => GivenAs::OwnPrompt,
        };
        let prompt = Given {
            given_as: prompt,
            path: None,
        };
        let file_of = places(row.kind).and_then(|places| places.instruction_file);
        let files = self.files(row).into_iter().filter_map(|file| {
            let is_instructions = file_of == Some(&*file.path);
            let given_as = match file.path.rsplit('/').next() {
                _ if is_instructions => GivenAs::InstructionFile,
                Some(SKILL_FILE) => GivenAs::Skill,
                _ => return None,
            };
            let path = Some(file.path);
            Some(Given { given_as, path })
        });
        std::iter::once(prompt).chain(files).collect()
    }

    /// Holds its first request to what it was given.
    ///
    /// # Errors
    /// `DriveError::Infrastructure` names the file of which the request carries nothing.
    pub(super) fn hold(&self, row: &AgentProgram, request: &str) -> Result<(), DriveError> {
        let Some(places) = places(row.kind) else {
            return Ok(());
        };
        let request: Value = serde_json::from_str(request).unwrap_or_default();
        match self.unsaid(places, &request) {
            Some(path) => Err(did_not_start_as_told(
                row,
                &format!("its first request has nothing of `{path}`"),
            )),
            None => Ok(()),
        }
    }

    /// The first file that the request has nothing of.
    fn unsaid(&self, places: &Places, request: &Value) -> Option<String> {
        let file = self.additions.instruction_file.as_deref();
        let file = places.instruction_file.zip(file);
        let file = file.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let skills = self.additions.skills.iter().flatten();
        let skills = skills.filter(|_| self.skills == SkillTexts::AtOnce);
        let skills = skills.map(|skill| (skill.name.clone(), skill.body()));
        let mut texts = file.into_iter().chain(skills);
        let unsaid =
            texts.find(|(_, text)| telling_line(text).is_some_and(|line| !says(request, &line)));
        unsaid.map(|(path, _)| path)
    }
}

/// The longest line of a text: what a program adds around it, or leaves out of it as a comment, does
/// not change that one. `None` when there is none.
fn telling_line(text: &str) -> Option<String> {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default();
    let rest = parts.filter_map(|part| part.split_once("-->"));
    let said: Vec<&str> = std::iter::once(first)
        .chain(rest.map(|(_, after)| after))
        .collect();
    let lines = said.iter().flat_map(|part| part.lines()).map(str::trim);
    let longest = lines.max_by_key(|line| line.len());
    longest.filter(|line| !line.is_empty()).map(str::to_owned)
}

fn says(request: &Value, line: &str) -> bool {
    match request {
        Value::String(text) => text.contains(line),
        Value::Array(items) => items.iter().any(|item| says(item, line)),
        Value::Object(map) => map.values().any(|item| says(item, line)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Skill;
    use crate::harness::programs::{CLAUDE_CODE, CODEX};
    use serde_json::json;

    fn additions() -> Additions {
        let text = "---\nname: greet\ndescription: d\n---\nSay hello to them.\n";
        let file = |path: &str| AddedFile {
            path: path.to_owned(),
            bytes: text.into(),
        };
        Additions {
            skills: Some(vec![Skill {
                name: "greet".to_owned(),
                files: vec![file(SKILL_FILE), file("more.md")],
            }]),
            instruction_file: Some("<!-- a very long comment indeed -->\nBe kind.\n".to_owned()),
            ..Additions::default()
        }
    }

    #[test]
    fn a_request_without_a_text_that_was_given_is_not_as_it_was_told() {
        let additions = additions();
        let brought = |skills| Brought {
            instructions: None,
            additions: &additions,
            skills,
        };
        let held = |skills, request: &Value| {
            let held = brought(skills).hold(&CODEX, &request.to_string());
            held.err().map(|error| error.to_string())
        };
        let whole = json!({"input": ["x Be kind. y", {"text": "<skill>\nSay hello to them.\n"}]});
        assert_eq!(held(SkillTexts::AtOnce, &whole), None);
        let alone = json!({"input": ["Be kind."]});
        assert_eq!(held(SkillTexts::WhenUsed, &alone), None);
        let unsaid = held(SkillTexts::AtOnce, &alone).unwrap();
        assert!(unsaid.contains("nothing of `greet`"), "{unsaid}");
        let unsaid = held(SkillTexts::WhenUsed, &json!({})).unwrap();
        assert!(unsaid.contains("nothing of `AGENTS.md`"), "{unsaid}");
    }

    #[test]
    fn texts_are_told_in_the_order_in_which_they_stand_over_each_other() {
        let additions = additions();
        let brought = Brought {
            instructions: Some("Be a pirate."),
            additions: &additions,
            skills: SkillTexts::WhenUsed,
        };
        let given = brought.given(&CLAUDE_CODE);
        let given: Vec<_> = given
            .iter()
            .map(|one| (one.given_as, one.path.as_deref()))
            .collect();
        let wanted = [
            (GivenAs::Instructions, None),
            (GivenAs::InstructionFile, Some("CLAUDE.md")),
            (GivenAs::Skill, Some(".claude/skills/greet/SKILL.md")),
        ];
        assert_eq!(given, wanted);
    }
}
