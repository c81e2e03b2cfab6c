//! What a harness that is a program is given on top of its task: skills and an instruction file in
//! its workspace, and how much of its surroundings it looks for.

use serde::{Deserialize, Serialize};

/// What a harness of the roster is given on top. The default is nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Additions {
    /// Its skills; `None` where the roster does not speak of skills, so that the program is given no
    /// way to use one. An empty list gives it the way, and no skill.
    pub skills: Option<Vec<Skill>>,
    /// The text of its instruction file.
    pub instruction_file: Option<String>,
    /// What it looks for by itself.
    pub isolation: Isolation,
}

/// A skill: a folder with a `SKILL.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skill {
    /// Its name, which its folder has too.
    pub name: String,
    /// Its files, sorted by path.
    pub files: Vec<AddedFile>,
}

/// A file of a workspace that the task knows nothing of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedFile {
    /// Its path below a folder that the context names, with `/` between the parts.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What a program looks for by itself in its home and its workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// All that it looks for without being told otherwise.
    #[default]
    Default,
    /// Nothing: no skills, no instruction files, no settings.
    Bare,
}

/// Where a program of some harness kind looks for what it can be given, below its workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// The harness kind.
    pub kind: &'static str,
    /// The folder of its skills; `None` when it knows none.
    pub skills: Option<&'static str>,
    /// Its instruction file; `None` when it reads none.
    pub instruction_file: Option<&'static str>,
    /// Whether it can be told to look for nothing.
    pub can_be_bare: bool,
}

impl Additions {
    /// Every file of the workspace, by its path below it: the instruction file first, as it stands
    /// before skills in what the model reads, then each skill's own.
    #[must_use]
    pub fn files(&self, places: &Places) -> Vec<AddedFile> {
        let instructions = places.instruction_file.zip(self.instruction_file.as_ref());
        let instructions = instructions.map(|(path, text)| AddedFile {
            path: path.to_owned(),
            bytes: text.clone().into_bytes(),
        });
        let skills = self.skills.iter().flatten();
        let skills = skills.zip(places.skills.into_iter().cycle());
        let of_skills = skills.flat_map(|(skill, folder)| {
            skill.files.iter().map(move |file| AddedFile {
                path: format!("{folder}/{}/{}", skill.name, file.path),
                bytes: file.bytes.clone(),
            })
        });
        instructions.into_iter().chain(of_skills).collect()
    }
}

impl Skill {
    /// What its `SKILL.md` tells a model: the text after the head; empty without one.
    #[must_use]
    pub fn body(&self) -> String {
        let text = self.files.iter().find(|file| file.path == SKILL_FILE);
        let text = text.map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
        let text = text.unwrap_or_default();
        let mut parts = text.splitn(3, "---\n");
        parts.nth(2).unwrap_or_default().to_owned()
    }
}

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_where_the_program_looks_for_them_instructions_first() {
        let file = |path: &str| AddedFile {
            path: path.to_owned(),
            bytes: b"---\nname: a\n---\nBe brief.\n".to_vec(),
        };
        let skill = Skill {
            name: "a".to_owned(),
            files: vec![file(SKILL_FILE), file("more/one.md")],
        };
        assert_eq!(skill.body(), "Be brief.\n");
        let additions = Additions {
            skills: Some(vec![skill]),
            instruction_file: Some("Be kind.".to_owned()),
            isolation: Isolation::Default,
        };
        let places = Places {
            kind: "k",
            skills: Some(".k/skills"),
            instruction_file: Some("K.md"),
            can_be_bare: false,
        };
        let files = additions.files(&places);
        let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
        let skills = [".k/skills/a/SKILL.md", ".k/skills/a/more/one.md"];
        assert_eq!(paths, ["K.md", skills[0], skills[1]]);
        assert!(Additions::default().files(&places).is_empty());
    }
}
