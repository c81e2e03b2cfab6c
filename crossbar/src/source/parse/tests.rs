//! Places, refusals and bounds of parsing.

use std::fmt::Write as _;

use super::*;
use crate::source::{Colour, one_line, render};

const D01: &str = include_str!("../../../../tests/cases/D01.yaml");
const D02: &str = include_str!("../../../../tests/cases/D02.yaml");
const D02B: &str = include_str!("../../../../tests/cases/D02b.yaml");
const D07: &str = include_str!("../../../../tests/cases/D07.yaml");
const D09: &str = include_str!("../../../../tests/cases/D09.yaml");
const D10: &str = include_str!("../../../../tests/cases/D10.yaml");
const D10B: &str = include_str!("../../../../tests/cases/D10b.yaml");
const D14: &str = include_str!("../../../../tests/cases/D14.yaml");

/// The tree, and the problems as `line:column: message`.
fn read(text: &str) -> (Option<Node>, Vec<String>) {
    let file = File::new("t.yaml", text);
    let problems = Problems::new("t.yaml");
    let tree = parse(&file, &problems);
    let list = problems.into_vec();
    let short =
        |one: &Diagnostic| format!("{}:{}: {}", one.span.line, one.span.column, one.message);
    (tree, list.iter().map(short).collect())
}

fn problems(text: &str) -> Vec<String> {
    read(text).1
}

/// Every scalar with its place, in order.
fn scalars(node: &Node, out: &mut Vec<(String, usize, usize)>) {
    match &node.value {
        Value::Scalar(scalar) => out.push((scalar.text.clone(), node.span.line, node.span.column)),
        Value::Sequence(items) => items.iter().for_each(|item| scalars(item, out)),
        Value::Mapping(mapping) => mapping
            .entries
            .iter()
            .for_each(|entry| scalars(&entry.node, out)),
        Value::Refused => {}
    }
}

fn scalars_of(text: &str) -> Vec<(String, usize, usize)> {
    let (tree, problems) = read(text);
    assert_eq!(problems, Vec::<String>::new());
    let mut out = Vec::new();
    scalars(&tree.unwrap(), &mut out);
    out
}

#[test]
fn d01_text_stays_as_written() {
    let want = [
        ("5319E7", 1, 5),
        ("Which version?", 2, 9),
        ("1.10", 4, 29),
        ("no", 5, 29),
        ("012", 6, 29),
        ("12:30", 7, 29),
        ("~", 8, 29),
        ("true", 9, 29),
    ];
    assert_eq!(
        scalars_of(D01),
        want.map(|(text, line, column)| (text.to_owned(), line, column))
    );
}

#[test]
fn a_missing_value_is_not_a_tilde() {
    let texts: Vec<String> = scalars_of("a:\nb: ~\nc: ''\nd: {e, f: }\n")
        .into_iter()
        .map(|one| one.0)
        .collect();
    assert_eq!(texts, ["", "~", "", "", ""]);
}

#[test]
fn d02_duplicate_keys_name_both_lines_at_every_level() {
    assert_eq!(
        problems(D02),
        ["3:1: key `prompt` is given twice, first at line 2"]
    );
    assert_eq!(
        problems(D02B),
        ["7:3: key `A` is given twice, first at line 6"]
    );
    assert_eq!(
        problems("- a: 1\n  'a': 2\n- {b: 1, \"b\": 2}\n- a: 3\n"),
        [
            "2:3: key `a` is given twice, first at line 1",
            "3:10: key `b` is given twice, first at line 3"
        ]
    );
}

#[test]
fn d02_is_shown_with_both_places() {
    let file = File::new("packs/dup.task.yaml", D02);
    let problems = Problems::new(file.path());
    parse(&file, &problems);
    let list = problems.into_vec();
    let want = "\
error: key `prompt` is given twice, first at line 2
 --> packs/dup.task.yaml:3:1
  |
2 | prompt: First
  | ------ first given here
3 | prompt: Second
  | ^^^^^^
  |
help: keep one of the two";
    assert_eq!(render(&list[0], &file, Colour::Plain), want);
    assert_eq!(
        one_line(&list[0]),
        "packs/dup.task.yaml:3:1: key `prompt` is given twice, first at line 2 (keep one of the two)"
    );
}

#[test]
fn d07_several_documents_and_empty_files_are_errors() {
    assert_eq!(problems(D07), ["5:1: file holds several documents"]);
    assert_eq!(
        problems("a: 1\n---\n"),
        ["2:1: file holds several documents"]
    );
    assert_eq!(problems("---\na: 1\n...\n"), Vec::<String>::new());
    for empty in [
        "",
        "\n",
        "# only a comment\n",
        "---\n",
        "---\n...\n",
        "\u{FEFF}",
    ] {
        assert_eq!(problems(empty), ["1:1: file is empty"], "{empty:?}");
    }
}

#[test]
fn d09_crlf_gives_the_same_tree() {
    assert!(D09.contains("\r\n"));
    let (tree, problems) = read(D09);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(tree, read(&D09.replace("\r\n", "\n")).0);
    assert_eq!(tree, read(&format!("\u{FEFF}{D09}")).0);
    assert!(scalars_of(D09).contains(&("line one\nline two\n".to_owned(), 3, 3)));
}

#[test]
fn d10_tab_indentation_is_named() {
    assert_eq!(problems(D10), ["4:1: line is indented with a tab"]);
    assert_eq!(
        problems("a: x\n\tb: c\n"),
        ["2:1: line is indented with a tab"]
    );
    assert_eq!(
        problems("a: |\n\tx\n"),
        ["2:1: line is indented with a tab"]
    );
    assert_eq!(scalars_of(D10B)[0].0, "tab2");
    assert_eq!(
        scalars_of("a: \"x\ty\"\nb: x\ty\n")
            .iter()
            .map(|one| one.0.as_str())
            .collect::<Vec<_>>(),
        ["x\ty"; 2]
    );
}

#[test]
fn d14_depth_is_bounded() {
    let too_deep = "nested deeper than 64 levels";
    assert!(problems(D14)[0].contains(too_deep));
    for piece in ["[", "- ", "{a: ", "? ", "[{a: ", "- - "] {
        let found = problems(&piece.repeat(100_000.min(MAX_BYTES / piece.len())));
        assert_eq!(found.len(), 1, "{piece}");
        assert!(found[0].contains(too_deep), "{piece} {found:?}");
    }
    let deep = |levels: usize| format!("{}x{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(problems(&deep(MAX_DEPTH)), Vec::<String>::new());
    assert_eq!(
        problems(&deep(MAX_DEPTH + 1)),
        ["1:65: lists and mappings are nested deeper than 64 levels"]
    );
    let blocks: String = (0..=MAX_DEPTH).fold(String::new(), |mut text, level| {
        let _ = writeln!(text, "{}a:", " ".repeat(level));
        text
    });
    assert_eq!(
        problems(&blocks),
        ["65:65: lists and mappings are nested deeper than 64 levels"]
    );
}

#[test]
fn d14_lists_in_blocks_count_together() {
    let mixed = |flows: usize| {
        format!(
            "{}{}{}",
            "- ".repeat(40),
            "[".repeat(flows),
            "]".repeat(flows)
        )
    };
    assert_eq!(problems(&mixed(24)), Vec::<String>::new());
    assert_eq!(
        problems(&mixed(25)),
        ["1:105: lists and mappings are nested deeper than 64 levels"]
    );
}

#[test]
fn size_is_bounded() {
    let text = format!("a: {}\n", "x".repeat(MAX_BYTES));
    assert_eq!(
        problems(&text),
        ["1:1: file has 1048580 bytes, more than the 1048576 allowed"]
    );
}

#[test]
fn many_keys_are_not_quadratic_and_many_problems_are_counted() {
    let keys: String = (0..50_000).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "k{at}: 1");
        text
    });
    assert_eq!(problems(&keys), Vec::<String>::new());
    let found = problems(&"k: 1\n".repeat(1_000));
    assert_eq!(found.len(), 101);
    assert_eq!(
        found[100],
        "101:1: 899 more problems in this file are not shown"
    );
}

#[test]
fn aliases_anchors_tags_and_merge_keys_are_errors_all_at_once() {
    let text = "a: &x 1\nb: *x\nc: *nowhere\nd: !!str e\nf: ! g\n<<: {h: 1}\n";
    let want = [
        "1:4: anchors (`&name`) are not supported",
        "2:4: aliases (`*name`) are not supported",
        "3:4: aliases (`*name`) are not supported",
        "4:4: tags (`!name`) are not supported",
        "5:4: tags (`!name`) are not supported",
        "6:1: merge keys (`<<`) are not supported",
    ];
    let (tree, found) = read(text);
    assert_eq!(found, want);
    assert!(tree.is_some());
    assert_eq!(problems("'<<': 1\n"), Vec::<String>::new());
}

#[test]
fn keys_must_be_texts() {
    assert_eq!(
        problems("? [a]\n: b\nc: d\n"),
        ["1:3: a key must be a text, not a list or a mapping"]
    );
    assert_eq!(problems(": x\n").len(), 1);
    assert_eq!(
        problems("*x : y\n"),
        ["1:1: aliases (`*name`) are not supported"]
    );
}

#[test]
fn syntax_errors_have_place_and_cure() {
    for (text, want) in [
        ("id: x\nchecks: [a, b\n", "2:9: unclosed bracket '['"),
        ("id: \"x\n", "1:5: unclosed quote"),
        ("a: b: c\n", "1:5: `:` is not allowed here"),
        ("a: @x\n", "1:4: a text without quotes can't begin with `@`"),
        (
            "a: * x\n",
            "1:4: a text without quotes can't begin with `*` or `&`",
        ),
        (
            "a: 1\0\nb: 2\n",
            "1:5: control character \\u{0} is not allowed",
        ),
        (
            "%YAML 1.2\n---\na: b\n",
            "1:1: YAML directives are disallowed",
        ),
    ] {
        let (tree, found) = read(text);
        assert_eq!((tree, found), (None, vec![want.to_owned()]), "{text:?}");
    }
}

#[test]
fn columns_after_wide_characters_are_characters() {
    let found = scalars_of("😀é: [ü, x]\n");
    assert_eq!(found, [("ü".to_owned(), 1, 6), ("x".to_owned(), 1, 9)]);
}

#[test]
fn spans_cover_what_is_written() {
    let text = "a:\n  - b: 1\n    c: 'x'\n  - [d, e]\nf: g\n";
    let file = File::new("t.yaml", text);
    let tree = parse(&file, &Problems::new("t.yaml")).unwrap();
    let Value::Mapping(mapping) = &tree.value else {
        panic!("no mapping")
    };
    let list = &mapping.get("a").unwrap().node;
    assert_eq!(
        &text[list.span.start..list.span.end],
        "- b: 1\n    c: 'x'\n  - [d, e]"
    );
    let Value::Sequence(items) = &list.value else {
        panic!("no list")
    };
    assert_eq!(
        &text[items[0].span.start..items[0].span.end],
        "b: 1\n    c: 'x'"
    );
    assert_eq!(&text[items[1].span.start..items[1].span.end], "[d, e]");
    for span in [tree.span, list.span, items[0].span, items[1].span] {
        assert_eq!(file.span(span.start, span.end), span);
    }
}
