//! The five reports that Plywood grew out of, each as one experiment.

mod blokus_maxn;
mod compare;
mod gomoku;
mod mancala_minimax;
mod mancala_ybwc;
mod twenty48;

use crate::LabError;
use crate::record::cores;
use crate::report::document::{Block, Document};
use crate::report::summary::Group;
use crate::report::{all_groups, sections};
use crate::sweep::{Overrides, Plan, Run, Spec};

/// One of the five reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report {
    /// Blokus with MaxN.
    BlokusMaxN,
    /// Mancala with young-brothers-wait.
    MancalaYbwc,
    /// Gomoku with alpha-beta.
    Gomoku,
    /// 2048 against the worst spawns.
    Twenty48,
    /// Mancala with minimax and alpha-beta.
    MancalaMinimax,
}

impl Report {
    /// All of them.
    pub const ALL: [Report; 5] = [
        Report::BlokusMaxN,
        Report::MancalaYbwc,
        Report::Gomoku,
        Report::Twenty48,
        Report::MancalaMinimax,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Report::BlokusMaxN => "blokus-maxn",
            Report::MancalaYbwc => "mancala-ybwc",
            Report::Gomoku => "gomoku",
            Report::Twenty48 => "2048",
            Report::MancalaMinimax => "mancala-minimax",
        }
    }

    /// What it is about.
    fn title(self) -> &'static str {
        match self {
            Report::BlokusMaxN => "Blokus with MaxN",
            Report::MancalaYbwc => "Mancala with young-brothers-wait",
            Report::Gomoku => "Gomoku with alpha-beta",
            Report::Twenty48 => "2048 against the worst spawns",
            Report::MancalaMinimax => "Mancala with minimax and alpha-beta",
        }
    }

    /// The report of this name.
    pub fn named(name: &str) -> Result<Self, LabError> {
        let found = Report::ALL.into_iter().find(|report| report.name() == name);
        found.ok_or_else(|| {
            let names = Report::ALL.map(Report::name).join(", ");
            LabError::Input(format!("there is no report '{name}': use one of {names}"))
        })
    }

    /// The sweep that measures what the report measured, as the text of a sweep file for a
    /// machine with this many cores.
    fn sweep(self, cores: usize) -> String {
        let head = format!(
            "name = \"{name}\"\nreproduces = \"{name}\"\n",
            name = self.name()
        );
        head + &match self {
            Report::BlokusMaxN => blokus_maxn::sweep(cores),
            Report::MancalaYbwc => mancala_ybwc::sweep(cores),
            Report::Gomoku => gomoku::sweep(cores),
            Report::Twenty48 => twenty48::sweep(cores),
            Report::MancalaMinimax => mancala_minimax::sweep(cores),
        }
    }

    /// What is measured on this machine, with flags laid over it.
    pub fn plan(self, flags: &Overrides) -> Result<Plan, LabError> {
        let text = self.sweep(cores());
        Spec::read(&format!("reproduce {}", self.name()), &text)?
            .with(flags)
            .plan()
    }

    /// The page: what the report printed next to what was measured here.
    pub(crate) fn page(self, run: &Run, groups: &[Group]) -> Document {
        let mut document = Document {
            title: format!("{}: the report's figures and ours", self.title()),
            ..Document::default()
        };
        document.paragraph(format!(
            "The workloads of the course report `{}`, a parallel search written in Haskell, run by Plywood. \"Printed\" is what the report says of its author's machine; \"rebuilt\" is its program compiled with `ghc -O2` on a quiet two-core machine. Neither machine is the one below: compare shapes rather than seconds.",
            self.name()
        ));
        sections::opening(&mut document, run, groups);
        match self {
            Report::BlokusMaxN => blokus_maxn::page(&mut document, groups),
            Report::MancalaYbwc => mancala_ybwc::page(&mut document, groups),
            Report::Gomoku => gomoku::page(&mut document, groups),
            Report::Twenty48 => twenty48::page(&mut document, groups),
            Report::MancalaMinimax => mancala_minimax::page(&mut document, groups),
        }
        all_groups(&mut document, groups);
        sections::repeat(&mut document, run);
        document.paragraph("Or, with the same settings built in:");
        document.blocks.push(Block::Code(format!(
            "plywood lab reproduce {}",
            self.name()
        )));
        document
    }
}

/// The numbers of threads that a report used, as far as this machine has cores for them, and
/// as many as it has.
fn threads(printed: &[usize], cores: usize) -> String {
    let mut list: Vec<usize> = printed.iter().copied().filter(|&n| n <= cores).collect();
    if !list.contains(&cores) {
        list.push(cores);
    }
    let texts: Vec<String> = list.iter().map(usize::to_string).collect();
    format!("[{}]", texts.join(", "))
}

/// What every page says of the Haskell strategies.
fn evaluation_strategies(document: &mut Document) {
    document.paragraph(
        "Haskell's `rpar`, `rseq` and `rdeepseq` say how far a lazy value is evaluated when a task is made. A strict program has no such choice, so they have no counterpart here. What has one is who takes the first child of a split node: with `spawn=all` (the default) every child is offered to all workers, with `spawn=rest` the owner of the node keeps the first and offers the others.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_stop_at_the_cores() {
        assert_eq!(threads(&[1, 2, 4], 2), "[1, 2]");
        assert_eq!(threads(&[1, 2, 4], 3), "[1, 2, 3]");
        assert_eq!(threads(&[1, 2, 4], 16), "[1, 2, 4, 16]");
        assert_eq!(threads(&[1, 2, 4], 1), "[1]");
    }

    #[test]
    fn every_sweep_is_a_plan_on_any_machine_and_reads_back() {
        for report in Report::ALL {
            for cores in [1, 2, 16] {
                let plan = Plan::read(report.name(), &report.sweep(cores)).expect("a plan");
                assert!(plan.settings.iter().any(|p| p.setting.is_sequential()));
                assert!(plan.settings.iter().all(|p| p.setting.threads <= cores));
                let again = Plan::read("again", &plan.text).expect("reads back");
                assert_eq!(again.text, plan.text, "{}", report.name());
                assert_eq!(again.settings, plan.settings);
            }
        }
        assert!(Report::named("nonsense").is_err());
    }
}
