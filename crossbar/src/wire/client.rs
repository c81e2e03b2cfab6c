//! The client that everybody uses.

use reqwest::Url;
use std::time::Duration;

/// Long enough for a cold network, short enough that an offline machine is told soon.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for one host: no redirect, no second try, 10 s to connect.
///
/// # Errors
/// When TLS can't be set up.
pub fn client(url: &Url) -> Result<reqwest::Client, reqwest::Error> {
    // Fails only when the program has installed one already, which then serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never());
    // A proxy can't reach what listens on this machine's own loopback.
    let builder = if is_loopback(url) {
        builder.no_proxy()
    } else {
        builder
    };
    builder.build()
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let address = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || address
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    })
}

/// An error with what is behind it: reqwest's own words alone say little.
#[must_use]
pub fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
