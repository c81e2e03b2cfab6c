//! The table as text: what was measured beside what is promised, each figure with its interval and
//! its n.

use super::{Calibration, Effort, Figure, Measure, Measured, PROMISES, Promise, Tally, Word};
use crate::domain::in_steps;
use std::fmt::Write;

/// The whole table: a section for each promise, then what is only shown, then what it comes to.
#[must_use]
pub fn text(calibration: &Calibration) -> String {
    let mut out = String::new();
    let sweeps: u64 = calibration
        .settings
        .iter()
        .map(|s| u64::from(s.sweeps))
        .sum();
    let effort = match calibration.effort {
        Effort::Quick => "quick",
        Effort::Full => "full",
    };
    let method = calibration.method.name();
    let settings = calibration.settings.len();
    let _ = writeln!(
        out,
        "CALIBRATE  {effort}, method {method}: {settings} settings, {sweeps} simulated sweeps"
    );
    let _ = writeln!(
        out,
        "20x5 = 20 tasks, 5 repeats. [..] is the 95% interval of the simulation itself. FAILS: beyond the\n\
         bound by more than its luck explains (one in a thousand); luck: beyond it by no more than that."
    );
    for promise in PROMISES {
        section(&mut out, promise, calibration);
    }
    let mut shown = calibration.shown().peekable();
    if shown.peek().is_some() {
        let _ = writeln!(out, "\nNot promised, for the reader");
        for (measured, measure, tally) in shown {
            line(&mut out, (measured, measure), tally, "");
        }
    }
    let _ = write!(out, "\n{}", ending(calibration));
    out
}

fn section(out: &mut String, promise: &Promise, calibration: &Calibration) {
    let mut figures = calibration.under(promise.id).peekable();
    if figures.peek().is_none() {
        return;
    }
    let Promise {
        id,
        says,
        bound,
        limit,
    } = promise;
    let _ = writeln!(out, "\n{id}: {bound}\n  {says}");
    if !limit.is_empty() {
        for part in wrapped(limit, 94) {
            let _ = writeln!(out, "  {part}");
        }
    }
    let mut visible: Option<(u32, f64)> = None;
    for (measured, measure, tally, judgement) in figures {
        let word = match judgement.word {
            Word::Holds => "holds",
            Word::WithinLuck => "luck",
            Word::Fails => "FAILS",
            Word::NothingSeen => "nothing seen",
        };
        line(out, (measured, measure), tally, word);
        if let Some(rate) = judgement.visible
            && visible.is_none_or(|(n, _)| tally.n() < n)
        {
            visible = Some((tally.n(), rate));
        }
    }
    if let Some((n, rate)) = visible {
        let _ = writeln!(
            out,
            "  {n} sweeps show a true {} with 80% power",
            percent(rate)
        );
    }
}

fn line(out: &mut String, (measured, measure): (&Measured, &Measure), tally: &Tally, word: &str) {
    let figure = match measure.figure.interval(tally) {
        Some((value, low, high)) => {
            let n = tally.n();
            format!(
                "{} [{}, {}] of {n}",
                percent(value),
                points(low),
                points(high)
            )
        }
        None => "nothing seen".to_owned(),
    };
    let mean = if measure.figure == Figure::Mean {
        "mean "
    } else {
        ""
    };
    let place = format!("{:<10} {}", measured.world, measured.label);
    let figure = format!("{mean}{figure}");
    let text = format!("  {place:<44} {:<18} {figure:<28} {word}", measure.what);
    let _ = writeln!(out, "{}", text.trim_end());
}

fn percent(share: f64) -> String {
    points(share) + "%"
}

fn points(share: f64) -> String {
    format!("{:.1}", in_steps(share, 1e3) / 10.0)
}

fn ending(calibration: &Calibration) -> String {
    let held: Vec<&str> = PROMISES.iter().map(|promise| promise.id).collect();
    let asked = held
        .iter()
        .filter(|id| calibration.under(id).next().is_some());
    let (asked, broken) = (asked.count(), calibration.broken());
    match broken.len() {
        0 => format!("no promise of {asked} is broken{}", by_luck(calibration)),
        count => format!("{count} of {asked} promises fail: {}", broken.join(", ")),
    }
}

/// The promises of which some figure lies beyond the bound, by no more than luck explains.
fn by_luck(calibration: &Calibration) -> String {
    let is_luck = |id: &&str| {
        let mut figures = calibration.under(id);
        figures.any(|(_, _, _, judgement)| judgement.word == Word::WithinLuck)
    };
    let promises = PROMISES.iter().map(|promise| promise.id);
    let found: Vec<&str> = promises.filter(is_luck).collect();
    match found.len() {
        0 => String::new(),
        _ => format!("; beyond its bound within luck: {}", found.join(", ")),
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].len() + word.len() + 1 > width {
            lines.push(word.to_owned());
        } else {
            let gap = if lines[last].is_empty() { "" } else { " " };
            let _ = write!(lines[last], "{gap}{word}");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::Method;
    use super::*;

    fn calibration(happened: u32) -> Calibration {
        Calibration {
            method: Method::Shipped,
            effort: Effort::Quick,
            settings: vec![Measured {
                world: "beta",
                label: "20x5".to_owned(),
                sweeps: 200,
                figures: vec![
                    (Measure::promised("direction", ""), Tally::of(happened, 200)),
                    (Measure::shown("SWITCH"), Tally::default()),
                ],
            }],
        }
    }

    #[test]
    fn a_figure_stands_with_its_interval_its_n_and_its_word() {
        let text = text(&calibration(4));
        assert!(text.contains("direction: at most 5%"), "{text}");
        assert!(
            text.contains("2.0% [0.8, 5.0] of 200       holds"),
            "{text}"
        );
        assert!(text.contains("SWITCH             nothing seen"), "{text}");
        assert!(text.contains("200 sweeps show a true "), "{text}");
        assert!(text.ends_with("no promise of 1 is broken"), "{text}");
    }

    #[test]
    fn luck_is_said_to_be_luck() {
        let text = text(&calibration(12));
        assert!(text.contains("of 200      luck"), "{text}");
        let ending = "no promise of 1 is broken; beyond its bound within luck: direction";
        assert!(text.ends_with(ending), "{text}");
    }

    #[test]
    fn a_broken_promise_is_named_last() {
        let text = text(&calibration(30));
        assert!(
            text.contains("15.0% [10.7, 20.6] of 200    FAILS"),
            "{text}"
        );
        assert!(text.ends_with("1 of 1 promises fail: direction"), "{text}");
    }
}
