//! What a run is recorded with: repeats, looks, margin, errors.

use super::{Loaded, RunOptions, SessionError};
use crate::domain::LookPlan;
use crate::pack::{Padding, Roster};
use crate::sweep::CellEntry;
use serde_json::{Value, json};
use std::sync::Arc;

/// What only some rosters ask for: no key at all where nothing was asked, so that a run of before goes
/// on.
fn put_asked(settings: &mut Value, roster: &Roster) {
    let asked = [
        ("ci", roster.stats.ci.map(|word| json!(word))),
        ("cache", roster.run.cache.map(|policy| json!(policy))),
    ];
    if let Some(fields) = settings.as_object_mut() {
        let asked = asked.into_iter();
        fields.extend(asked.filter_map(|(key, value)| Some((key.to_owned(), value?))));
    }
}

/// Everything that the figures of a run depend on besides its cells and tasks. Its hash decides
/// whether a run may be gone on with.
///
/// # Errors
/// `SessionError` for a k that the repeats can't give, and for looks without a pair to look at.
pub(super) fn of(
    loaded: &Loaded,
    options: &RunOptions,
    (repeats, looks): (u32, Option<&LookPlan>),
    seed: u64,
    cells: &[Arc<CellEntry>],
) -> Result<Value, SessionError> {
    let roster = &loaded.roster;
    let k = options.k.or(roster.run.k);
    let least = looks.and_then(|looks| looks.repeats().first().copied());
    let least = least.unwrap_or(repeats);
    if let Some(k) = k.filter(|k| *k == 0 || *k > least) {
        return Err(
            SessionError::new(format!("k is {k} and there are {least} repeats"))
                .help("k is at least 1 and at most the number of repeats"),
        );
    }
    // A baseline that is not in this sweep can't be compared with.
    let baseline = roster.run.baseline.as_ref();
    let baseline = baseline.filter(|id| cells.iter().any(|cell| cell.id == **id));
    let mut settings = json!({
        "crossbar": env!("CARGO_PKG_VERSION"),
        "repeats": repeats,
        "seed": seed,
        "baseline": baseline,
        "margin": roster.gate.margin,
        "alpha": roster.gate.alpha,
        "quality_bar": roster.gate.quality_bar,
        "padding": match roster.stats.padding {
            Padding::Normal => "normal",
            Padding::Strict => "strict",
        },
        "k": k,
    });
    put_asked(&mut settings, roster);
    if let (Some(looks), Some(fields)) = (looks, settings.as_object_mut()) {
        if baseline.is_none() || cells.len() < 2 {
            return Err(SessionError::new(
                "--adaptive holds challengers against a baseline, and there is none to run",
            )
            .help("name run.baseline in the roster, and a challenger"));
        }
        fields.insert("looks".to_owned(), json!(looks));
    }
    if let (Some(looks), Some(fields)) = (&roster.run.task_looks, settings.as_object_mut()) {
        let clash = match (options.adaptive, &roster.gate.rules) {
            (true, _) => Some("--adaptive adds repeats and run.task_looks adds tasks"),
            (_, Some(_)) => Some("a gate is one look, and run.task_looks declares several"),
            (false, None) => None,
        };
        if let Some(clash) = clash {
            return Err(SessionError::new(clash).help("leave one of them out"));
        }
        fields.insert("task_looks".to_owned(), json!(looks));
    }
    if let (Some(first), Some(fields)) = (&options.second_look_of, settings.as_object_mut()) {
        fields.insert("second_look_of".to_owned(), json!(first));
    }
    match (&roster.gate.rules, settings.as_object_mut()) {
        (_, Some(fields)) if options.aa => drop(fields.insert("aa".to_owned(), json!(true))),
        (Some(rules), Some(fields)) => drop(fields.insert("gate".to_owned(), json!(rules))),
        _ => {}
    }
    Ok(settings)
}
