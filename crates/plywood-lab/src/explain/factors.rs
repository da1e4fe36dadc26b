//! A speed-up as a product: what each factor is, and how sure it is.

use plywood_games::registry::Random;

use crate::record::Measurement;

/// How often measurements are drawn anew to see how far a figure spreads.
const DRAWS: usize = 1000;

/// A figure and where 95 of 100 figures lie that could have been measured instead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// From where to where; `None` if it was measured only once.
    pub interval: Option<(f64, f64)>,
}

impl Figure {
    /// Whether it is known to be larger or smaller than 1.
    pub fn differs_from_one(&self) -> Option<bool> {
        let (low, high) = self.interval?;
        Some(low > 1.0 || high < 1.0)
    }
}

/// The speed-up of a parallel search, and the factors whose product it is:
/// threads x nodes x cost x busy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Factors {
    /// How many threads there were.
    pub threads: usize,
    /// Time of one thread by time of all.
    pub speedup: Figure,
    /// Nodes of one thread by nodes of all: below 1 if more were searched.
    pub nodes: Figure,
    /// The time that one thread needs for a node, by the time that all need for one while
    /// they search: below 1 if a node costs more.
    pub cost: Figure,
    /// The share of the threads' time in which they searched.
    pub busy: Figure,
    /// The share of the time in which a thread searched that it really had a core, of all by
    /// one thread: below 1 if threads wait for cores. It is a part of `cost`.
    pub on_core: Figure,
}

/// What the factors are made of.
#[derive(Clone, Copy)]
struct Run {
    elapsed: f64,
    nodes: f64,
    busy: f64,
    cpu: f64,
}

impl Run {
    fn of(measurement: &Measurement) -> Self {
        let busy: u64 = measurement.workers.iter().map(|lane| lane.busy_ns).sum();
        Run {
            elapsed: (measurement.elapsed_ns as f64).max(1.0),
            nodes: (measurement.nodes.total() as f64).max(1.0),
            busy: (busy as f64).max(1.0),
            cpu: (measurement.cpu_ns as f64).max(1.0),
        }
    }

    /// The run with the middle time.
    fn middle(runs: &mut [Run]) -> Run {
        runs.sort_by(|a, b| a.elapsed.total_cmp(&b.elapsed));
        runs[(runs.len() - 1) / 2]
    }
}

/// The speed-up and its four factors, and the part of `cost` that waiting for cores has.
fn product(one: Run, all: Run, threads: usize) -> [f64; 5] {
    // A thread on its own never waits: all of its time is the cost of its nodes.
    let cost_of_one = one.elapsed / one.nodes;
    let cost_of_all = all.busy / all.nodes;
    [
        one.elapsed / all.elapsed,
        one.nodes / all.nodes,
        cost_of_one / cost_of_all,
        all.busy / (threads as f64 * all.elapsed),
        (all.cpu.min(all.busy) / all.busy) / (one.cpu.min(one.elapsed) / one.elapsed),
    ]
}

impl Factors {
    /// The factors of measurements of the same work by one thread and by `threads`; both
    /// have to be there. Figures are those of the runs with the middle times.
    pub fn new(one: &[&Measurement], all: &[&Measurement], threads: usize) -> Option<Self> {
        if one.is_empty() || all.is_empty() || threads == 0 {
            return None;
        }
        let one: Vec<Run> = one.iter().map(|m| Run::of(m)).collect();
        let all: Vec<Run> = all.iter().map(|m| Run::of(m)).collect();
        let middle = |runs: &[Run]| Run::middle(&mut runs.to_vec());
        let values = product(middle(&one), middle(&all), threads);
        let repeated = one.len() > 1 && all.len() > 1;
        let mut drawn: [Vec<f64>; 5] = Default::default();
        if repeated {
            // The same draws in every run of the program.
            let mut random = Random::new(1);
            let mut draw = |runs: &[Run]| {
                let mut drawn: Vec<Run> = runs
                    .iter()
                    .map(|_| runs[random.below(runs.len())])
                    .collect();
                Run::middle(&mut drawn)
            };
            for _ in 0..DRAWS {
                let figures = product(draw(&one), draw(&all), threads);
                for (list, figure) in drawn.iter_mut().zip(figures) {
                    list.push(figure);
                }
            }
        }
        let mut figures = values.iter().zip(&mut drawn).map(|(&value, drawn)| {
            drawn.sort_by(f64::total_cmp);
            let interval = repeated.then(|| {
                let at = |share: f64| drawn[(share * (drawn.len() - 1) as f64).round() as usize];
                (at(0.025), at(0.975))
            });
            Figure { value, interval }
        });
        let mut next = || figures.next().expect("there are five");
        Some(Factors {
            threads,
            speedup: next(),
            nodes: next(),
            cost: next(),
            busy: next(),
            on_core: next(),
        })
    }

    /// The product of the factors.
    pub fn product(&self) -> f64 {
        self.threads as f64 * self.nodes.value * self.cost.value * self.busy.value
    }
}
