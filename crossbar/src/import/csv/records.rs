//! Comma-separated text to records of fields, by RFC 4180, each with its place.

use crate::source::{File, Problems};

/// A line of the table.
pub(super) struct Record {
    /// The line on which it begins, from 1.
    pub(super) line: usize,
    pub(super) fields: Vec<Field>,
}

/// A field, unquoted, and where it stands in the text with its quotes.
pub(super) struct Field {
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Every record of a text; lines that are empty are none. What is no comma-separated text is a
/// problem at its place, and ends the reading.
pub(super) fn records(file: &File, problems: &Problems) -> Vec<Record> {
    let (text, mut at, mut line) = (file.text(), 0, 1);
    let mut records = Vec::new();
    while at < text.len() {
        let first_line = line;
        let mut fields = Vec::new();
        loop {
            let Some(field) = field(file, at, problems) else {
                return records;
            };
            at = field.end;
            line += text[field.start..field.end].matches('\n').count();
            fields.push(field);
            let next = text.as_bytes().get(at);
            at += 1;
            if next != Some(&b',') {
                line += 1;
                break;
            }
        }
        if fields.len() > 1 || fields.iter().any(|field| field.end > field.start) {
            records.push(Record {
                line: first_line,
                fields,
            });
        }
    }
    records
}

/// The field that begins at a byte: up to a comma or the end of the line, or quoted.
fn field(file: &File, start: usize, problems: &Problems) -> Option<Field> {
    let rest = &file.text()[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted_field(file, start, quoted, problems);
    }
    let end = rest.find([',', '\n']).unwrap_or(rest.len());
    let text = &rest[..end];
    if let Some(quote) = text.find('"') {
        let place = file.span(start + quote, start + quote + 1);
        let help = "quote the whole field, and write a quote inside as \"\"";
        problems.error_help(place, "a quote inside a field that is not quoted", help);
        return None;
    }
    Some(Field {
        text: text.trim().to_owned(),
        start,
        end: start + end,
    })
}

fn quoted_field(file: &File, start: usize, inside: &str, problems: &Problems) -> Option<Field> {
    let (mut text, mut at) = (String::new(), 0);
    loop {
        let Some(quote) = inside[at..].find('"') else {
            let place = file.span(start, start + 1);
            problems.error_help(place, "this quote is never closed", "close it with \"");
            return None;
        };
        text.push_str(&inside[at..at + quote]);
        at += quote + 1;
        if !inside[at..].starts_with('"') {
            break;
        }
        text.push('"');
        at += 1;
    }
    let end = start + 1 + at;
    if !matches!(file.text().as_bytes().get(end), None | Some(b',' | b'\n')) {
        let place = file.span(end, end + 1);
        let help = "a comma or the end of the line follows a closing quote";
        problems.error_help(place, "text after a quoted field", help);
        return None;
    }
    Some(Field { text, start, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(usize, Vec<String>)>, Vec<String>) {
        let file = File::new("t.csv", text);
        let problems = Problems::new("t.csv");
        let records = records(&file, &problems).into_iter().map(|record| {
            let fields = record.fields.into_iter().map(|field| field.text);
            (record.line, fields.collect())
        });
        let records = records.collect();
        let problems = problems.into_vec();
        let problems = problems.iter().map(crate::source::one_line);
        (records, problems.collect())
    }

    #[test]
    fn quotes_hold_commas_quotes_and_lines() {
        let (records, problems) = read("a, b ,\"c,\"\"d\"\"\ne\"\n\n\r\n1,,\n2,3,4");
        assert!(problems.is_empty());
        let lines: Vec<_> = records.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 5, 6]);
        assert_eq!(records[0].1, ["a", "b", "c,\"d\"\ne"]);
        assert_eq!(records[1].1, ["1", "", ""]);
        assert_eq!(records[2].1, ["2", "3", "4"]);
        assert!(read("").0.is_empty());
    }

    #[test]
    fn what_is_no_table_is_named_at_its_place() {
        for (text, wanted) in [
            ("a,b\n1,\"2\n", "t.csv:2:3: this quote is never closed"),
            ("a\n1\"2\"\n", "t.csv:2:2: a quote inside"),
            ("a\n\"1\" x,2\n", "t.csv:2:4: text after a quoted field"),
        ] {
            let problems = read(text).1;
            assert!(problems[0].starts_with(wanted), "{problems:?}");
        }
    }
}
