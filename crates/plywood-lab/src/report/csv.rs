//! Measurements as comma-separated values, one line each.

use crate::record::{Measurement, Workload};

const COLUMNS: &str = "game,position_name,position,workload,moves,search,evaluation,after_chance,depth,table_bytes,strategy,threads,repeat,seed,traced,filled,elapsed_s,cpu_s,searches,nodes,interior,leaf,table_hits,offered,converted,fizzled,cancelled,aborted,peak_memory,best,values,result,cpu,cores,system,version,unix_ms";

/// All measurements, with a line of names first.
pub fn write(measurements: &[Measurement]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for m in measurements {
        let s = &m.setting;
        let (workload, moves) = match s.workload {
            Workload::Search => ("search", String::new()),
            Workload::Selfplay { moves } => (
                "selfplay",
                moves.map_or(String::new(), |moves| moves.to_string()),
            ),
        };
        let values: Vec<String> = m.values.iter().map(f64::to_string).collect();
        let fields = [
            s.game.clone(),
            s.position_name.clone(),
            s.position.clone(),
            workload.to_owned(),
            moves,
            s.search.clone(),
            s.evaluation.clone(),
            s.after_chance.to_string(),
            s.depth.to_string(),
            s.table_bytes.to_string(),
            s.strategy.clone(),
            s.threads.to_string(),
            m.repeat.to_string(),
            m.seed.to_string(),
            m.traced.to_string(),
            m.filled.to_string(),
            format!("{:.9}", m.seconds()),
            format!("{:.9}", m.cpu_seconds()),
            m.searches.to_string(),
            m.nodes.total().to_string(),
            m.nodes.interior.to_string(),
            m.nodes.leaf.to_string(),
            m.nodes.table_hits.to_string(),
            m.tasks.offered.to_string(),
            m.tasks.converted.to_string(),
            m.tasks.fizzled.to_string(),
            m.tasks.cancelled.to_string(),
            m.tasks.aborted.to_string(),
            m.peak_memory
                .map_or(String::new(), |bytes| bytes.to_string()),
            m.best.clone(),
            values.join(" "),
            m.result.clone().unwrap_or_default(),
            m.host.cpu.clone(),
            m.host.cores.to_string(),
            m.host.system.clone(),
            m.version.clone(),
            m.unix_ms.to_string(),
        ];
        let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
        text += &fields.join(",");
        text.push('\n');
    }
    text
}

/// A field, in quotes where a comma, a quote or a line break asks for them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_have_to_be() {
        assert_eq!(quoted("budget:2"), "budget:2");
        assert_eq!(quoted("budget:2,spawn=rest"), "\"budget:2,spawn=rest\"");
        assert_eq!(quoted("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
