//! What listing a task's cases takes, read off the lines of its file: a task file is read as a whole
//! only when its task runs, and a large pack has thousands.

use super::names;
use super::task_file::keys;
use memchr::{memchr_iter, memmem::Finder};
use std::sync::LazyLock;

/// What a task file says at its margin.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline<'t> {
    /// The task's id within its pack.
    pub id: &'t str,
    /// The line that it stands in, from 1.
    pub line: u32,
    /// Whether the task has a solution.
    pub solved: bool,
    /// Its mistakes in their order, each by its name where it has one.
    pub broken: Vec<Option<&'t str>>,
    /// The rate that its cases must not miss, in [0.01, 1].
    pub min_pass_rate: Option<f64>,
}

/// Words without which no task asks for what no version has. Whether one of them is such a key only
/// reading the file tells, and a task that never runs must not be planned by its outline.
static PERHAPS_UNMET: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["docker", "image", "url"].map(Finder::new));

/// The outline of a task file written as people write them: each key at the margin and known, once,
/// the id on its line, the mistakes as a list with an item a line.
///
/// `None` wherever only reading the file tells, so for most mistakes at the margin too. What stands
/// deeper is not looked at: a file with an outline may be no sound task.
#[must_use]
pub fn outline(text: &str) -> Option<Outline<'_>> {
    let text_bytes = text.as_bytes();
    if PERHAPS_UNMET
        .iter()
        .any(|word| word.find(text_bytes).is_some())
    {
        return None;
    }
    let mut margin = Margin::default();
    for (at, line) in lines(text).enumerate() {
        let depth = line.bytes().take_while(|byte| *byte == b' ').count();
        if depth == line.len() || line.starts_with('#') {
            continue;
        }
        margin.take(at, depth, &line[depth..])?;
    }
    margin.end()
}

/// As `str::lines`, in half the time: a list of a large pack is mostly this.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends =
        memchr_iter(b'\n', text.as_bytes()).chain((!text.ends_with('\n')).then_some(text.len()));
    ends.scan(0, |begin, end| {
        let line = &text[*begin..end];
        *begin = end + 1;
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// The lines so far.
#[derive(Default)]
struct Margin<'t> {
    /// The keys that were there, by their place in the table of keys.
    seen: u64,
    key: &'t str,
    /// Whether something stands under or behind the key.
    filled: bool,
    id: Option<(&'t str, usize)>,
    solved: bool,
    broken: Vec<Option<&'t str>>,
    /// How deep the items of `broken` stand; 0 before the first.
    depth: usize,
    min_pass_rate: Option<f64>,
}

impl<'t> Margin<'t> {
    fn take(&mut self, at: usize, depth: usize, rest: &'t str) -> Option<()> {
        if depth == 0 && !rest.starts_with("- ") {
            return self.take_key(at, rest);
        }
        self.filled = true;
        match self.key {
            // a line before the first key, or a value that goes on
            "" | "id" | "min_pass_rate" => None,
            "broken" => self.take_mistake(depth, rest),
            "demo" => (depth > 0).then_some(()),
            _ => Some(()),
        }
    }

    fn take_key(&mut self, at: usize, line: &'t str) -> Option<()> {
        self.end_key()?;
        let (key, value) = line.split_once(':')?;
        let value = match value.strip_prefix(' ') {
            Some(value) => value.trim_start(),
            None if value.is_empty() => value,
            None => return None,
        };
        let place = keys::TASK.keys.iter().position(|one| one.name == key)?;
        let bit = 1_u64.checked_shl(u32::try_from(place).ok()?)?;
        if self.seen & bit != 0 {
            return None;
        }
        self.seen |= bit;
        self.key = key;
        self.filled = !value.is_empty() && !value.starts_with('#');
        match key {
            "id" => self.id = Some((plain_id(value)?, at)),
            "min_pass_rate" => self.min_pass_rate = Some(rate(value)?),
            "demo" if self.filled && !value.starts_with('{') => return None,
            "demo" => self.solved = true,
            "broken" if self.filled => return None,
            _ => {}
        }
        Some(())
    }

    /// A key with nothing under it or behind it is empty, which the reader has words for.
    fn end_key(&self) -> Option<()> {
        (self.key.is_empty() || self.filled).then_some(())
    }

    fn take_mistake(&mut self, depth: usize, line: &'t str) -> Option<()> {
        if self.depth == 0 {
            self.depth = depth;
        }
        let within = match line.strip_prefix("- ") {
            Some(first) if depth == self.depth && depth > 0 => {
                self.broken.push(None);
                first
            }
            _ if depth == self.depth + 2 => line,
            // deeper than the mistake's own keys
            _ if depth > self.depth + 2 && !self.broken.is_empty() => return Some(()),
            _ => return None,
        };
        let (key, value) = within.split_once(':')?;
        match key {
            "name" => *self.broken.last_mut()? = Some(plain_id(value.trim_start())?),
            "script" | "final" => {}
            _ => return None,
        }
        Some(())
    }

    fn end(self) -> Option<Outline<'t>> {
        self.end_key()?;
        let needed =
            |(at, key): (usize, &crate::source::Key)| key.required && self.seen >> at & 1 == 0;
        if keys::TASK.keys.iter().enumerate().any(needed) {
            return None;
        }
        let (id, at) = self.id?;
        Some(Outline {
            id,
            line: u32::try_from(at + 1).ok()?,
            solved: self.solved,
            broken: self.broken,
            min_pass_rate: self.min_pass_rate,
        })
    }
}

/// An id that is written without quotes and is nothing but a text, with a comment or nothing behind
/// it.
fn plain_id(value: &str) -> Option<&str> {
    let id = uncommented(value);
    let begins = id.bytes().next()?.is_ascii_alphabetic();
    let word = ["null", "true", "false"];
    let word = word.iter().any(|word| id.eq_ignore_ascii_case(word));
    (begins && !word && names::is_id(id)).then_some(id)
}

fn rate(value: &str) -> Option<f64> {
    let rate = uncommented(value);
    let digits = rate.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let rate: f64 = rate.parse().ok().filter(|_| digits)?;
    (0.01..=1.0).contains(&rate).then_some(rate)
}

fn uncommented(value: &str) -> &str {
    let value = value.split_once(" #").map_or(value, |(value, _)| value);
    value.trim_end_matches(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKS: &str = "prompt: p\nchecks: [{type: final_text, value: x}]\n";

    /// Id, line, whether there is a solution, mistakes, floor.
    type Known = (String, u32, bool, Vec<String>, Option<f64>);

    fn of(text: &str) -> Option<Known> {
        outline(text).map(|one| {
            let name = |name: &Option<&str>| name.unwrap_or("-").to_owned();
            let broken = one.broken.iter().map(name).collect();
            (
                one.id.to_owned(),
                one.line,
                one.solved,
                broken,
                one.min_pass_rate,
            )
        })
    }

    #[test]
    fn a_task_as_people_write_it_has_an_outline() {
        let text = "# the first\nname: One\n\nid: one # it stays\nprompt: |\n  id: two\n\n  broken:\nmin_pass_rate: 0.5\n\
                    checks:\n- {type: final_text, value: x}\ndemo:\n  final: x\n\
                    broken:\n  - name: late\n    final: |\n      name: y\n  - final: z\n    name: early\n\n  - script:\n      - {tool: a.b}\n";
        let broken = ["late", "early", "-"].map(str::to_owned).to_vec();
        let whole = ("one".to_owned(), 4, true, broken, Some(0.5));
        assert_eq!(of(text), Some(whole.clone()));
        assert_eq!(of(&text.replace('\n', "\r\n")), Some(whole));
        let bare = format!("id: one\n{CHECKS}");
        assert_eq!(of(&bare), Some(("one".to_owned(), 1, false, vec![], None)));
    }

    #[test]
    fn what_only_reading_tells_has_none() {
        for wrong in [
            "",
            "- id: one\n",
            "id: one\n",
            "id: \"one\"\nCHECKS",
            "id: null\nCHECKS",
            "id: 12\nCHECKS",
            "id: a b\nCHECKS",
            "id: one\n  two\nCHECKS",
            "id: one\nid: two\nCHECKS",
            "id: one\npromt: x\nCHECKS",
            "id: one\nname:\nCHECKS",
            "id:one\nCHECKS",
            "---\nid: one\nCHECKS",
            "id: one\nCHECKS---\nid: two\n",
            "\u{FEFF}id: one\nCHECKS",
            "\tid: one\nCHECKS",
            "id: one\nmin_pass_rate: 1e-1\nCHECKS",
            "id: one\nmin_pass_rate: 7\nCHECKS",
            "id: one\ndemo: x\nCHECKS",
            "id: one\nbroken: [{final: x}]\nCHECKS",
            "id: one\nbroken:\n- final: x\nCHECKS",
            "id: one\nbroken:\n  - {final: x}\nCHECKS",
            "id: one\nbroken:\n  - name: 1\n    final: x\nCHECKS",
            "id: one\nbroken:\n  -  final: x\nCHECKS",
            "id: one\nbroken:\n    - final: x\n  - final: y\nCHECKS",
            "id: one\nenvironment: {kind: docker}\nCHECKS",
            "id: one\nenvironment:\n  image: x\nCHECKS",
            "id: one\nenvironment: {servers: [{name: s, url: x}]}\nCHECKS",
        ] {
            let text = wrong.replace("CHECKS", CHECKS);
            assert_eq!(of(&text), None, "{text}");
        }
    }
}
