//! Packs whose programs a run starts for the first time.

use super::{Prepared, stored};
use crate::store::Store;
use crate::task::ServerSpec;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One line for each pack of YAML tasks that starts programs and that no run of the record has
/// met: whoever fetched it from somebody else may want to read it first. A record that can't be
/// read is told by whoever writes to it.
#[must_use]
pub fn first_runs(prepared: &Prepared) -> Vec<String> {
    let Ok(store) = Store::open_existing(&stored::path(&prepared.results_dir)) else {
        return Vec::new();
    };
    let known = |pack: &str| match &store {
        Some(store) => store.has_met_pack(pack).unwrap_or(true),
        None => false,
    };
    let started = programs(prepared);
    let unknown = started.iter().filter(|(pack, _)| !known(pack));
    unknown
        .map(|(pack, programs)| note(pack, programs))
        .collect()
}

/// What each pack starts.
fn programs(prepared: &Prepared) -> BTreeMap<&str, BTreeSet<String>> {
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for entry in &prepared.tasks {
        let servers = entry.task.declared.iter();
        let servers = servers.flat_map(|declared| &declared.environment.servers);
        for server in servers {
            let of_pack = found.entry(entry.task.id.pack()).or_default();
            of_pack.insert(named(server));
        }
    }
    found
}

/// A server with the file name of its program, or with where it is: what follows the host
/// may be a key.
fn named(server: &ServerSpec) -> String {
    if let Some(address) = &server.address {
        let origin = address.url.split(['?', '#']).next().unwrap_or_default();
        let end = origin
            .match_indices('/')
            .nth(2)
            .map_or(origin.len(), |(at, _)| at);
        return format!("{} ({})", &origin[..end], server.name);
    }
    let program = Path::new(&server.command).file_name();
    let program = program.map_or_else(
        || server.command.clone().into(),
        |name| name.to_string_lossy(),
    );
    format!("{program} ({})", server.name)
}

fn note(pack: &str, programs: &BTreeSet<String>) -> String {
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    format!(
        "note: first run of pack {pack} here. It starts programs as you{}: {}. Read a pack of \
         somebody else's before you run it",
        if programs.iter().any(|one| one.contains("://")) {
            ", or sends to servers"
        } else {
            ""
        },
        programs.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_with_its_program_and_not_with_its_place() {
        let name = |command| named(&ServerSpec::new("desk", command, Vec::new()));
        assert_eq!(name("/home/me/tools/desk-server"), "desk-server (desk)");
        assert_eq!(name("npx"), "npx (desk)");
        assert_eq!(name(".."), ".. (desk)");
    }

    #[test]
    fn a_note_names_every_program_once() {
        let programs = ["npx (a)", "sh (b)", "npx (a)"].map(str::to_owned);
        let said = note("desk", &BTreeSet::from(programs));
        assert!(said.contains("pack desk here"), "{said}");
        assert!(said.contains("as you: npx (a), sh (b). "), "{said}");
        let mut far = ServerSpec::new("far", "", Vec::new());
        let url = "https://desk.example:8443/mcp/abc?d=e".to_owned();
        far.address = Some(crate::task::Address {
            url,
            ..crate::task::Address::default()
        });
        let said = note("desk", &BTreeSet::from([named(&far)]));
        assert!(
            said.contains("as you, or sends to servers: https://desk.example:8443 (far). "),
            "{said}"
        );
    }
}
