//! SIGINT, SIGTERM and SIGHUP: the first stops the sweep and keeps what has finished, the second kills
//! every child at once and ends the process.

use super::Exit;
use crate::process::kill_everything;
use crate::sweep::StopHandle;

#[expect(clippy::exit, reason = "a second signal asks for the end at once")]
/// Listens for the rest of the process's life, on a thread of its own.
pub fn stop_on_signals(stop: StopHandle) {
    let listener = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            if next_signal().await.is_none() {
                return;
            }
            stop.stop();
            if next_signal().await.is_some() {
                kill_everything();
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
        });
    };
    // Without the thread a signal ends the process as it would any other; the record stays whole.
    let _ = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(listener);
}

#[cfg(unix)]
async fn next_signal() -> Option<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).ok()?;
    let mut interrupt = signal(SignalKind::interrupt()).ok()?;
    let mut hangup = signal(SignalKind::hangup()).ok()?;
    tokio::select! {
        received = terminate.recv() => received,
        received = interrupt.recv() => received,
        received = hangup.recv() => received,
    }
}

#[cfg(not(unix))]
async fn next_signal() -> Option<()> {
    tokio::signal::ctrl_c().await.ok()
}
