//! Words that look like a provider's key: a message about a file must not repeat one.

/// Known beginnings of keys.
const BEGINNINGS: &[&str] = &[
    "sk-", "sk_", "pk-", "gsk_", "ghp_", "hf_", "xai-", "AIza", "AKIA",
];

/// Whether a word looks like a key: a known beginning, or a long word that mixes digits with
/// small letters or has no `_`. Names of variables are short words in capitals.
#[must_use]
pub fn looks_like_a_key(word: &str) -> bool {
    if word.starts_with("Bearer ") {
        return true;
    }
    let prefixed = BEGINNINGS.iter().any(|start| word.starts_with(start));
    let digits = word.bytes().any(|b| b.is_ascii_digit());
    let small = word.bytes().any(|b| b.is_ascii_lowercase());
    prefixed || (word.len() >= 20 && digits && (small || !word.contains('_')))
}

/// The text with every word that looks like a key, what follows `Bearer` or `Basic`, and whatever an
/// address holds besides the address, turned into stars of the same length, so that places in it stay where they are.
pub(super) fn masked(text: &str) -> String {
    words_masked(&credentials_masked(&addresses_masked(text)))
}

/// What the header `Authorization` holds after the name of its scheme.
fn credentials_masked(text: &str) -> String {
    const SCHEMES: [&str; 2] = ["Bearer ", "Basic "];
    let begin = |rest: &str| {
        let found = SCHEMES.iter();
        let found = found.filter_map(|scheme| Some(rest.find(scheme)? + scheme.len()));
        found.min()
    };
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '}' | ']');
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = begin(rest) {
        let (before, tail) = rest.split_at(at);
        let (secret, after) = tail.split_at(tail.find(ends).unwrap_or(tail.len()));
        shown.push_str(before);
        match secret.starts_with("${") {
            true => shown.push_str(secret),
            false => stars(&mut shown, secret),
        }
        rest = after;
    }
    shown.push_str(rest);
    shown
}

/// `user:password@`, `?query` and `#fragment` of every `://` address.
fn addresses_masked(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '}' | ']' | '<' | '>');
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, tail) = rest.split_at(at + 3);
        let (address, after) = tail.split_at(tail.find(ends).unwrap_or(tail.len()));
        shown.push_str(before);
        let authority = address.find(['/', '?', '#']).unwrap_or(address.len());
        let user = address[..authority].rfind('@').unwrap_or(0);
        stars(&mut shown, &address[..user]);
        let more = address.find(['?', '#']).map_or(address.len(), |at| at + 1);
        shown.push_str(&address[user..more]);
        stars(&mut shown, &address[more..]);
        rest = after;
    }
    shown.push_str(rest);
    shown
}

fn stars(shown: &mut String, secret: &str) {
    shown.extend(std::iter::repeat_n('*', secret.len()));
}

fn words_masked(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        shown.push_str(&rest[..start]);
        let tail = &rest[start..];
        let end = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        let word = &tail[..end];
        if looks_like_a_key(word) {
            stars(&mut shown, word);
        } else {
            shown.push_str(word);
        }
        rest = &tail[end..];
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_starred_and_names_are_left() {
        let text = "api_key: sk-live-0123456789abcdef # OPENAI_API_KEY_OF_TEAM_7 é\n";
        let shown = masked(text);
        assert_eq!(shown.len(), text.len());
        assert_eq!(
            shown,
            "api_key: ************************ # OPENAI_API_KEY_OF_TEAM_7 é\n"
        );
    }
    #[test]
    fn what_follows_the_scheme_of_a_header_is_starred_unless_a_variable_stands_there() {
        assert_eq!(
            masked("{A: \"Bearer hunter2\", B: Basic a+b=, C: \"Bearer ${KEY}\"}"),
            "{A: \"Bearer *******\", B: Basic ****, C: \"Bearer ${KEY}\"}"
        );
    }

    #[test]
    fn an_address_keeps_its_host_and_its_path_alone() {
        for (text, want) in [
            (
                "base_url: \"https://dana:hunter2@host/v1\" # é@x",
                "base_url: \"https://************@host/v1\" # é@x",
            ),
            (
                "{u: http://h:1/v1?key=a#b, v: 1}",
                "{u: http://h:1/v1?*******, v: 1}",
            ),
            (
                "http://h/v1/a@b and http://h",
                "http://h/v1/a@b and http://h",
            ),
            ("x://", "x://"),
        ] {
            assert_eq!(masked(text), want);
        }
    }
}
