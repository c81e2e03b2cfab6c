//! `limits` of a model: how many requests it is sent at a time, whatever runs at a time.

use super::{PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::crowd::Crowd;

#[test]
fn no_more_requests_are_under_way_than_the_model_allows() {
    for (limits, most) in [("", 4), ("    limits: {concurrency: 2}\n", 2)] {
        let crowd = Crowd::default();
        let seen = crowd.clone();
        let server = CountingServer::start(move |_| {
            let _here = seen.enter(most);
            Reply::text("4").usage(20, 100)
        });
        let models = paid("paid", &server, PRICE) + limits;
        let project = project(
            &models,
            "{repeats: 2, concurrency: 4}",
            &["a", "b", "c", "d"],
        );
        let said = project.crossbar(&["run", "--live", "--budget", "9"]);
        assert_eq!(said.code, Some(0), "{said}");
        assert_eq!(crowd.most(), most, "{limits}");
        assert_eq!(server.requests().len(), 8, "{said}");
    }
}
