//! Who may search now, and who waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// How many searches may wait.
pub(crate) const MOST_WAITING: usize = 256;

/// Hands out places to search, in the order in which they are asked for. One place is kept
/// for searches that end soon: an analysis that goes on until it is stopped never keeps the
/// engine from moving.
#[derive(Clone)]
pub(crate) struct Queue {
    shared: Arc<Mutex<State>>,
}

struct State {
    places: usize,
    running: usize,
    /// Those among the running that may take long.
    long: usize,
    next: u64,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    number: u64,
    long: bool,
    place: watch::Sender<Place>,
}

/// Where somebody stands in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Waits behind this many others.
    Behind(usize),
    /// May search.
    Go,
}

impl State {
    fn has_room(&self, long: bool) -> bool {
        let kept = usize::from(long);
        self.running < self.places && self.long + kept < self.places
    }

    fn enter(&mut self, long: bool) {
        self.running += 1;
        self.long += usize::from(long);
    }

    /// Lets in whoever can be let in, and tells the others where they stand.
    fn advance(&mut self) {
        let mut index = 0;
        while index < self.waiting.len() {
            let long = self.waiting[index].long;
            if self.has_room(long) {
                self.enter(long);
                if let Some(waiting) = self.waiting.remove(index) {
                    waiting.place.send_replace(Place::Go);
                }
            } else {
                index += 1;
            }
        }
        for (ahead, waiting) in self.waiting.iter().enumerate() {
            waiting.place.send_if_modified(|place| {
                let before = std::mem::replace(place, Place::Behind(ahead));
                before != *place
            });
        }
    }
}

impl Queue {
    /// For this many searches at once, at least two: one long, one not.
    pub(crate) fn new(places: usize) -> Self {
        Queue {
            shared: Arc::new(Mutex::new(State {
                places: places.max(2),
                running: 0,
                long: 0,
                next: 0,
                waiting: VecDeque::new(),
            })),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place in the queue, or nothing if it is too long.
    pub(crate) fn ticket(&self, long: bool) -> Option<Ticket> {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        let place = if state.has_room(long) {
            state.enter(long);
            watch::channel(Place::Go).1
        } else if state.waiting.len() < MOST_WAITING {
            let ahead = state.waiting.len();
            let (sender, receiver) = watch::channel(Place::Behind(ahead));
            state.waiting.push_back(Waiting {
                number,
                long,
                place: sender,
            });
            receiver
        } else {
            return None;
        };
        drop(state);
        Some(Ticket {
            queue: self.clone(),
            number,
            long,
            place,
        })
    }

    /// How many search at once at most, how many do now, and how many wait.
    pub(crate) fn figures(&self) -> (usize, usize, usize) {
        let state = self.lock();
        (state.places, state.running, state.waiting.len())
    }
}

/// A place in the queue, then a place to search: given back when dropped.
pub(crate) struct Ticket {
    queue: Queue,
    number: u64,
    long: bool,
    place: watch::Receiver<Place>,
}

impl Ticket {
    /// Where it stands now.
    pub(crate) fn place(&mut self) -> Place {
        *self.place.borrow_and_update()
    }

    /// Ends when that has changed.
    pub(crate) async fn moved(&mut self) {
        // The sender is dropped only after it has said that the search may go.
        let _ = self.place.changed().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        let waiting = state.waiting.iter().position(|w| w.number == self.number);
        match waiting {
            Some(index) => drop(state.waiting.remove(index)),
            None => {
                state.running -= 1;
                state.long -= usize::from(self.long);
            }
        }
        state.advance();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_came_first_search_first() {
        let queue = Queue::new(2);
        let ticket = || queue.ticket(false).expect("there is room to wait");
        let (first, second, mut third, mut fourth) = (ticket(), ticket(), ticket(), ticket());
        assert_eq!(third.place(), Place::Behind(0));
        assert_eq!(fourth.place(), Place::Behind(1));
        assert_eq!(queue.figures(), (2, 2, 2));
        drop(second);
        assert_eq!(third.place(), Place::Go);
        assert_eq!(fourth.place(), Place::Behind(0));
        drop(fourth);
        assert_eq!(queue.figures(), (2, 2, 0));
        drop((first, third));
        assert_eq!(queue.figures(), (2, 0, 0));
    }

    #[test]
    fn an_analysis_leaves_a_place_for_the_engine() {
        let queue = Queue::new(2);
        let mut analyses: Vec<Ticket> = (0..3).filter_map(|_| queue.ticket(true)).collect();
        assert_eq!(analyses[0].place(), Place::Go);
        assert_eq!(analyses[1].place(), Place::Behind(0));
        let mut engine = queue.ticket(false).expect("there is room");
        assert_eq!(engine.place(), Place::Go);
        analyses.remove(0);
        assert_eq!(analyses[0].place(), Place::Go);
        assert_eq!(analyses[1].place(), Place::Behind(0));
        drop(engine);
        assert_eq!(analyses[1].place(), Place::Behind(0));
    }

    #[test]
    fn the_queue_has_an_end() {
        let queue = Queue::new(2);
        let tickets: Vec<Ticket> = (0..MOST_WAITING + 2)
            .map(|_| queue.ticket(false).expect("there is room"))
            .collect();
        assert!(queue.ticket(false).is_none());
        drop(tickets);
        assert_eq!(queue.figures(), (2, 0, 0));
    }
}
