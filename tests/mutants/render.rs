//! Writes a file again with all its mutants in it, each behind its number.

use std::fmt::Write;
use std::ops::Range;

/// How the mutants of a place are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// `return` before the first statement.
    Return,
    /// A guard for an arm that had none.
    NewGuard,
    /// A `match` around a guard or a struct, outside of what else begins there.
    Guard,
    /// A `match` around an expression.
    Match,
}

/// What stands there when its number is on.
#[derive(Debug, Clone)]
pub struct Arm {
    pub id: u32,
    pub text: String,
}

/// A place of a file, in bytes, with its mutants. The first one's number names the place.
#[derive(Debug, Clone)]
pub struct Node {
    pub range: Range<usize>,
    pub shape: Shape,
    pub arms: Vec<Arm>,
}

/// The file with its mutants. Each line of a mutant ends with `/*M:n*/`, and what stood there before
/// is between `/*S:n*/` and `/*E:n*/`, so that a compiler's error finds its mutant.
pub fn rendered(text: &str, mut nodes: Vec<Node>) -> String {
    nodes.retain(|node| !node.arms.is_empty());
    nodes.sort_by_key(|node| {
        let Range { start, end } = node.range;
        (start, end > start, usize::MAX - end, node.shape)
    });
    let mut out = String::new();
    let mut next = 0;
    between(text, &nodes, &mut next, 0..text.len(), &mut out);
    out
}

fn between(text: &str, nodes: &[Node], next: &mut usize, range: Range<usize>, out: &mut String) {
    let mut at = range.start;
    while let Some(node) = nodes.get(*next) {
        if node.range.start > range.end || node.range.end > range.end {
            break;
        }
        *next += 1;
        out.push_str(&text[at..node.range.start]);
        written(text, nodes, next, node, out);
        at = node.range.end;
    }
    out.push_str(&text[at..range.end]);
}

fn written(text: &str, nodes: &[Node], next: &mut usize, node: &Node, out: &mut String) {
    let site = node.arms[0].id;
    let on = format!("crate::mutant_switch::at({site})");
    match node.shape {
        Shape::Return => {
            for Arm { id, text } in &node.arms {
                let _ = writeln!(out, "if {on} == {id} {{ return {text}; }} /*M:{id}*/");
            }
        }
        Shape::NewGuard => {
            for Arm { id, .. } in &node.arms {
                let _ = writeln!(out, " if {on} != {id} /*M:{id}*/");
            }
        }
        Shape::Guard | Shape::Match => {
            let _ = writeln!(out, "(match {on} {{");
            for Arm { id, text } in &node.arms {
                let _ = writeln!(out, "{id} => {text}, /*M:{id}*/");
            }
            let _ = writeln!(out, "_ => /*S:{site}*/");
            between(text, nodes, next, node.range.clone(), out);
            let _ = write!(out, "\n/*E:{site}*/}})");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_nest_and_what_stood_there_stays() {
        let node = |range, shape, id, text: &str| Node {
            range,
            shape,
            arms: vec![Arm {
                id,
                text: text.to_owned(),
            }],
        };
        let text = "f() { a + b * c }";
        let nodes = vec![
            node(10..15, Shape::Match, 3, "b / c"),
            node(6..15, Shape::Match, 2, "a - b * c"),
            node(6..6, Shape::Return, 1, "0"),
        ];
        let lines = rendered(text, nodes);
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(
            lines,
            [
                "f() { if crate::mutant_switch::at(1) == 1 { return 0; } /*M:1*/",
                "(match crate::mutant_switch::at(2) {",
                "2 => a - b * c, /*M:2*/",
                "_ => /*S:2*/",
                "a + (match crate::mutant_switch::at(3) {",
                "3 => b / c, /*M:3*/",
                "_ => /*S:3*/",
                "b * c",
                "/*E:3*/})",
                "/*E:2*/}) }",
            ]
        );
    }
}
