//! The section `environment` of a task: its servers, with their variables expanded.

use super::super::{names, unbuilt};
use super::{TaskContext, address, keys};
use crate::domain::Unmet;
use crate::source::{Field, Fields, Problems, Spanned, expand};
use crate::task::{Address, EnvironmentSpec, ServerSpec, WORKSPACE_MARK};
use regex::Regex;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// The servers in both forms.
#[derive(Default)]
pub(super) struct Servers {
    /// As they are run: variables expanded, paths joined to the task's folder.
    pub(super) expanded: EnvironmentSpec,
    /// As they are written.
    pub(super) written: EnvironmentSpec,
    /// What of it is not had here: the task is recorded, and never runs.
    pub(super) unmet: BTreeSet<Unmet>,
    /// What asks for that, as it is written, for the canonical form.
    pub(super) recorded: Map<String, Value>,
}

impl Servers {
    /// Their names, in order.
    pub(super) fn names(&self) -> Vec<&str> {
        let servers = self.written.servers.iter();
        servers.map(|server| server.name.as_str()).collect()
    }
}

/// Keys of the environment, and of a server, that this version does not carry out: each would
/// change what is measured.
const UNBUILT: &[&str] = &["workspace"];
const UNBUILT_SERVER: &[&str] = &["ports", "exclusive", "reset"];

/// Reads the environment; no servers when it is absent.
pub(super) fn read(field: &Field<'_>, context: &TaskContext<'_>, problems: &Problems) -> Servers {
    let mut servers = Servers::default();
    let Some(mut fields) = field.section(&keys::ENVIRONMENT) else {
        return servers;
    };
    unbuilt::refuse(field.node(), &mut fields, UNBUILT);
    servers.container(&fields);
    let items = fields.key("servers").items().unwrap_or_default();
    fields.finish();
    let mut seen = names::Seen::new("server");
    for item in &items {
        let Some(mut fields) = item.section(&keys::SERVER) else {
            continue;
        };
        unbuilt::refuse(item.node(), &mut fields, UNBUILT_SERVER);
        let name = names::id(&fields.key("name"));
        if let Some(name) = name {
            seen.add(name, problems);
        }
        let reader = Reader { context, problems };
        let address = servers.address(&mut fields, &reader);
        // a server whose other keys are wrong still has its name, for those who ask for it
        let (mut written, mut expanded) = reader.server(fields, name.map_or("", |name| name.value));
        (written.address, expanded.address) = address.unzip();
        if name.is_some() {
            servers.written.servers.push(written);
            servers.expanded.servers.push(expanded);
        }
    }
    servers
}

impl Servers {
    /// The keys that ask for a container.
    fn container(&mut self, fields: &Fields<'_>) {
        let kind = fields.key("kind").declared_word();
        let kind = kind.filter(|kind| kind.value == "docker");
        let image = names::filled(&fields.key("image"));
        if kind.is_some() || image.is_some() {
            self.unmet.insert(Unmet::Container);
            let kind = kind.map(|kind| kind.value);
            let asked = json!({"kind": kind, "image": image});
            self.recorded.insert("container".to_owned(), asked);
        }
    }

    /// The keys of a server that somebody else runs: it has an address in place of a command, and
    /// nothing of what a process has.
    fn address(
        &mut self,
        fields: &mut Fields<'_>,
        reader: &Reader<'_>,
    ) -> Option<(Address, Address)> {
        let (url, headers) = (fields.key("url"), fields.key("headers"));
        if !url.is_present() {
            fields.required("command");
            if headers.is_present() {
                headers.error("are for a server with a `url`", "remove them");
            }
            return None;
        }
        if fields.key("command").is_present() {
            let help =
                "a server is started by its `command` or runs already at its `url`: keep one";
            url.error("stands beside `command`", help);
        }
        for key in ["args", "env", "cwd"] {
            let field = fields.key(key);
            if field.is_present() {
                field.error("is for a server with a `command`", "remove it");
            }
        }
        self.unmet.extend(address::unmet());
        Some(address::read(&url, &headers, reader))
    }
}

/// The regular expression as it is written. One that every answer matches says nothing.
fn error_pattern(field: &Field<'_>) -> Option<String> {
    let text = names::filled(field)?;
    match Regex::new(&text) {
        Err(error) => field.error(
            &format!("is no regular expression: {}", last_line(&error)),
            "write what the text of a failed call has, as in `^Database error`",
        ),
        Ok(pattern) if pattern.is_match("") => field.error(
            "matches every answer",
            "write what the text of a failed call has, as in `^Database error`",
        ),
        Ok(_) => return Some(text),
    }
    None
}

/// The last line of a syntax error names the fault; those before it draw the expression.
fn last_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let line = text.lines().last().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// Reads servers of one task.
pub(super) struct Reader<'c> {
    context: &'c TaskContext<'c>,
    problems: &'c Problems,
}

impl Reader<'_> {
    /// The server as it is written and as it is run; what had a problem is empty.
    fn server(&self, fields: Fields<'_>, name: &str) -> (ServerSpec, ServerSpec) {
        let command_field = fields.key("command");
        let command = command_field.text();
        let args = fields.key("args").texts().unwrap_or_default();
        let env = self.env(&fields.key("env"));
        let cwd_field = fields.key("cwd");
        let cwd = cwd_field.text();
        let start_timeout_s = fields.key("start_timeout_s").declared_number();
        let error_pattern = error_pattern(&fields.key("error_pattern"));
        fields.finish();
        for field in [command_field, cwd_field] {
            if field
                .text()
                .is_some_and(|text| text.value.trim().is_empty())
            {
                field.error("is empty", "write it, or remove the key");
            }
        }
        let mut written = ServerSpec::new(name, "", owned(&args));
        if let Some(command) = command {
            command.value.clone_into(&mut written.command);
        }
        written.cwd = cwd.map(|cwd| cwd.value.to_owned());
        written.env = env
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.value.to_owned()))
            .collect();
        written.start_timeout_s =
            start_timeout_s.map_or(ServerSpec::START_TIMEOUT_S, |one| one.value);
        written.error_pattern = error_pattern;
        let expanded = ServerSpec {
            command: command.map(|text| self.command(text)).unwrap_or_default(),
            args: args.iter().map(|text| self.expand(*text)).collect(),
            env: env
                .iter()
                .map(|(key, value)| ((*key).to_owned(), self.expand(*value)))
                .collect(),
            cwd: cwd.map(|text| self.joined(self.expand(text))),
            ..written.clone()
        };
        (written, expanded)
    }

    /// Variables for a server, in the order in which they are written.
    fn env<'a>(&self, field: &Field<'a>) -> Vec<(&'a str, Spanned<&'a str>)> {
        let mut env = Vec::new();
        for (key, value) in field.entries().unwrap_or_default() {
            if key.value.is_empty() || key.value.contains(['=', '\0']) {
                self.problems.error_help(
                    key.span,
                    "a variable's name is empty or has a `=` in it",
                    "write `NAME: value`",
                );
            }
            env.extend(value.text().map(|text| (key.value, text)));
        }
        env
    }

    /// The program: one with a slash is a path, from the task's folder on; one without is found
    /// where the system finds programs.
    fn command(&self, text: Spanned<&str>) -> String {
        let command = self.expand(text);
        if Path::new(&command).components().count() > 1 {
            self.joined(command)
        } else {
            command
        }
    }

    fn joined(&self, path: String) -> String {
        if path.starts_with(WORKSPACE_MARK) {
            return path;
        }
        let joined = Path::new(self.context.folder).join(path);
        joined.to_string_lossy().into_owned()
    }

    /// The text with its variables' values; unset ones are problems. The workspace is not known
    /// before a rollout begins: its mark stands for it.
    fn expand(&self, text: Spanned<&str>) -> String {
        self.expand_with(text, &|name: &str| match name {
            "CROSSBAR_WORKSPACE" => Some(WORKSPACE_MARK.to_owned()),
            name => (self.context.lookup)(name),
        })
    }

    /// The same for what leaves the machine: which variables were used, with their values, is noted.
    pub(super) fn expand_noting(
        &self,
        text: Spanned<&str>,
        noted: &RefCell<Vec<(String, String)>>,
    ) -> String {
        self.expand_with(text, &|name: &str| {
            let value = (self.context.lookup)(name)?;
            noted.borrow_mut().push((name.to_owned(), value.clone()));
            Some(value)
        })
    }

    fn expand_with(&self, text: Spanned<&str>, lookup: &dyn Fn(&str) -> Option<String>) -> String {
        match expand(text.value, self.problems.path(), text.span, lookup) {
            Ok(expanded) => expanded,
            Err(found) => {
                for problem in found {
                    self.problems.push(problem);
                }
                String::new()
            }
        }
    }
}

fn owned(texts: &[Spanned<&str>]) -> Vec<String> {
    texts.iter().map(|text| text.value.to_owned()).collect()
}
