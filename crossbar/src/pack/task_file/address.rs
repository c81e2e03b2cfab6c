//! A server at an address: its keys `url` and `headers`.

use super::super::names;
use super::servers::Reader;
use crate::domain::Unmet;
use crate::source::{Field, Spanned, looks_like_a_key};
use crate::task::Address;
use std::cell::RefCell;

/// Whether this build reaches such servers.
const REACHED: bool = cfg!(feature = "mcp-http");

/// What keeps a task with such a server from running in this build.
pub(super) fn unmet() -> Option<Unmet> {
    (!REACHED).then_some(Unmet::RemoteServer)
}

/// Headers that the protocol and the connection have for themselves.
const OWN: [&str; 8] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// Words in the names of headers whose values open something.
const OPENING: [&str; 8] = [
    "authorization",
    "x-auth",
    "api-key",
    "apikey",
    "cookie",
    "password",
    "secret",
    "token",
];

/// Reads both keys. The address as it is written, and as it is used: variables expanded, where this
/// build reaches it at all.
pub(super) fn read(
    url: &Field<'_>,
    headers: &Field<'_>,
    reader: &Reader<'_>,
) -> (Address, Address) {
    let secrets = RefCell::new(Vec::new());
    let used = |text: Spanned<&str>| match REACHED {
        true => reader.expand_noting(text, &secrets),
        false => text.value.to_owned(),
    };
    let (mut written, mut expanded) = (Address::default(), Address::default());
    if let (Some(_), Some(text)) = (names::filled(url), url.text()) {
        text.value.clone_into(&mut written.url);
        expanded.url = used(text);
        sound(url, text.value, &expanded.url);
        let noted = secrets.take().into_iter();
        secrets.replace(noted.flat_map(|one| within(one, &expanded.url)).collect());
    }
    for (name, value) in headers.entries().unwrap_or_default() {
        let Some(text) = value.text() else { continue };
        let real = used(text);
        header(&value, name.value, text.value, &real);
        let pair = |value: &str| (name.value.to_owned(), value.to_owned());
        written.headers.push(pair(text.value));
        expanded.headers.push(pair(&real));
    }
    expanded.secrets = secrets.into_inner();
    (written, expanded)
}

/// What of a variable in an address may be a key: nothing of where the server is, which messages
/// and traces have to name, and of a whole address its user, its password and the values of its query.
fn within((name, value): (String, String), url: &str) -> Vec<(String, String)> {
    let Some((_, rest)) = value.split_once("://") else {
        return match authority(url).contains(&value) {
            true => Vec::new(),
            false => vec![(name, value)],
        };
    };
    let user = authority(&value).rsplit_once('@').map(|(user, _)| user);
    let user = user.into_iter().flat_map(|user| user.split(':'));
    let query = rest.split_once('?').map(|(_, query)| query);
    let query = query.into_iter().flat_map(|query| query.split('&'));
    let query = query.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    let parts = user.chain(query);
    parts.map(|part| (name.clone(), part.to_owned())).collect()
}

/// User, host and port of an address; empty where there is none.
fn authority(url: &str) -> &str {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

/// That it is an address, and that no key stands in the file. `written` is never repeated: it is
/// what may hold one.
fn sound(field: &Field<'_>, written: &str, expanded: &str) {
    let authority = authority(written);
    let (_, rest) = written.split_once("://").unwrap_or_default();
    let rest = &rest[authority.len()..];
    let is_key = |word: &str| looks_like_a_key(word);
    let is_split = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-');
    if authority.contains('@') || rest.split(is_split).any(is_key) {
        field.error(
            "holds a secret",
            "put it into the environment, and write `${NAME}` in its place or in `headers`",
        );
    } else if !["http://", "https://"]
        .iter()
        .any(|scheme| expanded.to_ascii_lowercase().starts_with(scheme))
        && (REACHED && !expanded.is_empty())
    {
        field.error(
            "is not an http or https address",
            "write it with its scheme: `https://host/mcp`",
        );
    }
}

/// That a header can be sent, and that its key is not in the file.
fn header(value: &Field<'_>, name: &str, written: &str, expanded: &str) {
    let is_named = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    let lower = name.to_ascii_lowercase();
    let opens = OPENING.iter().any(|word| lower.contains(word));
    if name.is_empty() || !name.bytes().all(is_named) {
        value.error("has a name that no header has", "write `Name: value`");
    } else if OWN.contains(&lower.as_str()) {
        value.error("is set by the protocol", "remove it");
    } else if !written.contains("${") && (opens || looks_like_a_key(written)) {
        value.error(
            "holds a secret",
            "put it into the environment, and write `${NAME}` in its place",
        );
    } else if expanded.chars().any(char::is_control) {
        value.error(
            "has a line break or another control character in its value",
            "remove it, there or from the variable",
        );
    }
}
