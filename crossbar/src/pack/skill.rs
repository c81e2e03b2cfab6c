//! The head of a skill's `SKILL.md`, as far as every program that knows skills wants it.
//! <https://agentskills.io/specification>

use crate::source::{Field, Fields, File, Node, Problems, Span, Value, parse};

/// The line before and after the head.
const FENCE: &str = "---";

/// The longest name, in bytes.
const LONGEST_NAME: usize = 64;

/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

/// Keys of a head that say something about the skill to people, besides `name` and `description`.
const FOR_PEOPLE: [&str; 7] = [
    "argument-hint",
    "author",
    "compatibility",
    "license",
    "metadata",
    "tags",
    "version",
];

/// Reads the head of a `SKILL.md` that lies in a folder of this name, and returns the skill's name.
/// `None` after adding a problem. A skill is a text for an agent here: one that would give it tools,
/// another model or commands is refused, since programs deny it when it is used, or grant what the
/// task forbids.
pub fn read_skill(file: &File, folder: &str, problems: &Problems) -> Option<String> {
    let head = head(file, problems)?;
    let tree = parse(&head, problems)?;
    let mut fields = Fields::root(&tree, "the head of a skill", problems)?;
    only_text(&tree, problems);
    no_commands(file, head.text().len(), problems);
    let (name, description) = (fields.optional("name"), fields.optional("description"));
    let span = fields.span();
    let name = name_of(&name, span, problems);
    described(&description, span, problems);
    let name = name?;
    if name.0 != folder {
        problems.error_help(
            name.1,
            format!("`name` is `{}`, and the folder is `{folder}`", name.0),
            "give both the same name: programs look for a skill in the folder of its name",
        );
    }
    (!problems.has_errors()).then_some(name.0)
}

/// The lines between the fences, at their own lines.
fn head(file: &File, problems: &Problems) -> Option<File> {
    let text = file.text();
    let begins = text.split_once('\n').filter(|(first, _)| *first == FENCE);
    let Some((first, rest)) = begins else {
        problems.error_help(
            file.span(0, 0),
            "a skill begins with a head between two lines `---`",
            "write `---`, `name: ...`, `description: ...`, `---`, and then what the agent is told",
        );
        return None;
    };
    let mut at = first.len() + 1;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            let head = text.get(..at).unwrap_or_default();
            return Some(File::new(file.path(), head));
        }
        at += line.len();
    }
    problems.error_help(
        file.span(0, FENCE.len()),
        "the head of this skill has no end",
        "write `---` on a line of its own after it",
    );
    None
}

/// Refuses keys that do more than to tell something.
fn only_text(tree: &Node, problems: &Problems) {
    let Value::Mapping(mapping) = &tree.value else {
        return;
    };
    let is_text = |key: &str| ["name", "description"].contains(&key) || FOR_PEOPLE.contains(&key);
    for entry in &mapping.entries {
        if !is_text(&entry.key) {
            problems.error_help(
                entry.key_span,
                format!("`{}` would change more than what the agent is told", entry.key),
                "remove it: tools, model and permissions of an agent are the task's and the roster's own",
            );
        }
    }
}

/// Refuses a body of which a program would run a part before it shows it: no program may here.
fn no_commands(file: &File, from: usize, problems: &Problems) {
    let text = file.text();
    let found = text.match_indices("!`").find(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default().chars().next_back();
        *at >= from && before.is_none_or(char::is_whitespace)
    });
    if let Some((at, mark)) = found {
        problems.error_help(
            file.span(at, at + mark.len()),
            "a command stands here that a program would run before it shows the skill",
            "write what the agent is told in its place: commands are switched off",
        );
    }
}

fn name_of(field: &Field<'_>, span: Span, problems: &Problems) -> Option<(String, Span)> {
    const HELP: &str = "use 1 to 64 of a-z 0-9 and -, without a - at an end or two in a row";
    if !field.is_present() {
        problems.error_help(span, "`name` is missing in the head of a skill", HELP);
        return None;
    }
    let text = field.text()?;
    if is_name(text.value) {
        return Some((text.value.to_owned(), field.span()));
    }
    field.error(&format!("cannot be `{}`", text.value), HELP);
    None
}

fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=LONGEST_NAME).contains(&text.len())
        && text.bytes().all(is_plain)
        && !text.starts_with('-')
        && !text.ends_with('-')
        && !text.contains("--")
}

fn described(field: &Field<'_>, span: Span, problems: &Problems) {
    const HELP: &str = "say in one line what the skill is for and when to use it: that is all that \
                        a model sees before it uses it";
    if !field.is_present() {
        problems.error_help(
            span,
            "`description` is missing in the head of a skill",
            HELP,
        );
        return;
    }
    let Some(text) = field.text() else {
        return;
    };
    if text.value.trim().is_empty() {
        field.error("is empty", HELP);
    }
    let length = text.value.chars().count();
    if length > LONGEST_DESCRIPTION {
        field.error(
            &format!("has {length} characters, more than {LONGEST_DESCRIPTION}"),
            HELP,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::one_line;

    fn read(text: &str) -> (Option<String>, Vec<String>) {
        let file = File::new("S", text);
        let problems = Problems::new("S");
        let name = read_skill(&file, "greet", &problems);
        let lines = problems.into_vec();
        (name, lines.iter().map(one_line).collect())
    }

    #[test]
    fn a_skill_has_a_name_and_a_description_and_keys_of_the_programs() {
        let text = "---\nname: greet\ndescription: Greets.\nlicense: MIT\nmetadata: {a: b}\n---\nHi!`x`\n---\n";
        assert_eq!(read(text), (Some("greet".to_owned()), Vec::new()));
        assert_eq!(read(&text.replace('\n', "\r\n")).1, Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_is_said_at_its_place() {
        for (text, want) in [
            ("# Greet\n", "S:1:1: a skill begins with a head"),
            ("", "S:1:1: a skill begins with a head"),
            (
                "---\nname: greet\n",
                "S:1:1: the head of this skill has no end",
            ),
            ("---\nname: greet\n---\n", "S:2:1: `description` is missing"),
            ("---\ndescription: d\n---\n", "S:2:1: `name` is missing"),
            (
                "---\nname: Greet\ndescription: d\n---\n",
                "S:2:7: `name` cannot be `Greet`",
            ),
            (
                "---\nname: other\ndescription: d\n---\n",
                "S:2:7: `name` is `other`, and the folder is `greet`",
            ),
            (
                "---\nname: greet\ndescription: ' '\n---\n",
                "S:3:14: `description` is empty",
            ),
            ("---\nname: greet\ndescription: [\n---\n", "S:3:"),
            (
                "---\nname: greet\ndescription: d\nallowed-tools: Bash\n---\n",
                "S:4:1: `allowed-tools` would change more than what the agent is told",
            ),
            (
                "---\nname: greet\ndescription: d\n---\nNow:\n- !`date`\n",
                "S:6:3: a command stands here",
            ),
        ] {
            let (name, problems) = read(text);
            assert_eq!(name, None, "{text}");
            assert!(problems[0].starts_with(want), "{text:?}: {problems:?}");
        }
        let long = format!("---\nname: greet\ndescription: {}\n---\n", "x".repeat(1025));
        assert!(read(&long).1[0].contains("1025 characters"));
    }
}
