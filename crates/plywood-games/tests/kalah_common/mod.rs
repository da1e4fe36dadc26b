//! How the figures that Kalah is held to are written: words with spaces between them, lists
//! with commas.

use plywood_games::kalah::Capture;

/// The words of every line that is no comment.
pub fn lines(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').collect())
}

/// One number.
pub fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().ok().expect("a number")
}

/// Numbers with commas between them.
pub fn numbers<T: std::str::FromStr>(list: &str) -> Vec<T> {
    list.split(',').map(number).collect()
}

/// `pit:value,pit:value,...`, each pair made into something.
pub fn pit_values<T>(list: &str, made: impl Fn(u8, i32) -> T) -> Vec<T> {
    list.split(',')
        .map(|pair| {
            let (pit, value) = pair.split_once(':').expect("pit:value");
            made(number(pit), number(value))
        })
        .collect()
}

/// A rule of capture.
pub fn capture(name: &str) -> Capture {
    match name {
        "standard" => Capture::IfOppositeFull,
        "always" => Capture::Always,
        _ => panic!("unknown capture rule {name}"),
    }
}
