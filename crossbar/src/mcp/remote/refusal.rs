//! What a status other than success means, in words that help.

use crate::wire::excerpt;

/// What is known of a refused request.
pub(super) struct Refused<'a> {
    pub(super) status: u16,
    /// Where a redirection leads.
    pub(super) location: Option<&'a str>,
    pub(super) body: &'a [u8],
    /// We had named a session.
    pub(super) in_session: bool,
}

/// One fragment: the status, what it means, what the server says.
pub(super) fn words(refused: &Refused<'_>) -> String {
    let meaning = match (refused.status, refused.in_session) {
        (401 | 403, _) => ": it does not take the `headers`".to_owned(),
        (404, true) => ": it has ended the session".to_owned(),
        (404 | 405, false) => {
            ": it does not speak MCP over streamable HTTP at this `url` (the older HTTP with SSE is \
             not spoken here)"
                .to_owned()
        }
        (300..=399, _) => match refused.location {
            Some(there) => format!(
                ": it points to {}: write the address there as `url`",
                without_query(there)
            ),
            None => ": it points elsewhere".to_owned(),
        },
        _ => String::new(),
    };
    let said = match refused.body.trim_ascii() {
        [] => String::new(),
        body => format!(": {}", excerpt(body)),
    };
    format!("HTTP status {}{meaning}{said}", refused.status)
}

/// A redirection may carry a key in its query.
fn without_query(address: &str) -> &str {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    &address[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_what_to_look_at() {
        for (status, in_session, wanted) in [
            (
                401,
                true,
                "HTTP status 401: it does not take the `headers`: no",
            ),
            (404, true, "HTTP status 404: it has ended the session: no"),
            (
                404,
                false,
                "HTTP status 404: it does not speak MCP over streamable HTTP at this `url` (the older HTTP with SSE is not spoken here): no",
            ),
            (
                302,
                false,
                "HTTP status 302: it points to https://b.example/mcp: write the address there as `url`: no",
            ),
            (503, true, "HTTP status 503: no"),
        ] {
            let refused = Refused {
                status,
                location: Some("https://b.example/mcp?key=1"),
                body: b" no\n",
                in_session,
            };
            assert_eq!(words(&refused), wanted);
        }
    }
}
