//! A page as Markdown; its charts are files next to it.

use super::document::{Block, Document, Table};

/// The page as Markdown, with charts under this folder.
pub fn write(document: &Document, charts: &str) -> String {
    let mut text = format!("# {}\n", plain(&document.title));
    for block in &document.blocks {
        text.push('\n');
        match block {
            Block::Heading(level, heading) => {
                text += &format!("{} {}\n", "#".repeat(usize::from(*level)), plain(heading));
            }
            Block::Paragraph(paragraph) => text += &format!("{}\n", plain(paragraph)),
            Block::Warning(warning) => text += &format!("> **Note:** {}\n", plain(warning)),
            Block::List(items) => {
                for item in items {
                    text += &format!("* {}\n", plain(item));
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
        *text += &format!("{}\n\n", plain(&table.caption));
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |text: &String| plain(text).replace('|', "\\|");
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

/// A text in which nothing but what is between backticks is taken for anything else.
fn plain(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        if index % 2 == 0 {
            part.replace('<', "\\<")
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("`")
}
