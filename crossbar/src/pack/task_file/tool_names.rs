//! Names of tools in a task: which server they mean, and whether the task has it.

use super::super::names;
use crate::source::{Field, closest};

/// Says that a name means a server that the task has not.
pub(super) fn unknown_server(field: &Field<'_>, server: &str, servers: &[&str]) {
    let help = match closest(server, servers.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if servers.is_empty() => "add it to `environment.servers`".to_owned(),
        None => format!("the servers are {}", names::listed(servers.iter().copied())),
    };
    field.error(
        &format!("names the server `{server}`, which this task does not have"),
        &help,
    );
}

/// Splits `server.tool` and, with `join` `__`, `server__tool`. Servers' names can hold either
/// themselves, so the longest server that the text begins with is the one that is meant.
pub(super) fn split<'t>(text: &'t str, join: &str, servers: &[&str]) -> Option<(&'t str, &'t str)> {
    let tool_of = |server: &&&str| {
        let tool = text.strip_prefix(**server)?.strip_prefix(join)?;
        (!tool.is_empty()).then_some(tool)
    };
    let server = servers
        .iter()
        .filter(|server| tool_of(server).is_some())
        .max_by_key(|server| server.len())?;
    text.split_at_checked(server.len())
        .and_then(|(server, rest)| Some((server, rest.strip_prefix(join)?)))
}

/// Checks that the server part of a dotted tool name is a server of the task. A bare name is no
/// problem: it means the tool of whichever server has it.
pub(super) fn check_dotted(field: &Field<'_>, text: &str, servers: &[&str]) -> bool {
    let Some((server, _)) = text.split_once('.') else {
        return true;
    };
    if split(text, ".", servers).is_some() {
        return true;
    }
    unknown_server(field, server, servers);
    false
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn the_longest_server_is_meant() {
        let servers = ["a", "a.b", "x__y"];
        assert_eq!(split("a.b.get", ".", &servers), Some(("a.b", "get")));
        assert_eq!(split("a.c", ".", &servers), Some(("a", "c")));
        assert_eq!(split("x__y__get", "__", &servers), Some(("x__y", "get")));
        assert_eq!(split("a__x__y", "__", &servers), Some(("a", "x__y")));
        assert_eq!(split("b.get", ".", &servers), None);
        assert_eq!(split("a.", ".", &servers), None);
    }
}
