//! Ctrl-C: the first ends a running search, so that its answer so far is shown; one more
//! within a second, or one while nothing is searched, ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit status of a program ended by Ctrl-C, as shells have it.
const INTERRUPTED: i32 = 130;

/// Stands between Ctrl-C and the searches.
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    searching: Arc<AtomicBool>,
    used: AtomicBool,
}

impl Interrupt {
    /// Listens from now on. Where the system does not let us, Ctrl-C just ends the program.
    pub fn install() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let searching = Arc::new(AtomicBool::new(false));
        let (stop_now, is_searching) = (Arc::clone(&stop), Arc::clone(&searching));
        let mut last: Option<Instant> = None;
        let _ = ctrlc::set_handler(move || {
            let first = !stop_now.swap(true, Ordering::Relaxed);
            let again = last.is_some_and(|last| last.elapsed() < Duration::from_secs(1));
            last = Some(Instant::now());
            if !(first && !again && is_searching.load(Ordering::Relaxed)) {
                std::process::exit(INTERRUPTED);
            }
        });
        Interrupt {
            stop,
            searching,
            used: AtomicBool::new(false),
        }
    }

    /// The flag that ends a search.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Runs a search that the flag can end.
    pub fn during<T>(&self, search: impl FnOnce() -> T) -> T {
        self.stop.store(false, Ordering::Relaxed);
        self.searching.store(true, Ordering::Relaxed);
        let answer = search();
        self.searching.store(false, Ordering::Relaxed);
        if self.stop.swap(false, Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
        answer
    }

    /// Whether a search was ended by Ctrl-C.
    pub fn was_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }
}
