//! A page as one HTML file that needs nothing else: no network, no scripts, no fonts.

use super::document::{Block, Document, Table};

/// Light and dark as the reader's system has it; black on white in print. On dark pages the
/// dark blue of the charts is too dim, and made lighter.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--shade:#f6f8fa;--mark:#b35900}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#14171c;--soft:#a0a8b2;--line:#3a414b;--shade:#1e232a;--mark:#ffb057}
svg [stroke=\"#0072B2\"]{stroke:#4aa8e8}svg [fill=\"#0072B2\"]{fill:#4aa8e8}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:72rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.3rem;margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem}
p,li{max-width:46rem}
p{margin:.6rem 0}
.note{border-left:4px solid var(--mark);padding:.25rem .75rem;background:var(--shade)}
code,pre{font:14px/1.45 ui-monospace,monospace}
code{background:var(--shade);padding:.05em .3em;border-radius:3px;overflow-wrap:anywhere}
pre{background:var(--shade);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow-x:auto}
pre code{background:none;padding:0;overflow-wrap:normal}
.wide{overflow-x:auto;margin:.75rem 0 1.25rem}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 .35rem;caption-side:top;min-width:min(40rem,85vw)}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;white-space:nowrap}
th{border-bottom-width:2px;font-weight:600}
td code,figcaption code{font-size:inherit}
.n{text-align:right}
.w{white-space:normal;min-width:14rem;max-width:30rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:1rem 1.5rem;margin:1rem 0}
figure{margin:0;overflow-x:auto}
figure svg{display:block;width:100%;min-width:20rem;max-width:40rem;height:auto}
figcaption{color:var(--soft);font-size:14px;max-width:40rem}
@media print{:root{--ink:#000;--paper:#fff;--soft:#333;--line:#999;--shade:#fff;--mark:#000}body{max-width:none;padding:0;font-size:11pt}figure,tr,pre{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}table{font-size:8.5pt}th,td{padding:.15rem .35rem}figure svg{min-width:0}.figures{grid-template-columns:1fr 1fr;gap:.5rem 1rem}figcaption{font-size:8.5pt}caption{min-width:0}pre{white-space:pre-wrap}}
";

/// The page as HTML. It is also well-formed XML.
pub fn write(document: &Document) -> String {
    let title = escape(&document.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for block in &document.blocks {
        match block {
            Block::Heading(level, text) => {
                html += &format!("<h{level}>{}</h{level}>\n", inline(text));
            }
            Block::Paragraph(text) => html += &format!("<p>{}</p>\n", inline(text)),
            Block::Warning(text) => {
                html += &format!("<p class=\"note\">{}</p>\n", inline(text));
            }
            Block::List(items) => {
                html += "<ul>\n";
                for item in items {
                    html += &format!("<li>{}</li>\n", inline(item));
                }
                html += "</ul>\n";
            }
            Block::Table(table) => write_table(&mut html, table),
            Block::Figures(figures) => {
                html += "<div class=\"figures\">\n";
                for figure in figures {
                    html += &format!(
                        "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
                        figure.svg.inline(&escape(&figure.caption)),
                        inline(&figure.caption)
                    );
                }
                html += "</div>\n";
            }
            Block::Code(code) => {
                html += &format!("<pre><code>{}</code></pre>\n", escape(code.trim_end()));
            }
        }
    }
    html += "</body>\n</html>\n";
    html
}

fn write_table(html: &mut String, table: &Table) {
    /// Longer texts than this are broken into lines.
    const LONG: usize = 48;
    *html += "<div class=\"wide\"><table>\n";
    if !table.caption.is_empty() {
        *html += &format!("<caption>{}</caption>\n", inline(&table.caption));
    }
    let class = |numbers: bool, text: &str| match numbers {
        true => " class=\"n\"",
        false if text.chars().count() > LONG => " class=\"w\"",
        false => "",
    };
    *html += "<thead><tr>";
    for (name, numbers) in &table.columns {
        let class = class(*numbers, "");
        *html += &format!("<th scope=\"col\"{class}>{}</th>", inline(name));
    }
    *html += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        *html += "<tr>";
        for (cell, (_, numbers)) in row.iter().zip(&table.columns) {
            let class = class(*numbers, cell);
            *html += &format!("<td{class}>{}</td>", inline(cell));
        }
        *html += "</tr>\n";
    }
    *html += "</tbody>\n</table></div>\n";
}

/// A text with its code between backticks.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = escape(part);
        match index % 2 {
            0 => html += &part,
            _ => html += &format!("<code>{part}</code>"),
        }
    }
    html
}

/// A text in which nothing is taken for HTML.
pub(super) fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html += "&amp;",
            '<' => html += "&lt;",
            '>' => html += "&gt;",
            '"' => html += "&quot;",
            // What XML has no character for is of no use to a reader.
            c if c.is_control() && !"\n\t".contains(c) => html.push('\u{fffd}'),
            c => html.push(c),
        }
    }
    html
}
