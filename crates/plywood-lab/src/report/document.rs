//! A page of text, tables and charts, written as HTML and as Markdown: what one says, the
//! other says too.

use super::chart::Svg;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What is on it.
    pub blocks: Vec<Block>,
}

/// A part of a page. In its texts, words between backticks are code.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading of level 2 or 3.
    Heading(u8, String),
    /// A paragraph.
    Paragraph(String),
    /// A paragraph that must not be overlooked.
    Warning(String),
    /// A list.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// Charts next to each other.
    Figures(Vec<Figure>),
    /// Something to copy.
    Code(String),
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns: a name, and whether it holds numbers.
    pub columns: Vec<(String, bool)>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows; names that begin with `#` are of columns with numbers.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_prefix('#') {
            Some(name) => (name.to_owned(), true),
            None => ((*name).to_owned(), false),
        };
        Table {
            caption: caption.into(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }
}

/// A chart on a page.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What its file is called, without an ending.
    pub name: String,
    /// The chart.
    pub svg: Svg,
    /// What it shows.
    pub caption: String,
}

impl Document {
    /// Adds a heading of level 2.
    pub fn section(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(2, text.into()));
    }

    /// Adds a heading of level 3.
    pub fn subsection(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(3, text.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a paragraph that must not be overlooked.
    pub fn warning(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Warning(text.into()));
    }

    /// Adds a table, unless it is empty.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds charts next to each other, if there are any.
    pub fn figures(&mut self, figures: Vec<Figure>) {
        if !figures.is_empty() {
            self.blocks.push(Block::Figures(figures));
        }
    }

    /// All charts.
    pub fn all_figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Figures(figures) => figures.as_slice(),
            _ => &[],
        })
    }
}
