//! The lines that have come in, read ahead by a thread of its own.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A line and when it came.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    pub came: Instant,
}

impl Line {
    /// The first word, in capitals.
    pub(super) fn command(&self) -> String {
        let word = self.text.split_whitespace().next().unwrap_or_default();
        word.to_ascii_uppercase()
    }

    /// Whether it ends a search that is running.
    fn stops(&self) -> bool {
        matches!(self.command().as_str(), "STOP" | "YXSTOP" | "END")
    }
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<Line>,
    ended: bool,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

/// What has come in and is not yet done.
#[derive(Debug)]
pub(super) struct Inbox {
    shared: Arc<Shared>,
    /// Set when a line comes that ends a search.
    stop: Arc<AtomicBool>,
}

/// No line is longer; the rest of one that is counts as lines of their own.
const LONGEST: u64 = 4096;

impl Inbox {
    /// Reads lines from now on.
    pub(super) fn fill_from(mut input: impl BufRead + Send + 'static) -> Self {
        let inbox = Inbox {
            shared: Arc::default(),
            stop: Arc::default(),
        };
        let (shared, stop) = (Arc::clone(&inbox.shared), Arc::clone(&inbox.stop));
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            loop {
                bytes.clear();
                let read = std::io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut bytes);
                let came = Instant::now();
                let mut waiting = lock(&shared);
                match read {
                    Ok(1..) => {
                        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                        let line = Line { text, came };
                        // Under the lock, so that a search about to begin is stopped too.
                        if line.stops() {
                            stop.store(true, Ordering::Relaxed);
                        }
                        waiting.lines.push_back(line);
                    }
                    Ok(0) | Err(_) => waiting.ended = true,
                }
                let ended = waiting.ended;
                drop(waiting);
                shared.arrived.notify_one();
                if ended {
                    return;
                }
            }
        });
        inbox
    }

    /// The next line; `None` at the end of the input.
    pub(super) fn next(&self) -> Option<Line> {
        let mut waiting = lock(&self.shared);
        loop {
            if let Some(line) = waiting.lines.pop_front() {
                return Some(line);
            }
            if waiting.ended {
                return None;
            }
            waiting = self
                .shared
                .arrived
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The flag that ends a search about to begin. It is set already if a line that does so
    /// waits to be read.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        let waiting = lock(&self.shared);
        let stops = waiting.lines.iter().any(Line::stops);
        self.stop.store(stops, Ordering::Relaxed);
        drop(waiting);
        Arc::clone(&self.stop)
    }

    /// Whether `END` has come.
    pub(super) fn has_end(&self) -> bool {
        let waiting = lock(&self.shared);
        waiting.lines.iter().any(|line| line.command() == "END")
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, Waiting> {
    shared
        .waiting
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}
