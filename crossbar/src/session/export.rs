//! Writing what agents did in a run for other tools.

use super::conclude::Source;
use super::outputs::{failed, put};
use super::{Concluded, SessionError, stored};
use crate::domain::{ResultRow, TaskId};
use crate::fingerprint::of_bytes;
use crate::report::{Export, ExportPlace, Exported, ReportError, TracePaths, export};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What an export wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file, or the folder of the files.
    pub path: PathBuf,
    /// The rollouts in it.
    pub rollouts: usize,
}

impl Concluded {
    /// Writes every rollout of a cell into a folder, in the format of this name. What the folder
    /// has of it is written over; files of other rollouts stay.
    ///
    /// # Errors
    /// `SessionError` for an unknown format, a run without a rollout, a record that can't be read,
    /// or a file that can't be written.
    pub fn export(&self, name: &str, folder: &Path) -> Result<Written, SessionError> {
        let format = export(name)
            .ok_or_else(|| SessionError::new(format!("there is no format `{name}`")))?;
        if self.rows.is_empty() {
            return Err(
                SessionError::new(format!("run {} has no rollout yet", self.run))
                    .help("run it, or name another run"),
            );
        }
        let prompts = match &self.source {
            Source::Record(parts) => stored::prompts(parts)?,
            Source::File(_) => BTreeMap::new(),
        };
        let path = match format.place {
            ExportPlace::Each(below) => self.each(format, &prompts, (folder, below))?,
            ExportPlace::Lines(file) => self.lines(format, &prompts, &folder.join(file))?,
        };
        let rollouts = self.rows.len();
        Ok(Written { path, rollouts })
    }

    fn each(
        &self,
        format: &Export,
        prompts: &BTreeMap<TaskId, String>,
        (folder, below): (&Path, &str),
    ) -> Result<PathBuf, SessionError> {
        let paths = TracePaths::new(&self.rows, of_bytes);
        for row in &self.rows {
            let text = self.text(format, row, prompts)?;
            let path = folder.join(paths.path_in(below, &row.key));
            put(&path, &|out| {
                out.write_all(text.as_bytes())
                    .map_err(|error| failed(&path, &error))
            })?;
        }
        Ok(folder.join(below))
    }

    fn lines(
        &self,
        format: &Export,
        prompts: &BTreeMap<TaskId, String>,
        path: &Path,
    ) -> Result<PathBuf, SessionError> {
        put(path, &|out| {
            for row in &self.rows {
                let text = self.text(format, row, prompts)?;
                out.write_all(text.as_bytes())
                    .map_err(|error| failed(path, &error))?;
            }
            Ok(())
        })?;
        Ok(path.to_owned())
    }

    fn text(
        &self,
        format: &Export,
        row: &ResultRow,
        prompts: &BTreeMap<TaskId, String>,
    ) -> Result<String, SessionError> {
        let told = |error: ReportError| {
            SessionError::new(format!("failed to export {}: {error}", row.key))
        };
        let frozen = self.frozen();
        let rollout = frozen.records.record(&row.key).map_err(told)?;
        let prompt = prompts.get(&row.key.task).map(String::as_str);
        let exported = Exported::new(&frozen, &rollout, prompt, of_bytes).map_err(told)?;
        (format.text)(&exported).map_err(told)
    }
}
