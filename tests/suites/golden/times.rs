//! Times that were cut short, and the front of pass rate, cost and time.

use crossbar::stats::{self, End, Finish, Units};

use crate::{bounded, close, load, num, nums, uint};

/// The curve of one task's rollouts, through what is made of it: the median, and the mean up to any
/// limit, whose growth from one time to the next is the share that is still running.
#[test]
fn kaplan_meier() {
    let (mut at_one_half, mut shares) = (0, 0);
    for (i, want) in load("kaplan_meier", 12) {
        let ends = nums(&i["event"]);
        let times = nums(&i["time"]).into_iter().zip(ends);
        let rollouts: Vec<Finish> = times
            .map(|(time, event)| Finish {
                time,
                end: match event {
                    1.0 => End::Finished,
                    _ => End::Stopped,
                },
            })
            .collect();
        let up_to = |limit: f64| {
            let task = [rollouts.as_slice()];
            stats::time_to_finish(&task, limit, &[1.0], 0.05, Units::graded).unwrap()
        };
        let (times, survival) = (nums(&want["survival_times"]), nums(&want["survival"]));
        let last = *times.last().unwrap();
        let (median, wanted) = (up_to(last).median, bounded(&want["median"]));
        if median != wanted {
            // the curve stands at one half from here to there, and the file's own product of rounded
            // fractions came out a hair above it; in its other cases it came out below
            let at = times.iter().position(|time| Some(*time) == median).unwrap();
            close(&i.to_string(), survival[at], 0.5, 1e-12, 0.0);
            assert_eq!(Some(times[at + 1]), wanted, "{i}");
            at_one_half += 1;
        }
        let mean = up_to(num(&i["tau"])).mean;
        close(&format!("mean {i}"), mean, num(&want["rmst"]), 1e-6, 0.0);
        for (two, share) in times.windows(2).zip(&survival) {
            // the first time is 0, which is no limit
            let from = if two[0] > 0.0 {
                up_to(two[0]).mean
            } else {
                0.0
            };
            let grown = (up_to(two[1]).mean - from) / (two[1] - two[0]);
            close(&format!("share {i}"), grown, *share, 1e-6, 0.0);
            shares += 1;
        }
    }
    assert!(at_one_half <= 2, "{at_one_half} of 12");
    assert!(shares > 100, "{shares}");
}

#[test]
fn pareto() {
    for (i, want) in load("pareto", 6) {
        let list = |key: &str| nums(&i[key]);
        let (quality, cost, latency) = (list("quality"), list("cost"), list("latency"));
        for (name, burdens) in [
            ("front_quality_cost", vec![cost.as_slice()]),
            ("front_quality_cost_latency", vec![&cost, &latency]),
        ] {
            let front = stats::pareto_front(&quality, &burdens).unwrap();
            let wanted: Vec<usize> = want[name]
                .as_array()
                .unwrap()
                .iter()
                .map(|at| uint(at) as usize)
                .collect();
            assert_eq!(front, wanted, "{name} {i}");
        }
    }
}
