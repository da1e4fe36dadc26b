//! A page as Markdown; its charts are files next to it.

use super::document::{Block, Document, Table};

/// The page as Markdown, with charts under this folder.
pub fn write(document: &Document, charts: &str) -> String {
    let mut text = format!("# {}\n", document.title);
    for block in &document.blocks {
        text.push('\n');
        match block {
            Block::Heading(level, heading) => {
                text += &format!("{} {heading}\n", "#".repeat(usize::from(*level)));
            }
            Block::Paragraph(paragraph) => text += &format!("{paragraph}\n"),
            Block::Warning(warning) => text += &format!("> **Note:** {warning}\n"),
            Block::List(items) => {
                for item in items {
                    text += &format!("* {item}\n");
                }
            }
            Block::Table(table) => write_table(&mut text, table),
            Block::Figures(figures) => {
                for figure in figures {
                    let caption = figure.caption.replace(['[', ']'], "");
                    text += &format!("![{caption}]({charts}/{}.svg)\n", figure.name);
                }
            }
            Block::Code(code) => {
                text += "```\n";
                text += code.trim_end();
                text += "\n```\n";
            }
        }
    }
    text
}

fn write_table(text: &mut String, table: &Table) {
    if !table.caption.is_empty() {
        *text += &format!("{}\n\n", table.caption);
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |text: &String| text.replace('|', "\\|");
    *text += &row(table.columns.iter().map(|(name, _)| cell(name)).collect());
    let rules = table.columns.iter().map(|(_, numbers)| match numbers {
        true => "---:".to_owned(),
        false => "---".to_owned(),
    });
    *text += &row(rules.collect());
    for cells in &table.rows {
        *text += &row(cells.iter().map(cell).collect());
    }
}
