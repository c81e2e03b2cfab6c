//! Times that were cut short, and the front of pass rate, cost and time.

use crossbar::stats::{self, End, Finish};

use crate::{bounded, close, load, num, nums, uint};

#[test]
fn kaplan_meier() {
    let mut at_one_half = 0;
    for (i, want) in load("kaplan_meier", 12) {
        let ends = nums(&i["event"]);
        let rollouts: Vec<Finish> = nums(&i["time"])
            .into_iter()
            .zip(ends)
            .map(|(time, event)| Finish {
                time,
                end: if event == 1.0 {
                    End::Finished
                } else {
                    End::Stopped
                },
            })
            .collect();
        let got = stats::kaplan_meier(&rollouts, 0.05).unwrap();
        let (median, wanted) = (got.median(), bounded(&want["median"]));
        if median != wanted {
            // the curve stands at one half from here to there, and the file's own product of rounded
            // fractions came out a hair above it; in its other cases it came out below
            let share = got.share_after(median.unwrap());
            close(&i.to_string(), share, 0.5, 1e-12, 0.0);
            let next = got
                .steps
                .iter()
                .position(|s| Some(s.time) == median)
                .unwrap()
                + 1;
            assert_eq!(Some(got.steps[next].time), wanted, "{i}");
            at_one_half += 1;
        }
        let mean = got.restricted_mean(num(&i["tau"]));
        close(&format!("mean {i}"), mean, num(&want["rmst"]), 1e-6, 0.0);
        assert_eq!(got.steps.len(), nums(&want["survival_times"]).len(), "{i}");
        for (at, step) in got.steps.iter().enumerate() {
            for (name, got) in [
                ("survival_times", step.time),
                ("survival", step.share),
                ("loglog_ci95_lower", step.lower),
                ("loglog_ci95_upper", step.upper),
            ] {
                let what = format!("{name} {at} {i}");
                close(&what, got, num(&want[name][at]), 1e-6, 0.0);
            }
        }
    }
    assert!(at_one_half <= 2, "{at_one_half} of 12");
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
