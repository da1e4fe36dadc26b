//! Events on their way to a client that may be slow, or gone.
//!
//! Memory is bounded whatever the client does. Of events that only say how things stand now
//! the newest replaces the one before if that was not yet sent; all others are sent in order,
//! and whoever makes them waits while too many are under way.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde_json::Value;
use tokio::sync::Notify;

/// How many events may wait to be sent.
const MOST_WAITING: usize = 64;

/// How often something is sent where there is nothing to say, so that a client that has gone
/// is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// The sender's end.
#[derive(Clone)]
pub(crate) struct Outbox {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Wakes a sender that waits for room.
    room: Condvar,
    /// Wakes whoever waits for the client to go.
    gone: Notify,
    /// Set when the client has gone, or has had enough: ends the search.
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(&'static str, String)>,
    finished: bool,
    closed: bool,
    reader: Option<Waker>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held, and if it did the events would still be events.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A way to send events, and the answer that carries them.
pub(crate) fn outbox() -> (Outbox, Events) {
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        room: Condvar::new(),
        gone: Notify::new(),
        stop: Arc::default(),
    });
    let outbox = Outbox {
        shared: Arc::clone(&shared),
    };
    (outbox, Events { shared })
}

impl Outbox {
    /// The flag that is set when the client goes: a search looks at it.
    pub(crate) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.stop)
    }

    /// Whether the client has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.lock().closed
    }

    /// Ends when the client goes.
    pub(crate) async fn closed(&self) {
        loop {
            let gone = self.shared.gone.notified();
            if self.is_closed() {
                return;
            }
            gone.await;
        }
    }

    /// Says how things stand: replaces the last event of this kind if it is still here.
    pub(crate) fn show(&self, kind: &'static str, data: &Value) {
        let data = data.to_string();
        let mut state = self.shared.lock();
        if state.closed {
            return;
        }
        match state.waiting.iter_mut().find(|(name, _)| *name == kind) {
            Some(event) => event.1 = data,
            None => state.waiting.push_back((kind, data)),
        }
        wake(state);
    }

    /// Sends an event that must not be lost. Waits while too many are under way, so this is
    /// for threads that may wait.
    pub(crate) fn send(&self, kind: &'static str, data: &Value) {
        let mut state = self.shared.lock();
        while state.waiting.len() >= MOST_WAITING && !state.closed {
            let waited = self.shared.room.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if !state.closed {
            state.waiting.push_back((kind, data.to_string()));
            wake(state);
        }
    }

    /// Nothing more will be sent.
    pub(crate) fn finish(&self) {
        let mut state = self.shared.lock();
        state.finished = true;
        wake(state);
    }
}

fn wake(mut state: MutexGuard<'_, State>) {
    let reader = state.reader.take();
    drop(state);
    if let Some(reader) = reader {
        reader.wake();
    }
}

/// The client's end: dropped when the client goes.
pub(crate) struct Events {
    shared: Arc<Shared>,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut state = self.shared.lock();
        if let Some((kind, data)) = state.waiting.pop_front() {
            drop(state);
            self.shared.room.notify_all();
            return Poll::Ready(Some(Ok(Event::default().event(kind).data(data))));
        }
        if state.finished {
            return Poll::Ready(None);
        }
        state.reader = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let mut state = self.shared.lock();
        state.closed = true;
        state.waiting.clear();
        drop(state);
        self.shared.room.notify_all();
        self.shared.gone.notify_waiters();
    }
}

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
        Sse::new(self).keep_alive(keep_alive).into_response()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use serde_json::json;

    use super::*;

    async fn next(events: &mut Events) -> bool {
        let next = poll_fn(|context| Pin::new(&mut *events).poll_next(context));
        next.await.is_some()
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_costs_no_memory() {
        let (outbox, mut events) = outbox();
        for depth in 0..100_000 {
            outbox.show("progress", &json!({ "depth": depth }));
            outbox.show("lanes", &json!({ "depth": depth }));
        }
        assert_eq!(outbox.shared.lock().waiting.len(), 2);
        assert_eq!(outbox.shared.lock().waiting[0].1, r#"{"depth":99999}"#);
        outbox.finish();
        assert!(next(&mut events).await && next(&mut events).await);
        assert!(!next(&mut events).await);
    }

    #[tokio::test]
    async fn a_sender_waits_for_room_and_not_for_a_client_that_has_gone() {
        let (outbox, mut events) = outbox();
        let sender = outbox.clone();
        let thread = std::thread::spawn(move || {
            for number in 0..10 * MOST_WAITING {
                sender.send("ply", &json!(number));
            }
        });
        for _ in 0..3 * MOST_WAITING {
            assert!(next(&mut events).await);
            assert!(outbox.shared.lock().waiting.len() <= MOST_WAITING);
        }
        assert!(!thread.is_finished(), "more are waiting than there is room");
        assert!(!outbox.stop().load(Ordering::Relaxed));
        drop(events);
        thread.join().expect("it ends");
        assert!(outbox.stop().load(Ordering::Relaxed) && outbox.is_closed());
        outbox.closed().await;
    }
}
