//! What a run shows, as one HTML file and as Markdown.
//!
//! [`chart`], [`document`] and [`stats`] are for other pages too.

pub mod chart;
mod csv;
pub mod document;
mod figures;
pub mod html;
mod markdown;
pub mod numbers;
pub(crate) mod sections;
pub mod stats;
pub mod summary;

use std::path::{Path, PathBuf};

use crate::LabError;
use crate::record::slug;
use crate::reproduce;
use crate::sweep::{Run, write_whole};
use document::Document;
use summary::{Group, summarise};

/// Where the charts of a Markdown page are.
const CHARTS: &str = "charts";

/// Writes the report of a run into its folder, and says where: an HTML page and the same as
/// Markdown. The page of a run that reproduces a report shows that report's figures too.
pub fn write(run: &Run) -> Result<Vec<PathBuf>, LabError> {
    let document = page(run)?;
    write_document(&document, &run.folder, "report")
}

/// Writes a page as `NAME.html` and `NAME.md` into a folder, and the charts of the latter into
/// `charts/`.
pub fn write_document(
    document: &Document,
    folder: &Path,
    name: &str,
) -> Result<Vec<PathBuf>, LabError> {
    let html = folder.join(format!("{name}.html"));
    let markdown = folder.join(format!("{name}.md"));
    let charts = folder.join(CHARTS);
    if document.all_figures().next().is_some() {
        std::fs::create_dir_all(&charts).map_err(|error| LabError::file(&charts, &error))?;
    }
    for figure in document.all_figures() {
        let path = charts.join(format!("{}.svg", figure.name));
        write_whole(&path, figure.svg.file().as_bytes())?;
    }
    write_whole(&html, html::write(document).as_bytes())?;
    write_whole(&markdown, markdown::write(document, CHARTS).as_bytes())?;
    Ok(vec![html, markdown])
}

/// Writes all measurements of a run to a CSV file.
pub fn write_csv(run: &Run, path: &Path) -> Result<(), LabError> {
    let text = csv::write(&run.measurements);
    std::fs::write(path, text).map_err(|error| LabError::file(path, &error))
}

/// The report of a run.
pub fn page(run: &Run) -> Result<Document, LabError> {
    let groups = summarise(run);
    if groups.is_empty() {
        return Err(LabError::Input(format!(
            "{} holds no measurement yet: run `plywood lab sweep` with --resume first",
            run.folder.display()
        )));
    }
    if let Some(name) = &run.plan.reproduces {
        return Ok(reproduce::Report::named(name)?.page(run, &groups));
    }
    let mut document = Document {
        title: run.plan.name.clone(),
        ..Document::default()
    };
    sections::opening(&mut document, run, &groups);
    document.figures(figures::speed_up_of_all(&groups));
    all_groups(&mut document, &groups);
    sections::repeat(&mut document, run);
    Ok(document)
}

/// A section for each group.
pub(crate) fn all_groups(document: &mut Document, groups: &[Group]) {
    for (index, group) in groups.iter().enumerate() {
        let heading = sections::heading(&group.like);
        // Several positions of one game have equal headings.
        // Short enough that what tells its charts apart is not cut off.
        let short: String = slug(&heading).chars().take(40).collect();
        let name = format!("{} {short}", index + 1);
        document.section(heading);
        sections::group(document, group, &name);
    }
}
