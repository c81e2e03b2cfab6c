//! The MCP servers that live in the running executable: `__serve NAME [ARGS..]`.
//!
//! A pack starts one with `${CROSSBAR_BIN}`, so a demo needs no other program on the machine.

mod tickets;

use std::ffi::OsString;
use std::io::{BufReader, Write};

/// One line per built-in server.
const SERVERS: &[(&str, Serve)] = &[("tickets", tickets::serve)];

type Serve = fn(&[String], &mut dyn std::io::BufRead, &mut dyn Write) -> std::io::Result<()>;

/// Serves if the arguments (without the program's name) begin with `__serve`; the exit code is
/// then the process's. `None` leaves the arguments to the caller.
pub fn serve_if_asked(args: &[OsString]) -> Option<i32> {
    if args.first()? != "__serve" {
        return None;
    }
    let words: Vec<String> = args[1..]
        .iter()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    let name = words.first().map_or("", String::as_str);
    let Some((_, serve)) = SERVERS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<_> = SERVERS.iter().map(|(known, _)| *known).collect();
        let _ = writeln!(
            std::io::stderr(),
            "error: no built-in server `{name}`\nhelp: the built-in servers are: {}",
            known.join(", ")
        );
        return Some(2);
    };
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = std::io::stdout().lock();
    match serve(&words[1..], &mut input, &mut output) {
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            Some(2)
        }
        // A closed pipe is how a client says goodbye.
        _ => Some(0),
    }
}
