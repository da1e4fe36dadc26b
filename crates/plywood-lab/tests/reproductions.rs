//! The five reports: every page is made, with the printed figures in it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plywood_lab::report;
use plywood_lab::reproduce::Report;
use plywood_lab::sweep::{Overrides, Run, execute};

/// Figures that a page has to show: from the report, and from here.
fn printed(report: Report) -> &'static [&'static str] {
    match report {
        Report::BlokusMaxN => &[
            "25,489,516",
            "135.5 s",
            "33.34 s",
            "12,740,461",
            "budget:2,spawn=rest",
        ],
        Report::MancalaYbwc => &[
            "5.70",
            "3.85",
            "44.4",
            "20.3",
            "26.95 s",
            "10.9 s",
            "parallelDepth",
        ],
        Report::Gomoku => &[
            "5.644 s",
            "3.272 s",
            "2.996 s",
            "182",
            "162",
            "no-map",
            "top-then-prune:1",
        ],
        Report::Twenty48 => &[
            "46.7 s",
            "24.6 s",
            "53 s",
            "6,984",
            "5,028",
            "1,145",
            "worst-case:plain",
        ],
        Report::MancalaMinimax => &[
            "4.249 s", "0.764 s", "1.344 s", "2.073 s", "3.707 s", "1.797 s",
        ],
    }
}

#[test]
fn every_page_has_the_printed_figures_next_to_ours() {
    for kind in Report::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        // Shallow, so that a test takes no time; the page is the same.
        let flags = Overrides {
            depths: Some(vec![1, 2]),
            repeats: Some(1),
            warmup: Some(0),
            threads: Some(vec![1]),
            ..Overrides::default()
        };
        let plan = kind.plan(&flags).expect("a plan");
        execute(
            &plan,
            folder.path(),
            false,
            &Arc::new(AtomicBool::new(false)),
        )
        .expect("measures");
        let run = Run::open(folder.path()).expect("reads");
        let paths = report::write(&run).expect("writes");
        let html = std::fs::read_to_string(&paths[0]).expect("reads");
        let markdown = std::fs::read_to_string(&paths[1]).expect("reads");
        for figure in printed(kind) {
            assert!(html.contains(figure), "{figure} in {}", kind.name());
            assert!(markdown.contains(figure), "{figure} in {}", kind.name());
        }
        for part in ["rdeepseq", "spawn=rest", "What differs"] {
            assert!(html.contains(part), "{part} in {}", kind.name());
        }
        assert!(html.contains(&format!("plywood lab reproduce {}", kind.name())));
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..roxmltree::ParsingOptions::default()
        };
        roxmltree::Document::parse_with_options(&html, options).expect("well-formed");
        assert!(!html.contains("http"));
    }
}
