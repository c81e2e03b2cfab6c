//! All trees of this process that are not gone yet, so that a signal can end them.

use super::scan::{Where, kill_marked};
use super::tree::{Tell, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
struct Live {
    trees: BTreeMap<String, Arc<Tree>>,
    closed: bool,
}

static LIVE: Mutex<Live> = Mutex::new(Live {
    trees: BTreeMap::new(),
    closed: false,
});

fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a new tree in. False when `kill_everything` was called: the tree must not live.
pub(super) fn admit(tree: &Arc<Tree>) -> bool {
    let mut live = live();
    if !live.closed {
        live.trees
            .insert(tree.marker().to_owned(), Arc::clone(tree));
    }
    !live.closed
}

pub(super) fn forget(marker: &str) {
    live().trees.remove(marker);
}

/// Kills every process that was started here and all their descendants, and returns when none
/// runs. From then on nothing can be started: `spawn` fails. For the thread or job that was told
/// of SIGINT or SIGTERM; it takes a lock and allocates, so it must not run inside a signal handler
/// proper.
pub fn kill_everything() {
    let trees: Vec<Arc<Tree>> = {
        let mut live = live();
        live.closed = true;
        live.trees.values().cloned().collect()
    };
    for tree in &trees {
        tree.tell(Tell::Die);
    }
    let markers: BTreeSet<String> = trees.iter().map(|tree| tree.marker().to_owned()).collect();
    kill_marked(&markers, Where::Everywhere);
}
