//! Searches on behalf of clients: they wait for their turn, run on threads of their own, tell
//! what they find and end when their client goes.

mod job;
mod outbox;
mod pool;
mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plywood_games::registry::AnyGame;
use serde_json::json;

use crate::failure::Failure;
use crate::race::{Winner, race};
use crate::way::{Bounds, Chosen, LONGEST_ANALYSIS};
pub(crate) use job::{Job, Thought};
pub(crate) use outbox::{Events, Outbox, outbox};
pub(crate) use pool::Pool;
use queue::{Place, Queue};

/// All searches of a server.
#[derive(Clone)]
pub(crate) struct Thinking {
    queue: Queue,
    pool: Arc<Pool>,
    /// Whether a searcher is being made that nobody waits for yet.
    warming: Arc<AtomicBool>,
    bounds: Bounds,
}

/// What a search that was let in has to work with.
pub(crate) struct Desk<'a> {
    /// Where to say what is found.
    pub(crate) outbox: &'a Outbox,
    /// Where searchers are kept.
    pub(crate) pool: &'a Pool,
    /// Ends the search when it is set.
    pub(crate) stop: Arc<AtomicBool>,
}

impl Thinking {
    /// For this many threads in each search, and as many searches at once.
    pub(crate) fn new(bounds: Bounds) -> Self {
        Thinking {
            queue: Queue::new(bounds.threads),
            pool: Arc::default(),
            warming: Arc::default(),
            bounds,
        }
    }

    /// What a search may use at most.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// How many search at once at most, how many do now, and how many wait.
    pub(crate) fn figures(&self) -> (usize, usize, usize) {
        self.queue.figures()
    }

    /// Makes a searcher in the background, if there is none: some take longer to make than a
    /// player wants to wait. One at a time, so that nobody notices.
    pub(crate) fn warm(&self, game: Arc<dyn AnyGame>, chosen: Chosen) {
        if self.pool.has(&*game, &chosen) || self.warming.swap(true, Ordering::Relaxed) {
            return;
        }
        let (pool, warming) = (Arc::clone(&self.pool), Arc::clone(&self.warming));
        tokio::task::spawn_blocking(move || {
            // A searcher that cannot be made is complained about when it is needed.
            let make = || pool.with(&*game, &chosen, |_| ());
            let _ = catch_unwind(AssertUnwindSafe(make));
            warming.store(false, Ordering::Relaxed);
        });
    }

    /// Runs `work` when it is its turn, and answers with the events it sends. An error it
    /// returns is the last of them. A `long` search leaves a place free for others.
    pub(crate) fn start<W>(&self, long: bool, work: W) -> Result<Events, Failure>
    where
        W: FnOnce(&Desk<'_>) -> Result<(), Failure> + Send + 'static,
    {
        let Some(mut ticket) = self.queue.ticket(long) else {
            return Err(Failure::busy(format!(
                "{} searches are waiting already: try again later",
                queue::MOST_WAITING
            )));
        };
        let (outbox, events) = outbox();
        let pool = Arc::clone(&self.pool);
        tokio::spawn(async move {
            while let Place::Behind(ahead) = ticket.place() {
                outbox.show("queued", &json!({ "ahead": ahead }));
                if race(ticket.moved(), outbox.closed()).await == Winner::Other {
                    return;
                }
            }
            let alarm = long.then(|| tokio::spawn(ring(outbox.stop(), LONGEST_ANALYSIS)));
            let told = outbox.clone();
            let task = tokio::task::spawn_blocking(move || {
                let desk = Desk {
                    outbox: &outbox,
                    pool: &pool,
                    stop: outbox.stop(),
                };
                let done = catch_unwind(AssertUnwindSafe(|| work(&desk)));
                let done = done.unwrap_or_else(|_| Err(Failure::panicked()));
                if let Err(failure) = done {
                    let error = json!({ "code": failure.code(), "message": failure.message() });
                    outbox.send("failed", &error);
                }
            });
            // The place is free before the client is told that it is done.
            let _ = task.await;
            drop(ticket);
            told.finish();
            if let Some(alarm) = alarm {
                alarm.abort();
            }
        });
        Ok(events)
    }
}

/// Sets a flag after a time.
async fn ring(flag: Arc<AtomicBool>, after: Duration) {
    tokio::time::sleep(after).await;
    flag.store(true, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text_of(events: Events) -> String {
        use axum::response::IntoResponse;
        let body = events.into_response().into_body();
        let bytes = axum::body::to_bytes(body, 1 << 20).await.expect("a body");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn thinking() -> Thinking {
        Thinking::new(Bounds {
            threads: 2,
            memory_mb: 64,
        })
    }

    #[tokio::test]
    async fn a_search_that_panics_says_so_and_gives_its_place_back() {
        let thinking = thinking();
        let events = thinking
            .start(false, |_| panic!("a mistake, made on purpose"))
            .expect("there is room");
        let text = text_of(events).await;
        assert!(text.starts_with("event: failed\n"), "{text}");
        assert_eq!(thinking.figures(), (2, 0, 0));
    }

    #[tokio::test]
    async fn those_who_wait_are_told_and_those_who_go_lose_their_place() {
        let thinking = thinking();
        let wait = |desk: &Desk<'_>| {
            while !desk.stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        };
        let running: Vec<Events> = (0..2)
            .filter_map(|_| thinking.start(false, wait).ok())
            .collect();
        let gone = thinking.start(false, wait).expect("there is room");
        let last = thinking
            .start(false, |desk| {
                desk.outbox.send("done", &json!({}));
                Ok(())
            })
            .expect("there is room");
        assert_eq!(thinking.figures(), (2, 2, 2));
        drop(gone);
        until(|| thinking.figures().2 == 1).await;
        drop(running);
        let text = text_of(last).await;
        assert!(
            text.starts_with("event: queued\ndata: {\"ahead\":"),
            "{text}"
        );
        assert!(text.ends_with("event: done\ndata: {}\n\n"), "{text}");
        until(|| thinking.figures() == (2, 0, 0)).await;
    }

    /// Waits for something that others do.
    async fn until(done: impl Fn() -> bool) {
        while !done() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
