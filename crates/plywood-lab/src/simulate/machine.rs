//! Cores that run a program of splits and tasks as the team of a search does: an idle worker
//! takes the largest open split, works there until nothing is left to take, and looks again;
//! the owner of a split that waits for its helpers helps only below its own node; a cut-off
//! cancels what is not taken and aborts what is running. Events in the order of their times,
//! the same in every run.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::Costs;
use super::model::{Item, Program};

/// What came out of a simulation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ran {
    /// How long how many cores were at work at once, in nanoseconds: the place in the list
    /// is the number of cores.
    pub(super) load: Vec<u64>,
    /// Work that was done, in nanoseconds, all cores together.
    pub(super) worked: u64,
    /// The part of it in tasks that were aborted.
    pub(super) aborted: u64,
    /// How often a worker joined another's split.
    pub(super) steals: u64,
}

enum Frame {
    /// Runs a task; the next of its items.
    Body {
        body: usize,
        next: usize,
        of: Option<(usize, usize)>,
    },
    /// At a split of its own.
    Owner(usize),
    /// At a split of another worker.
    Helper(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// Something until a time that is in the queue.
    Busy,
    /// Looking for work, with nothing to be found.
    Idle,
    /// Waiting at a join, with nothing to help with.
    Waiting,
}

struct Worker {
    frames: Vec<Frame>,
    doing: Doing,
    /// Counts what it was told to do: older entries in the queue no longer count.
    order: u64,
    /// When it began its present piece of work, and whether it is work of a task.
    since: u64,
    working: bool,
    /// The work of tasks that are still open, by frames, to be written off if aborted.
    open_work: Vec<u64>,
}

#[derive(Clone, Copy, Default)]
struct State {
    next: usize,
    /// How many of the children it keeps for itself the owner has taken.
    kept: usize,
    helpers: usize,
    owner: usize,
    open: bool,
    aborted: bool,
}

pub(super) struct Machine<'p> {
    program: &'p Program,
    costs: Costs,
    now: u64,
    workers: Vec<Worker>,
    splits: Vec<State>,
    /// Splits with something to take, the largest first.
    offers: BTreeSet<(Reverse<u32>, usize, usize)>,
    idle: BTreeSet<usize>,
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    orders: u64,
    /// How many workers are at work for a task.
    at_work: usize,
    roots_done: usize,
    ran: Ran,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, costs: Costs, cores: usize) -> Self {
        let worker = || Worker {
            frames: Vec::new(),
            doing: Doing::Idle,
            order: 0,
            since: 0,
            working: false,
            open_work: Vec::new(),
        };
        Machine {
            program,
            costs,
            now: 0,
            workers: (0..cores).map(|_| worker()).collect(),
            splits: vec![State::default(); program.splits.len()],
            offers: BTreeSet::new(),
            idle: (1..cores).collect(),
            queue: BinaryHeap::new(),
            orders: 0,
            at_work: 0,
            roots_done: 0,
            ran: Ran {
                load: vec![0; cores + 1],
                worked: 0,
                aborted: 0,
                steals: 0,
            },
        }
    }

    pub(super) fn run(mut self) -> Ran {
        self.next_root();
        while let Some(Reverse((time, order, worker))) = self.queue.pop() {
            if self.workers[worker].order != order {
                continue;
            }
            self.ran.load[self.at_work] += time - self.now;
            self.now = time;
            self.book(worker);
            self.go_on(worker);
            if self.roots_done > self.program.roots.len() {
                break;
            }
        }
        self.ran
    }

    /// The first worker begins the search to the next depth.
    fn next_root(&mut self) {
        let root = self.program.roots.get(self.roots_done).copied();
        self.roots_done += 1;
        if let Some(body) = root {
            self.push_body(0, body, None);
            self.later(0, 0, false);
        }
    }

    fn push_body(&mut self, worker: usize, body: usize, of: Option<(usize, usize)>) {
        let worker = &mut self.workers[worker];
        worker.frames.push(Frame::Body { body, next: 0, of });
        worker.open_work.push(0);
    }

    /// The worker goes on after this time, in which it works for a task or not.
    fn later(&mut self, worker: usize, ns: u64, working: bool) {
        self.orders += 1;
        let state = &mut self.workers[worker];
        state.order = self.orders;
        state.doing = Doing::Busy;
        state.since = self.now;
        state.working = working;
        self.at_work += usize::from(working);
        self.queue
            .push(Reverse((self.now + ns, self.orders, worker)));
    }

    /// Counts the work since the worker went on.
    fn book(&mut self, worker: usize) {
        let state = &mut self.workers[worker];
        if state.working {
            let done = self.now - state.since;
            state.working = false;
            self.at_work -= 1;
            self.ran.worked += done;
            if let Some(open) = state.open_work.last_mut() {
                *open += done;
            }
        }
    }

    fn go_on(&mut self, worker: usize) {
        match self.workers[worker].frames.last_mut() {
            None if worker == 0 => {
                self.next_root();
            }
            None => self.look_for_work(worker, None),
            Some(Frame::Body { body, next, .. }) => {
                let item = self.program.bodies[*body].get(*next).copied();
                *next += 1;
                match item {
                    Some(Item::Work(ns)) => self.later(worker, ns, true),
                    Some(Item::Split(split)) => self.open(worker, split),
                    None => self.finish(worker),
                }
            }
            Some(&mut Frame::Owner(split)) => self.at_split(worker, split, true),
            Some(&mut Frame::Helper(split)) => self.at_split(worker, split, false),
        }
    }

    fn offer_key(&self, split: usize) -> (Reverse<u32>, usize, usize) {
        let depth = self.program.splits[split].depth;
        (Reverse(depth), self.splits[split].owner, split)
    }

    fn open(&mut self, worker: usize, split: usize) {
        let model = &self.program.splits[split];
        self.splits[split] = State {
            next: model.own,
            owner: worker,
            open: true,
            ..State::default()
        };
        self.workers[worker].frames.push(Frame::Owner(split));
        let offered = model.turns.len() - model.own;
        if offered > 0 {
            let key = self.offer_key(split);
            self.offers.insert(key);
            let called: Vec<usize> = self.idle.iter().copied().take(offered).collect();
            for helper in called {
                self.idle.remove(&helper);
                self.later(helper, 0, false);
            }
            // Owners above that wait for their helpers may help here.
            let mut above = model.parent;
            while let Some(split) = above {
                let owner = self.splits[split].owner;
                let waits = self.workers[owner].doing == Doing::Waiting
                    && matches!(self.workers[owner].frames.last(), Some(Frame::Owner(at)) if *at == split);
                if waits {
                    self.later(owner, 0, false);
                }
                above = self.program.splits[split].parent;
            }
        }
        self.later(worker, self.costs.spawn_ns, false);
    }

    /// The next turn of a split that this worker may take.
    fn claim(&mut self, split: usize, owner: bool) -> Option<usize> {
        let model = &self.program.splits[split];
        let key = self.offer_key(split);
        let state = &mut self.splits[split];
        if state.aborted || !state.open {
            return None;
        }
        if owner && state.kept < model.own {
            state.kept += 1;
            return Some(state.kept - 1);
        }
        let turn = state.next;
        if turn >= model.turns.len() {
            return None;
        }
        state.next += 1;
        if state.next >= model.turns.len() {
            self.offers.remove(&key);
        }
        Some(turn)
    }

    fn at_split(&mut self, worker: usize, split: usize, owner: bool) {
        if let Some(turn) = self.claim(split, owner) {
            let body = self.program.splits[split].turns[turn];
            self.push_body(worker, body, Some((split, turn)));
            self.later(worker, self.costs.spawn_ns, false);
            return;
        }
        if !owner {
            self.leave(worker, split);
            self.later(worker, 0, false);
            return;
        }
        if self.splits[split].helpers == 0 {
            self.splits[split].open = false;
            self.workers[worker].frames.pop();
            self.later(worker, 0, false);
            return;
        }
        self.look_for_work(worker, Some(split));
    }

    fn leave(&mut self, worker: usize, split: usize) {
        self.workers[worker].frames.pop();
        self.released(split);
    }

    /// A helper has left a split: its owner may have waited for that.
    fn released(&mut self, split: usize) {
        let state = &mut self.splits[split];
        state.helpers -= 1;
        let owner = state.owner;
        if state.helpers == 0 && self.workers[owner].doing == Doing::Waiting {
            self.later(owner, 0, false);
        }
    }

    /// Joins the largest open split, below `within` if given, or waits for one.
    fn look_for_work(&mut self, worker: usize, within: Option<usize>) {
        let found = self.offers.iter().find(|&&(_, owner, split)| {
            owner != worker && within.is_none_or(|above| self.is_below(split, above))
        });
        match found {
            Some(&(_, _, split)) => {
                self.splits[split].helpers += 1;
                self.ran.steals += 1;
                self.workers[worker].frames.push(Frame::Helper(split));
                self.later(worker, self.costs.steal_ns, false);
            }
            None if within.is_some() => self.workers[worker].doing = Doing::Waiting,
            None => {
                self.workers[worker].doing = Doing::Idle;
                self.idle.insert(worker);
            }
        }
    }

    fn is_below(&self, split: usize, above: usize) -> bool {
        let mut parent = self.program.splits[split].parent;
        while let Some(split) = parent {
            if split == above {
                return true;
            }
            parent = self.program.splits[split].parent;
        }
        false
    }

    /// A task is complete.
    fn finish(&mut self, worker: usize) {
        let state = &mut self.workers[worker];
        let Some(Frame::Body { of, .. }) = state.frames.pop() else {
            unreachable!("a task is on top")
        };
        state.open_work.pop();
        if let Some((split, turn)) = of
            && self.program.splits[split].cut == Some(turn)
            && !self.splits[split].aborted
        {
            self.cut_off(split);
        }
        self.later(worker, 0, false);
    }

    fn cut_off(&mut self, split: usize) {
        self.splits[split].aborted = true;
        let key = self.offer_key(split);
        self.offers.remove(&key);
        for worker in 0..self.workers.len() {
            let frames = &self.workers[worker].frames;
            let below = frames.iter().position(
                |frame| matches!(frame, Frame::Body { of: Some((at, _)), .. } if *at == split),
            );
            let Some(below) = below else { continue };
            self.book(worker);
            while self.workers[worker].frames.len() > below {
                match self.workers[worker].frames.pop() {
                    Some(Frame::Body { .. }) => {
                        let open = self.workers[worker].open_work.pop();
                        self.ran.aborted += open.unwrap_or(0);
                    }
                    Some(Frame::Owner(inner)) => {
                        self.splits[inner].aborted = true;
                        let key = self.offer_key(inner);
                        self.offers.remove(&key);
                    }
                    Some(Frame::Helper(inner)) => self.splits[inner].helpers -= 1,
                    None => {}
                }
            }
            self.later(worker, self.costs.abort_ns, false);
        }
    }
}
