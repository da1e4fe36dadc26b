//! The threads of an engine.

use std::sync::LazyLock;

use crate::settings::SettingsError;

/// The stack of a thread: deep searches of games with large states need more than the
/// default.
const STACK_BYTES: usize = 16 << 20;

/// How many threads can run at once.
pub(crate) static CORES: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()));

/// Threads that do something all at once.
pub(crate) enum Crew {
    /// They stay from one search to the next.
    Kept(rayon::ThreadPool),
    /// So many are started for each search, the caller's among them. A pool's threads look
    /// for more work for a while before they rest, and where there are more of them than
    /// cores that keeps others from finishing: a stop would take a tenth of a second.
    Hired(usize),
}

impl Crew {
    pub(crate) fn new(threads: usize) -> Result<Self, SettingsError> {
        if threads > *CORES {
            return Ok(Crew::Hired(threads));
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .thread_name(name)
            .build()
            .map(Crew::Kept)
            .map_err(|error| {
                SettingsError::new(format!("{threads} threads cannot be started: {error}"))
            })
    }

    /// The number of threads.
    pub(crate) fn len(&self) -> usize {
        match self {
            Crew::Kept(pool) => pool.current_num_threads(),
            Crew::Hired(threads) => *threads,
        }
    }

    /// Calls `work` on every thread with its number, from 0, and collects the results in
    /// that order.
    pub(crate) fn on_all<R: Send>(&self, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match self {
            Crew::Kept(pool) => pool.broadcast(|context| work(context.index())),
            Crew::Hired(threads) => std::thread::scope(|scope| {
                let work = &work;
                let hire = |index| {
                    std::thread::Builder::new()
                        .name(name(index))
                        .stack_size(STACK_BYTES)
                        .spawn_scoped(scope, move || work(index))
                };
                // Where the system has no more threads to give, fewer do the work.
                let hired: Vec<_> = (1..*threads).map_while(|index| hire(index).ok()).collect();
                let mut results = vec![work(0)];
                results.extend(hired.into_iter().map(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }));
                results
            }),
        }
    }
}

fn name(index: usize) -> String {
    format!("plywood-{index}")
}
