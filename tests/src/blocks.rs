//! Fenced blocks of a Markdown page, and the file that the line before a block names.

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The word after the fence.
    pub language: String,
    /// The line of the fence, counted from 1.
    pub line: usize,
    /// The file that the line before the block names: "File `path`:".
    pub file: Option<String>,
    /// The lines between the fences.
    pub lines: Vec<String>,
}

/// The fenced blocks of a page.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    let mut before = "";
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => {
                open = true;
                found.push(Block {
                    language: language.to_owned(),
                    line: at + 1,
                    file: named_file(before),
                    lines: Vec::new(),
                });
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let block = found.last_mut().expect("a block is open");
                block.lines.push(line.to_owned());
            }
            (None, false) => {}
        }
        if !line.trim().is_empty() {
            before = line;
        }
    }
    found
}

fn named_file(line: &str) -> Option<String> {
    let path = line.strip_prefix("File `")?.strip_suffix("`:")?;
    Some(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_language_its_line_and_its_file() {
        let page = "# A\nFile `x/y.yaml`:\n\n```yaml\na: 1\n```\n";
        let [block] = &blocks(page)[..] else { panic!() };
        assert_eq!((block.line, block.language.as_str()), (4, "yaml"));
        assert_eq!(block.file.as_deref(), Some("x/y.yaml"));
        assert_eq!(block.lines, ["a: 1"]);
    }
}
