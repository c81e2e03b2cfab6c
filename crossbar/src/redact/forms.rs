//! The forms in which texts carry a secret: as it is, escaped for JSON (also within JSON that is
//! itself a text, as in events of programs), for a URL, and in base64.

/// How often a text that is JSON can be a text of JSON again: an event that quotes a tool's result
/// which quotes a document.
const NESTED: usize = 3;

/// All forms of a value, each once, the value itself first.
pub(super) fn forms(value: &str) -> Vec<String> {
    let mut all = vec![value.to_owned()];
    let mut text = value.to_owned();
    for _ in 0..NESTED {
        text = in_json(&text);
        all.push(text.clone());
    }
    all.push(value.replace('/', "\\/"));
    let url = in_a_url(value);
    all.push(url.to_lowercase());
    all.push(url);
    all.push(base64(value, b"+/"));
    all.push(base64(value, b"-_"));
    let mut once: Vec<String> = Vec::new();
    for form in all {
        if !once.contains(&form) {
            once.push(form);
        }
    }
    once
}

fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Percent-encoding of all but the unreserved characters (RFC 3986, sections 2.1 and 2.3).
fn in_a_url(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.extend(
                [byte >> 4, byte & 15]
                    .map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
            );
        }
    }
    out
}

/// Base64 (RFC 4648, sections 4 and 5) without the padding, so that a text with it is found too.
fn base64(text: &str, last: &[u8; 2]) -> String {
    let digit = |at: u32| match at & 63 {
        at @ 0..26 => b'A' + at as u8,
        at @ 26..52 => b'a' + (at - 26) as u8,
        at @ 52..62 => b'0' + (at - 52) as u8,
        at => last[(at - 62) as usize],
    };
    let mut out = String::new();
    for three in text.as_bytes().chunks(3) {
        let bits = three
            .iter()
            .fold(0, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        let digits = (0..=three.len()).map(|at| char::from(digit(bits >> (18 - 6 * at))));
        out.extend(digits);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_that_other_tools_write() {
        // printf '%s' 'a/b+"c' | base64; jq -R @uri
        assert_eq!(base64("a/b+\"c", b"+/"), "YS9iKyJj");
        assert_eq!(base64("f", b"+/"), "Zg");
        assert_eq!(base64("fo", b"+/"), "Zm8");
        assert_eq!(base64("foobar", b"+/"), "Zm9vYmFy");
        assert_eq!(base64("\u{3fb}\u{3ff}~", b"-_"), "z7vPv34");
        assert_eq!(in_a_url("a/b+\"c~"), "a%2Fb%2B%22c~");
        assert_eq!(in_json("a\"b"), "a\\\"b");
        assert_eq!(forms("plain").len(), 2);
    }
}
