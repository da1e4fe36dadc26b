//! Charts as SVG, for pages that are light or dark, on paper, and for readers who do not tell
//! all colours apart: every line has a colour, a marker and a pattern of its own.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::stats::Interval;

/// Everything that is drawn in the colour of the text. The page decides what that is, so this
/// very colour is replaced in the finished drawing.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_TEXT: &str = "#010203";

/// The colours of Okabe and Ito, made to be told apart by everybody, but for their yellow,
/// which is lost on white paper. The first is that of the text.
const COLOURS: [RGBColor; 7] = [
    INK,
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// Dash and gap in pixels; no gap is a solid line.
const DASHES: [(u32, u32); 5] = [(1, 0), (9, 4), (3, 3), (14, 5), (6, 2)];

/// The most lines in one chart.
pub const MOST_SERIES: usize = COLOURS.len();

const WIDTH: u32 = 560;
const PLOT_HEIGHT: u32 = 360;
const LEGEND_ROW: u32 = 22;
const LEGEND_COLUMN: u32 = 270;

/// A drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Svg {
    /// The elements between the outer tags.
    body: String,
    width: u32,
    height: u32,
}

impl Svg {
    /// The drawing as a part of an HTML page, in the colour of its text; `label` is escaped
    /// already.
    pub fn inline(&self, label: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{label}\">{}</svg>",
            self.width, self.height, self.body
        )
    }

    /// The drawing as a file of its own, on white.
    pub fn file(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" color=\"#1b1f24\">\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>{}</svg>\n",
            self.body,
            w = self.width,
            h = self.height
        )
    }

    /// Draws something of this size with plotters; what is drawn in [`ink`] has the colour of
    /// the text.
    pub fn draw(
        (width, height): (u32, u32),
        draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawingError>,
    ) -> Svg {
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
            let drawn = draw(&area).and_then(|()| area.present());
            // Drawing into a string in memory can only fail if the drawing makes no sense.
            drawn.expect("a drawing in memory");
        }
        let start = text
            .find("<svg")
            .and_then(|at| Some(at + text[at..].find('>')? + 1));
        let end = text.rfind("</svg>");
        let body = match (start, end) {
            (Some(start), Some(end)) => text[start..end].replace(INK_TEXT, "currentColor"),
            _ => String::new(),
        };
        Svg {
            body: body.trim().to_owned(),
            width,
            height,
        }
    }
}

/// Why plotters could not draw.
pub type DrawingError = DrawingAreaErrorKind<std::io::Error>;

/// The colour of the text around a chart.
pub fn ink() -> RGBColor {
    INK
}

/// The colour of the line with this index.
pub fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// A measured point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Along.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// How far `y` can be trusted.
    pub interval: Option<Interval>,
}

/// A line.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// Lines over a common axis.
#[derive(Clone, PartialEq, Debug)]
pub struct LineChart {
    /// What it shows.
    pub title: String,
    /// What goes along, with its unit.
    pub x_label: String,
    /// What goes up, with its unit.
    pub y_label: String,
    /// Whether equal steps upwards are equal factors.
    pub log_y: bool,
    /// Whether the line is drawn on which twice the threads are twice as fast.
    pub ideal: bool,
    /// The lines, [`MOST_SERIES`] at most.
    pub series: Vec<Series>,
}

impl LineChart {
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }

    /// Where a value is drawn.
    fn height(&self, y: f64) -> f64 {
        match self.log_y {
            true => y.max(1e-12).log10(),
            false => y,
        }
    }

    /// The values along that were measured.
    fn x_ticks(&self) -> Vec<f64> {
        let mut ticks: Vec<f64> = self.points().map(|point| point.x).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        ticks
    }

    /// The values upwards that something is drawn at.
    fn y_range(&self) -> (f64, f64) {
        let ends = self.points().flat_map(|point| {
            let (low, high) = point
                .interval
                .map_or((point.y, point.y), |i| (i.low, i.high));
            [point.y, low, high]
        });
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        if self.log_y {
            return (low.max(1e-12), high.max(1e-12));
        }
        let widest = self.x_ticks().last().copied().unwrap_or(1.0);
        (0.0, if self.ideal { high.max(widest) } else { high })
    }

    /// The values upwards that are written down.
    fn y_ticks(&self) -> Vec<f64> {
        let (low, high) = self.y_range();
        if !self.log_y {
            if high <= 0.0 || !high.is_finite() {
                return vec![0.0, 1.0];
            }
            let step = round_step(high / 5.0);
            let count = (high / step).ceil().max(1.0) as usize;
            return (0..=count).map(|n| n as f64 * step).collect();
        }
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let few = high / low < 300.0;
        let steps: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let all = decades.flat_map(|decade| steps.iter().map(move |s| s * 10f64.powi(decade)));
        let all: Vec<f64> = all.collect();
        let below = all
            .iter()
            .rposition(|&tick| tick <= low * 1.000_001)
            .unwrap_or(0);
        let above = all.iter().position(|&tick| tick >= high * 0.999_999);
        all[below..=above.unwrap_or(all.len() - 1)].to_vec()
    }

    /// Draws it.
    pub fn draw(&self) -> Svg {
        let legend = self.legend();
        // Long names would run into the second column.
        let longest = legend.iter().map(|(name, _)| name.chars().count()).max();
        let columns = if longest > Some(26) { 1 } else { 2 };
        let rows = legend.len().div_ceil(columns as usize) as u32;
        let height = PLOT_HEIGHT + rows * LEGEND_ROW + 8;
        Svg::draw((WIDTH, height), |area| {
            let (plot, below) = area.split_vertically(PLOT_HEIGHT);
            self.draw_plot(&plot)?;
            for (index, (name, style)) in legend.iter().enumerate() {
                let x = 14 + (index as u32 % columns * LEGEND_COLUMN) as i32;
                let y = 12 + (index as u32 / columns * LEGEND_ROW) as i32;
                style.draw_sample(&below, (x, y))?;
                below.draw(&Text::new(name.clone(), (x + 44, y), text(15).pos(LEFT)))?;
            }
            Ok(())
        })
    }

    fn legend(&self) -> Vec<(String, LineStyle)> {
        let series = self.series.iter().enumerate();
        let mut legend: Vec<_> = series
            .map(|(index, series)| (series.name.clone(), LineStyle::of(index)))
            .collect();
        if self.ideal {
            legend.push(("ideal".into(), LineStyle::IDEAL));
        }
        legend
    }

    fn draw_plot(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawingError> {
        let (x_ticks, y_ticks) = (self.x_ticks(), self.y_ticks());
        let (first, last) = (
            x_ticks.first().copied().unwrap_or(0.0),
            x_ticks.last().copied().unwrap_or(1.0),
        );
        let room = ((last - first) * 0.05).max(0.25);
        let heights: Vec<f64> = y_ticks.iter().map(|&tick| self.height(tick)).collect();
        let (low, high) = (heights[0], heights[heights.len() - 1]);
        let high = if high > low { high } else { low + 1.0 };
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, text(17))
            .margin(8)
            .margin_right(18)
            .x_label_area_size(44)
            .y_label_area_size(68)
            .build_cartesian_2d(
                Axis {
                    ends: (first - room, last + room),
                    ticks: written(&x_ticks),
                },
                Axis {
                    ends: (low, high),
                    ticks: heights,
                },
            )?;
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .axis_desc_style(text(15))
            .label_style(text(14))
            .x_label_formatter(&|x| tick_text(*x))
            .y_label_formatter(&|y| match self.log_y {
                true => tick_text(10f64.powf(*y)),
                false => tick_text(*y),
            })
            .bold_line_style(INK.mix(0.13))
            .light_line_style(TRANSPARENT)
            .axis_style(INK.mix(0.7))
            .draw()?;
        if self.ideal {
            let end = last.min(high);
            let line = [(first, first), (end, end)];
            chart.draw_series(DashedLineSeries::new(
                line,
                2,
                3,
                INK.mix(0.6).stroke_width(1),
            ))?;
        }
        for (index, series) in self.series.iter().enumerate() {
            let style = LineStyle::of(index);
            let colour = style.colour;
            let at = |point: &Point| (point.x, self.height(point.y));
            if series.points.len() > 1 && series.points.iter().all(|p| p.interval.is_some()) {
                let ends = |pick: fn(Interval) -> f64| {
                    let ends = series.points.iter();
                    ends.filter_map(move |p| Some((p.x, self.height(pick(p.interval?)))))
                };
                let lows: Vec<(f64, f64)> = ends(|i| i.low).collect();
                let outline: Vec<(f64, f64)> =
                    ends(|i| i.high).chain(lows.into_iter().rev()).collect();
                chart.draw_series([Polygon::new(outline, colour.mix(0.16))])?;
            } else {
                chart.draw_series(series.points.iter().filter_map(|p| {
                    let i = p.interval?;
                    let line = vec![(p.x, self.height(i.low)), (p.x, self.height(i.high))];
                    Some(PathElement::new(line, colour.stroke_width(1)))
                }))?;
            }
            let line: Vec<(f64, f64)> = series.points.iter().map(at).collect();
            let (dash, gap) = style.dash;
            if gap == 0 {
                chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
            } else {
                chart.draw_series(DashedLineSeries::new(
                    line,
                    dash,
                    gap,
                    colour.stroke_width(2),
                ))?;
            }
            chart.draw_series(series.points.iter().map(|point| {
                EmptyElement::at(at(point)) + Polygon::new(marker(style.marker), colour.filled())
            }))?;
        }
        Ok(())
    }
}

/// An axis with numbers at chosen places, where plotters would choose its own.
struct Axis {
    ends: (f64, f64),
    ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.ends.0) / (self.ends.1 - self.ends.0);
        from + (f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.ends.0..self.ends.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        tick_text(*value)
    }
}

/// How a line looks.
#[derive(Clone, Copy)]
struct LineStyle {
    colour: RGBColor,
    dash: (u32, u32),
    marker: usize,
    marked: bool,
}

impl LineStyle {
    const IDEAL: LineStyle = LineStyle {
        colour: INK,
        dash: (2, 3),
        marker: 0,
        marked: false,
    };

    fn of(index: usize) -> Self {
        LineStyle {
            colour: colour(index),
            dash: DASHES[index % DASHES.len()],
            marker: index,
            marked: true,
        }
    }

    fn draw_sample(
        self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        (x, y): (i32, i32),
    ) -> Result<(), DrawingError> {
        let (dash, gap) = (self.dash.0 as i32, self.dash.1 as i32);
        let mut from = x;
        while from < x + 36 {
            let to = if gap == 0 {
                x + 36
            } else {
                (from + dash).min(x + 36)
            };
            let width = if self.marked { 2 } else { 1 };
            area.draw(&PathElement::new(
                vec![(from, y), (to, y)],
                self.colour.stroke_width(width),
            ))?;
            from = to + gap.max(1);
        }
        if self.marked {
            area.draw(
                &(EmptyElement::at((x + 18, y))
                    + Polygon::new(marker(self.marker), self.colour.filled())),
            )?;
        }
        Ok(())
    }
}

/// The outline of a marker around its point, in pixels.
fn marker(index: usize) -> Vec<(i32, i32)> {
    match index % 7 {
        0 => vec![
            (-2, -5),
            (2, -5),
            (5, -2),
            (5, 2),
            (2, 5),
            (-2, 5),
            (-5, 2),
            (-5, -2),
        ],
        1 => vec![(-4, -4), (4, -4), (4, 4), (-4, 4)],
        2 => vec![(0, -6), (6, 5), (-6, 5)],
        3 => vec![(0, -6), (6, 0), (0, 6), (-6, 0)],
        4 => vec![(0, 6), (6, -5), (-6, -5)],
        // A plus and a cross.
        5 => vec![
            (-2, -6),
            (2, -6),
            (2, -2),
            (6, -2),
            (6, 2),
            (2, 2),
            (2, 6),
            (-2, 6),
            (-2, 2),
            (-6, 2),
            (-6, -2),
            (-2, -2),
        ],
        _ => vec![
            (-5, -6),
            (0, -2),
            (5, -6),
            (6, -5),
            (2, 0),
            (6, 5),
            (5, 6),
            (0, 2),
            (-5, 6),
            (-6, 5),
            (-2, 0),
            (-6, -5),
        ],
    }
}

const LEFT: Pos = Pos {
    h_pos: HPos::Left,
    v_pos: VPos::Center,
};

/// A text in the colour of the page. Plotters makes letters smaller than it is told.
fn text(pixels: u32) -> TextStyle<'static> {
    ("sans-serif", f64::from(pixels) * 1.24)
        .into_font()
        .color(&INK)
}

/// The numbers that are written along an axis: those that were measured, or round ones between
/// where these would run into each other.
fn written(measured: &[f64]) -> Vec<f64> {
    const MOST: usize = 14;
    if measured.len() <= MOST {
        return measured.to_vec();
    }
    let (low, high) = (measured[0], measured[measured.len() - 1]);
    let step = round_step((high - low) / 8.0);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

/// The next larger of 1, 2 and 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let step = if step.is_finite() {
        step.max(1e-9)
    } else {
        1.0
    };
    let power = 10f64.powf(step.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors.into_iter().find(|f| f * power >= step * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// A number on an axis.
fn tick_text(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let text = match value.abs() {
        size if size >= 1e6 => return format!("{value:.0e}"),
        size if size >= 1.0 => format!("{value:.2}"),
        size => {
            let digits = (2.0 - size.log10().floor()).min(12.0) as usize;
            format!("{value:.digits$}")
        }
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(log_y: bool, ys: &[f64]) -> LineChart {
        let points = ys.iter().enumerate().map(|(x, &y)| Point {
            x: x as f64 + 1.0,
            y,
            interval: Some(Interval {
                low: y * 0.9,
                high: y * 1.1,
            }),
        });
        LineChart {
            title: "a < b & c".into(),
            x_label: "threads".into(),
            y_label: "seconds".into(),
            log_y,
            ideal: !log_y,
            series: vec![Series {
                name: "\"one\" <two>".into(),
                points: points.collect(),
            }],
        }
    }

    #[test]
    fn every_chart_is_well_formed_and_has_the_colour_of_its_page() {
        for (log_y, ys) in [
            (true, vec![1e-6, 3.0, 4000.0]),
            (true, vec![0.5]),
            (true, vec![0.0, 1.0]),
            (false, vec![1.0, 1.9, 3.5]),
            (false, vec![0.0]),
            (false, vec![]),
        ] {
            let svg = chart(log_y, &ys).draw();
            let file = svg.file();
            let parsed = roxmltree::Document::parse(&file).expect("well-formed");
            assert!(
                parsed
                    .descendants()
                    .any(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
            );
            assert!(!file.contains("NaN") && !file.contains("inf"), "{file}");
            assert!(!file.to_lowercase().contains(INK_TEXT));
            assert!(file.contains("currentColor"));
            roxmltree::Document::parse(&svg.inline("label")).expect("well-formed");
        }
    }

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        assert_eq!(
            chart(true, &[0.3, 20.0]).y_ticks(),
            [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
        );
        assert_eq!(
            chart(true, &[0.0012, 80.0]).y_ticks(),
            [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]
        );
        assert_eq!(round_step(0.7), 1.0);
        assert_eq!(round_step(1.2), 2.0);
        assert_eq!(round_step(30.0), 50.0);
        assert_eq!(written(&[1.0, 2.5, 16.0]), [1.0, 2.5, 16.0]);
        let many: Vec<f64> = (0..40).map(|n| 6.03 + 6.7 * f64::from(n)).collect();
        assert_eq!(written(&many), [50.0, 100.0, 150.0, 200.0, 250.0]);
        assert_eq!(tick_text(0.002), "0.002");
        assert_eq!(tick_text(50.0), "50");
        assert_eq!(tick_text(2.5), "2.5");
        assert_eq!(tick_text(1e-4), "0.0001");
    }
}
