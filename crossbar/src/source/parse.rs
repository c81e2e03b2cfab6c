//! YAML text to a tree. Only this file and its folder know the parser crate: swapping the parser
//! changes nothing else.

mod syntax_error;

use std::collections::HashMap;

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};

use self::syntax_error::{FLATTER, syntax_error, too_deep};
use super::diagnostic::{Diagnostic, Problems, quoted};
use super::file::{File, Span};
use super::tree::{Entry, Mapping, Node, Scalar, Style, Value};

/// The largest text that is parsed, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// The deepest nesting of lists and mappings.
const MAX_DEPTH: usize = 64;

/// Reads the one YAML document of `file`. Problems go to `problems`; a tree is returned whenever
/// the text could be read to its end (of the first document), even beside problems such as a key
/// given twice, so that its readers can add theirs. `None` means that nothing could be read: a
/// syntax error, nesting deeper than `MAX_DEPTH`, more than `MAX_BYTES`, or an empty file.
pub fn parse(file: &File, problems: &Problems) -> Option<Node> {
    if file.text().len() > MAX_BYTES {
        let message = format!(
            "file has {} bytes, more than the {MAX_BYTES} allowed",
            file.text().len()
        );
        problems.error(Span::START, message);
        return None;
    }
    let mut options = Options::default();
    options.disallow_directives = true;
    options.emit_unresolved_aliases = true;
    options.emit_anchor_events = true;
    options.set_emit_comments(false);
    options.flow_nesting_limit = MAX_DEPTH;
    options.block_nesting_limit = MAX_DEPTH;
    let mut builder = Builder {
        problems,
        open: Vec::new(),
        root: None,
    };
    for event in Parser::new_from_str_with_options(file.text(), options) {
        match event {
            Ok((event, span)) => match builder.take(event, span) {
                Flow::On => {}
                Flow::Done => break,
                Flow::Failed => return None,
            },
            Err(error) => {
                problems.push(syntax_error(file, &error));
                return None;
            }
        }
    }
    let empty = |node: &Node| matches!(&node.value, Value::Scalar(s) if s.text.is_empty() && s.style == Style::Plain);
    let root = builder.root.filter(|node| !empty(node));
    if root.is_none() {
        let help = "write its keys, one a line, or delete the file";
        problems.error_help(Span::START, "file is empty", help);
    }
    root
}

/// What follows from an event.
enum Flow {
    On,
    Done,
    Failed,
}

/// A list or mapping whose end has not come yet.
struct Open {
    start: Span,
    style: StructureStyle,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping {
        mapping: Mapping,
        keys: HashMap<String, Span>,
        key: Key,
    },
}

/// Where in an entry the builder is.
enum Key {
    /// The next node is a key.
    Next,
    /// The next node is the value of this key.
    Known(String, Span),
    /// The next node is the value of a key that was reported; it is dropped.
    Refused,
}

struct Builder<'a> {
    problems: &'a Problems,
    open: Vec<Open>,
    root: Option<Node>,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: granit_parser::Span) -> Flow {
        let place = place(span);
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                self.problems.error_help(
                    place,
                    "file holds several documents",
                    "a file holds one document: move what follows `---` to a file of its own, or delete the `---`",
                );
                Flow::Done
            }
            Event::Scalar(text, style, _, _) => {
                self.refuse_tag(span);
                self.close(scalar(&text, style, place))
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.problems.error_help(
                    place,
                    "aliases (`*name`) are not supported",
                    "write the value out, or quote a text that begins with `*`",
                );
                self.close(Node {
                    span: place,
                    value: Value::Refused,
                })
            }
            Event::SequenceStart(style, _, _) => {
                self.refuse_tag(span);
                self.begin(place, style, Content::Sequence(Vec::new()))
            }
            Event::MappingStart(style, _, _) => {
                self.refuse_tag(span);
                let (mapping, keys) = (Mapping::default(), HashMap::new());
                self.begin(
                    place,
                    style,
                    Content::Mapping {
                        mapping,
                        keys,
                        key: Key::Next,
                    },
                )
            }
            Event::Anchor(..) => {
                self.problems.error_help(
                    place,
                    "anchors (`&name`) are not supported",
                    "delete the anchor, or quote a text that begins with `&`",
                );
                Flow::On
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(place),
            _ => Flow::On,
        }
    }

    fn refuse_tag(&self, span: granit_parser::Span) {
        if let Some(tag) = span.tag_span() {
            self.problems.error_help(
                place(tag),
                "tags (`!name`) are not supported",
                "delete the tag, or quote a text that begins with `!`",
            );
        }
    }

    fn begin(&mut self, start: Span, style: StructureStyle, content: Content) -> Flow {
        if self.open.len() >= MAX_DEPTH {
            self.problems.error_help(start, too_deep(), FLATTER);
            return Flow::Failed;
        }
        self.open.push(Open {
            start,
            style,
            content,
        });
        Flow::On
    }

    /// Ends the innermost list or mapping. A block has no closing sign: it ends with its last child.
    fn end(&mut self, at: Span) -> Flow {
        let Some(Open {
            start,
            style,
            content,
        }) = self.open.pop()
        else {
            return Flow::On;
        };
        let (last, value) = match content {
            Content::Sequence(items) => (
                items.last().map(|node| node.span.end),
                Value::Sequence(items),
            ),
            Content::Mapping { mapping, .. } => (
                mapping.entries.last().map(|entry| entry.node.span.end),
                Value::Mapping(mapping),
            ),
        };
        let end = match style {
            StructureStyle::Flow => at.end,
            StructureStyle::Block => last.unwrap_or(start.end),
        };
        self.close(Node {
            span: Span {
                end: end.max(start.start),
                ..start
            },
            value,
        })
    }

    /// Puts a finished node where it belongs.
    fn close(&mut self, node: Node) -> Flow {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping { mapping, keys, key }) => {
                match std::mem::replace(key, Key::Next) {
                    Key::Next => *key = new_key(self.problems, keys, node),
                    Key::Known(key, key_span) => mapping.entries.push(Entry {
                        key,
                        key_span,
                        node,
                    }),
                    Key::Refused => {}
                }
            }
        }
        Flow::On
    }
}

/// Judges a node in the place of a key.
fn new_key(problems: &Problems, keys: &mut HashMap<String, Span>, node: Node) -> Key {
    let Value::Scalar(Scalar { text, style }) = node.value else {
        if node.value != Value::Refused {
            problems.error(node.span, "a key must be a text, not a list or a mapping");
        }
        return Key::Refused;
    };
    if style == Style::Plain && text.is_empty() {
        problems.error(node.span, "key is missing before `:`");
        return Key::Refused;
    }
    if style == Style::Plain && text == "<<" {
        problems.error_help(
            node.span,
            "merge keys (`<<`) are not supported",
            "write the keys out",
        );
        return Key::Refused;
    }
    if let Some(first) = keys.get(&text) {
        let message = format!(
            "key {} is given twice, first at line {}",
            quoted(&text),
            first.line
        );
        problems.push(
            Diagnostic::error(problems.path(), node.span, message)
                .with_help("keep one of the two")
                .with_related(*first, "first given here"),
        );
        return Key::Refused;
    }
    keys.insert(text.clone(), node.span);
    Key::Known(text, node.span)
}

fn scalar(text: &str, style: ScalarStyle, span: Span) -> Node {
    let style = match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
    };
    // the parser reports a missing value as a `~` of no length
    let missing = style == Style::Plain && span.start == span.end;
    let text = if missing {
        String::new()
    } else {
        text.to_owned()
    };
    Node {
        span,
        value: Value::Scalar(Scalar { text, style }),
    }
}

/// The parser's place as ours. `File` holds no byte-order mark and no CR, so its lines and columns
/// are the reader's.
fn place(span: granit_parser::Span) -> Span {
    let start = span.start.byte_offset().unwrap_or_default();
    Span {
        start,
        end: span.end.byte_offset().unwrap_or(start).max(start),
        line: span.start.line(),
        column: span.start.col() + 1,
    }
}

#[cfg(test)]
mod tests;
