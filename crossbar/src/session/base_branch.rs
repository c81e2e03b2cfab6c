//! The references of the branch that a pull request wants to go into: a change can't bless itself.

use super::{SessionError, references};
use crate::domain::{CellId, Reference};
use crate::process::Tool;
use std::ffi::OsStr;
use std::path::Path;

/// Where CI servers name the branch that a pull or merge request goes into.
pub(super) const NAMED_BY: [&str; 2] = ["GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"];

/// The base branch of a pull request, as git calls it here.
pub(super) struct BaseBranch<'a> {
    /// `origin/main` and the like.
    pub(super) name: String,
    /// The folder that holds the references' folder.
    root: &'a Path,
    /// The references' folder.
    folder: &'a OsStr,
}

impl<'a> BaseBranch<'a> {
    /// The base branch where a CI server names one; `None` outside a pull request.
    ///
    /// # Errors
    /// `SessionError` when git does not have it: a gate that reads something else is no gate.
    pub(super) fn named(
        folder: &'a Path,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, SessionError> {
        let named = NAMED_BY
            .iter()
            .find_map(|name| lookup(name).filter(|text| !text.is_empty()));
        let (Some(branch), Some(root), Some(name)) = (named, folder.parent(), folder.file_name())
        else {
            return Ok(None);
        };
        let base = Self {
            name: format!("origin/{branch}"),
            root,
            folder: name,
        };
        let commit = format!("{}^{{commit}}", base.name);
        match base.git(&["rev-parse", "--verify", "--quiet", &commit])? {
            Some(_) => Ok(Some(base)),
            None => Err(SessionError::new(format!(
                "{} is not here, and a pull request is held to its references",
                base.name
            ))
            .help(format!(
                "fetch it first: git fetch origin {branch}:refs/remotes/origin/{branch} \
                 (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)"
            ))),
        }
    }

    /// The records of a cell over all packs, as the base branch has them.
    pub(super) fn read(&self, cell: &CellId) -> Result<Vec<Reference>, SessionError> {
        let folder = format!("{}/", self.folder.to_string_lossy());
        let listed = self.must(&[
            "ls-tree",
            "-r",
            "-z",
            "--name-only",
            &self.name,
            "--",
            &folder,
        ])?;
        let wanted = references::name(cell);
        let mut records = Vec::new();
        for path in listed.split('\0') {
            let mut parts = path.rsplit('/');
            let (Some(file), Some(pack)) = (parts.next(), parts.next()) else {
                continue;
            };
            if file == wanted {
                let blob = format!("{}:./{path}", self.name);
                let text = self.must(&["show", &blob])?;
                let place = format!("{}:{path}", self.name);
                records.extend(references::parse(&text, pack, &place)?);
            }
        }
        Ok(records)
    }

    /// What git says. Its failure must not look as if nobody had accepted anything.
    fn must(&self, args: &[&str]) -> Result<String, SessionError> {
        self.git(args)?.ok_or_else(|| {
            SessionError::new(format!("git {} failed", args.join(" ")))
                .help("its message is above; the references of the base branch can't be read")
        })
    }

    /// What git says; `None` where it fails.
    fn git(&self, args: &[&str]) -> Result<Option<String>, SessionError> {
        let tool = Tool {
            program: OsStr::new("git"),
            args: args.iter().map(Into::into).collect(),
            cwd: self.root,
            env: Vec::new(),
        };
        let output = tool
            .output()
            .map_err(|error| SessionError::new(format!("failed to start git: {error}")))?;
        let text = || String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(output.status.success().then(text))
    }
}
