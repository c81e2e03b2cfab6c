//! GATE: the gate's word, why, and what it could not have seen; one text for the card, the JUnit
//! file and the comment of a pull request.

use super::Frozen;
use super::figures::{counted, difference, p_value, points};
use super::page::{HANG, Page};
use super::recommendation::short;
use super::styles::Tone;
use crate::analysis::{
    Against, ChangedPart, GateAnswer, GateState, GateWord, HeldCell, NotComparable,
};
use crate::domain::{GateMode, GateReference, TaskId};

/// The names that one line lists; sweep.json has all.
const NAMED: usize = 8;

/// Writes the section; nothing for a run without a gate.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    let Some(answer) = frozen.gate else {
        return;
    };
    page.blank();
    let word = answer.word.to_string();
    let asked = format!("({})", asked(answer));
    page.paragraph("GATE", HANG, &[(tone(answer), &word), (Tone::Text, &asked)]);
    if let Some(line) = watch(answer) {
        page.item("", HANG, &line);
    }
    for cell in &answer.cells {
        page.item("", HANG, &sentence(answer, cell));
        for line in details(answer, cell) {
            page.item("", HANG + 2, &line);
        }
    }
}

fn tone(answer: &GateAnswer) -> Tone {
    match answer.state() {
        GateState::Held => Tone::Good,
        GateState::Failed => Tone::Bad,
        GateState::Open | GateState::Refused | GateState::Incomplete => Tone::Warn,
    }
}

/// What the gate was asked, and in how many looks.
pub(super) fn asked(answer: &GateAnswer) -> String {
    let mode = match answer.mode {
        GateMode::Regression => "regression".to_owned(),
        GateMode::Noninferiority => {
            format!(
                "non-inferiority within {} points",
                points(answer.margin.value)
            )
        }
    };
    let against = match answer.reference {
        GateReference::Stored => match &answer.base {
            Some(base) => format!("the accepted references of {base}"),
            None => "accepted references".to_owned(),
        },
        GateReference::Concurrent => "the baseline in this sweep".to_owned(),
        GateReference::Sentinel { .. } => match &answer.base {
            Some(base) => format!("the accepted references of {base} with a sentinel"),
            None => "accepted references with a sentinel".to_owned(),
        },
    };
    let looks = match &answer.second_look {
        Some(_) => "two looks",
        None => "one look",
    };
    format!("{mode} against {against}, {looks} {}", answer.scope.tag())
}

/// A cell's word with its grounds, or with what is in the way and the cure.
pub(super) fn sentence(answer: &GateAnswer, cell: &HeldCell) -> String {
    let name = short(&cell.cell);
    if let Some(why) = &cell.why {
        let reason = match (why, &answer.sentinel) {
            (NotComparable::Sentinel { .. }, Some(sentinel)) => doubt(sentinel),
            _ => reason(why),
        };
        return format!("{name}: {}{}: {reason}", cell.word, second(cell));
    }
    if cell.word == GateWord::NoReference {
        let renamed = match answer.elsewhere.len() {
            0 => String::new(),
            _ => format!(
                "; there are references of {}, not in this run: a cell by another name has none",
                names(answer.elsewhere.iter())
            ),
        };
        return format!("{name}: no reference: crossbar accept latest{renamed}");
    }
    let mut parts = vec![format!("{name}: {}{}", cell.word, second(cell))];
    if let (GateWord::Incomplete, Some(_)) = (cell.word, &cell.first_look) {
        parts.push("; not all of it was measured: go on with it, crossbar run --resume".to_owned());
    }
    if let Some(estimate) = &cell.difference {
        parts.push(format!(
            " {} {} over {}",
            difference(estimate),
            answer.scope.tag(),
            counted(u64::from(cell.tasks.paired), "task")
        ));
    }
    if let Some(p) = cell.adjusted_p {
        let p = p_value(p, answer.alpha);
        let family = answer.cells.iter().filter(|one| one.adjusted_p.is_some());
        parts.push(match family.count() {
            1 => format!(" ({p})"),
            cells => format!(" ({p}, Holm over {cells} cells)"),
        });
    }
    if let Some(against) = &cell.against {
        parts.push(format!(", {}", opponent(against)));
    }
    parts.push(reach(cell));
    parts.concat()
}

/// How the sentinel stands; `None` where there is none.
pub(super) fn watch(answer: &GateAnswer) -> Option<String> {
    let sentinel = answer.sentinel.as_ref()?;
    let name = short(&sentinel.cell);
    let over = counted(u64::from(sentinel.tasks.paired), "task");
    let figure = sentinel.difference.as_ref().map(difference);
    let figure = figure.map(|figure| format!(" {figure} [these tasks] over {over}"));
    let figure = figure.unwrap_or_default();
    let against = sentinel.against.as_ref().map(opponent);
    let against = against.map_or_else(String::new, |against| format!(", {against}"));
    Some(match (sentinel.word, &sentinel.why) {
        (_, Some(why)) => format!("sentinel {name}: {}: {}", sentinel.word, reason(why)),
        (GateWord::Incomplete, None) => {
            format!("sentinel {name}: not all of its rollouts were measured")
        }
        (GateWord::NoRegressionShown, None) => {
            let seen = sentinel.smallest_drop.map_or_else(String::new, |drift| {
                format!(
                    "; the smallest drift that it shows 80 times in 100 is {} points",
                    points((drift * 1e3).ceil() / 1e3)
                )
            });
            format!("sentinel {name}: no drift shown{figure}{against}{seen}")
        }
        (GateWord::NoReference, None) => {
            format!(
                "sentinel {name}: no reference: crossbar accept --cell {}",
                sentinel.cell
            )
        }
        _ => format!("sentinel {name}: DRIFT{figure}{against}"),
    })
}

/// Why a cell is not held beside its sentinel.
fn doubt(sentinel: &HeldCell) -> String {
    let name = short(&sentinel.cell);
    let moved = matches!(sentinel.word, GateWord::Regression | GateWord::Improvement);
    let what = match &sentinel.difference {
        Some(moved_by) if moved => format!(
            "the sentinel {name} moved by {} with nothing changed in it: the provider did, or the \
             product",
            difference(moved_by)
        ),
        _ => format!("the sentinel {name} could not be compared"),
    };
    format!(
        "{what}; compare side by side (gate.reference: concurrent), or remove the sentinel's \
             reference and accept a run of both"
    )
}

/// That this is the second look, and what the first one showed: never left out.
fn second(cell: &HeldCell) -> String {
    let Some(first) = &cell.first_look else {
        return String::new();
    };
    let figure = first.difference.as_ref().map(difference);
    let figure = figure.map_or_else(String::new, |figure| format!(": {figure}"));
    let too = match cell.word {
        GateWord::Regression => " too",
        _ => "",
    };
    format!(" in the second look{too} (the first was red{figure})")
}

/// What the design could have seen: said whenever no drop was shown.
fn reach(cell: &HeldCell) -> String {
    let shown = matches!(
        cell.word,
        GateWord::NoRegressionShown | GateWord::TasksRemoved
    );
    match cell.smallest_drop.filter(|_| shown) {
        Some(drop) => format!(
            "; the smallest drop that such a run shows 80 times in 100 is {} points",
            points((drop * 1e3).ceil() / 1e3)
        ),
        None => String::new(),
    }
}

fn opponent(against: &Against) -> String {
    match against {
        Against::Itself => "its even repeats against its odd ones".to_owned(),
        Against::Run { run } => format!("against run {run}"),
        Against::Cell { cell } => format!("against {}", short(cell)),
        Against::Record { days, runs, .. } => {
            let (first, last) = days;
            let when = if first == last {
                format!("of {first}")
            } else {
                format!("of {first} to {last}")
            };
            let noun = if runs.len() == 1 { "run" } else { "runs" };
            format!("against the accepted {noun} {} {when}", names(runs.iter()))
        }
    }
}

/// Up to `NAMED` names, and how many more.
fn names<T: ToString>(names: impl ExactSizeIterator<Item = T>) -> String {
    let count = names.len();
    let shown: Vec<String> = names.take(NAMED).map(|name| name.to_string()).collect();
    match count.checked_sub(shown.len()) {
        Some(more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}

fn reason(why: &NotComparable) -> String {
    match why {
        NotComparable::NotInThisRun => {
            "it, or the baseline, is not in this run (a live cell needs --live and a budget)".into()
        }
        NotComparable::Mock { cells } => format!(
            "mock models are no evidence about a real one ({}); hold another cell (gate.cell), \
             or say gate.allow_mock: true",
            names(cells.iter())
        ),
        NotComparable::Replayed { run } => {
            format!("the answers are replayed from run {run} and say nothing about the models")
        }
        NotComparable::OneRepeat => {
            "one repeat says nothing about [these tasks]; run two or more, or say gate.scope: like"
                .into()
        }
        NotComparable::TooFewTasks => {
            "one task can't speak for [tasks like these]; say gate.scope: these".into()
        }
        NotComparable::NoCommonTask => {
            "no task is the same in the reference and in this run; accept a run of these tasks"
                .into()
        }
        NotComparable::Changed { what, then, now } => changed(*what, then, now),
        NotComparable::Moved { then, now } => format!(
            "its configuration is another one than was accepted (fingerprint {then}, now {now}), \
             and a sentinel stands still: put it back, or remove its reference and accept it anew"
        ),
        NotComparable::Sentinel { .. } => {
            "no sentinel ran: the baseline has no accepted reference among these tasks \
             (crossbar accept --cell BASELINE), or is not in this run"
                .into()
        }
        NotComparable::TooOld { days, limit } => format!(
            "the reference is {days} days old and may be {limit} (gate.max_age_days): accept a \
             newer run, or compare side by side (gate.reference: concurrent)"
        ),
    }
}

/// Where the two looks are; nothing of a cell that was looked at once.
fn looks(answer: &GateAnswer, cell: &HeldCell) -> Vec<String> {
    let (Some(look), Some(first)) = (&answer.second_look, &cell.first_look) else {
        return Vec::new();
    };
    let p = first.adjusted_p.map(|p| p_value(p, answer.alpha));
    let p = p.map_or_else(String::new, |p| format!(", {p}"));
    vec![
        format!(
            "second look: run {}, seed {}, data set {}",
            look.run, look.seed, look.dataset_hash
        ),
        format!(
            "first look: {} over {}{p}",
            first.word,
            counted(u64::from(first.tasks.paired), "task")
        ),
    ]
}

fn changed(what: ChangedPart, then: &str, now: &str) -> String {
    let what = match what {
        ChangedPart::RequestedModel => "the model that is asked for",
        ChangedPart::AnsweredModel => "the model that answers",
        ChangedPart::Agent => "the agent",
    };
    let named = |text: &str| {
        if text.is_empty() {
            "nobody named".to_owned()
        } else {
            text.to_owned()
        }
    };
    format!(
        "{what} was {} when the reference was accepted and is {} now; accept a run of today, or \
         compare side by side (gate.reference: concurrent)",
        named(then),
        named(now)
    )
}

/// What else a reader must know: what moved, what was left out of the comparison, what changed.
pub(super) fn details(answer: &GateAnswer, cell: &HeldCell) -> Vec<String> {
    let mut lines = looks(answer, cell);
    if let Some(Against::Record { changed_from, .. }) = &cell.against
        && !changed_from.is_empty()
    {
        lines.push(format!(
            "configuration changed: its fingerprint was {} (ENVIRONMENT has today's)",
            names(changed_from.iter())
        ));
    }
    let tasks = &cell.tasks;
    let mut list = |what: &str, found: &[TaskId]| {
        if !found.is_empty() {
            lines.push(format!("{what}: {}", names(found.iter())));
        }
    };
    list("removed since the reference", &tasks.removed);
    list("new, measured and not held", &tasks.new);
    list(
        "changed (prompt, environment or checks), not held",
        &tasks.changed,
    );
    list("this change accepts", &tasks.accepts);
    let (fell, rose): (Vec<_>, Vec<_>) = tasks.moved.iter().partition(|task| task.fell());
    for (what, found) in [("fell", fell), ("rose", rose)] {
        if !found.is_empty() {
            lines.push(format!("{what}: {}", names(found.into_iter())));
        }
    }
    for drop in tasks.accepted_drops.iter().take(NAMED) {
        lines.push(format!("accepted drop of {}: {}", drop.task, drop.reason));
    }
    lines
}
