//! The Smart Game Format: nodes of properties with values. Of a tree the main line is read.

/// A node: properties with their values, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The properties.
    pub properties: Vec<(String, Vec<String>)>,
    /// The line it begins in, from 1.
    pub line: usize,
}

impl Node {
    /// The first value of a property.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }

    /// All values of a property.
    pub fn values(&self, name: &str) -> &[String] {
        let found = self.properties.iter().find(|(other, _)| other == name);
        found.map_or(&[], |(_, values)| values)
    }

    /// Adds a property with one value.
    pub fn add(&mut self, name: &str, value: &str) {
        match self.properties.iter_mut().find(|(other, _)| other == name) {
            Some((_, values)) => values.push(value.to_owned()),
            None => self
                .properties
                .push((name.to_owned(), vec![value.to_owned()])),
        }
    }
}

/// The nodes of one game, the first with a line to itself.
pub fn write(nodes: &[Node]) -> String {
    let mut text = String::from("(");
    for (index, node) in nodes.iter().enumerate() {
        text.push(';');
        for (name, values) in &node.properties {
            text.push_str(name);
            for value in values {
                text.push('[');
                for character in value.chars() {
                    if matches!(character, ']' | '\\') {
                        text.push('\\');
                    }
                    text.push(character);
                }
                text.push(']');
            }
        }
        if index == 0 || index % 10 == 0 {
            text.push('\n');
        }
    }
    if text.ends_with('\n') {
        text.pop();
    }
    text.push_str(")\n");
    text
}

/// Reads the main line of the first game.
pub fn parse(text: &str) -> Result<Vec<Node>, String> {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        line: 1,
    };
    let mut nodes: Vec<Node> = Vec::new();
    // Of the variations of a position the first is the main line: once a tree is closed, the
    // main line is complete.
    loop {
        match reader.next() {
            Some('(') => {}
            Some(';') => nodes.push(Node {
                properties: Vec::new(),
                line: reader.line,
            }),
            Some(')') if !nodes.is_empty() => return Ok(nodes),
            Some(letter) if letter.is_alphanumeric() => {
                let line = reader.line;
                let name = reader.name(letter);
                let values = reader.values()?;
                let Some(node) = nodes.last_mut() else {
                    return Err(format!("line {line}: {name} stands before the first ;"));
                };
                node.properties.push((name, values));
            }
            Some(other) => {
                return Err(format!(
                    "line {}: {other:?} is no part of SGF: ( ; ) and properties are",
                    reader.line
                ));
            }
            None => return Err(format!("line {}: the closing ) is missing", reader.line)),
        }
    }
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn character(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        self.line += usize::from(character == '\n');
        Some(character)
    }

    /// The next character that is no space.
    fn next(&mut self) -> Option<char> {
        loop {
            let character = self.character()?;
            if !character.is_whitespace() {
                return Some(character);
            }
        }
    }

    /// The rest of a name; small letters were decoration in old versions.
    fn name(&mut self, first: char) -> String {
        let mut name = String::from(first);
        while let Some(letter) = self.rest.next_if(|c| c.is_alphanumeric()) {
            name.push(letter);
        }
        name.retain(|c| !c.is_lowercase());
        name
    }

    fn values(&mut self) -> Result<Vec<String>, String> {
        let mut values = Vec::new();
        loop {
            while self.rest.peek().is_some_and(|c| c.is_whitespace()) {
                self.character();
            }
            if self.rest.next_if_eq(&'[').is_none() {
                break;
            }
            let begun = self.line;
            let mut value = String::new();
            loop {
                match self.character() {
                    Some(']') => break,
                    Some('\\') => value.extend(self.character()),
                    Some(character) => value.push(character),
                    None => return Err(format!("line {begun}: a ] is missing")),
                }
            }
            values.push(value);
        }
        if values.is_empty() {
            return Err(format!(
                "line {}: a property has no value in [ ]",
                self.line
            ));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut root = Node::default();
        root.add("GM", "4");
        root.add("C", "a ] and a \\ in it");
        root.add("AB", "aa");
        root.add("AB", "bb");
        let mut mv = Node::default();
        mv.add("B", "hh");
        let text = write(&[root.clone(), mv.clone()]);
        let read = parse(&text).expect("SGF");
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].properties, root.properties);
        assert_eq!(read[1].properties, mv.properties);
        assert_eq!((read[0].line, read[1].line), (1, 2));
    }

    #[test]
    fn the_main_line_is_the_first_of_all() {
        let text = "(;GM[4](;B[aa];W[bb](;B[cc])(;B[dd]))(;B[ee]))";
        let moves: Vec<String> = parse(text)
            .expect("SGF")
            .iter()
            .filter_map(|node| node.value("B").or(node.value("W")).map(str::to_owned))
            .collect();
        assert_eq!(moves, ["aa", "bb", "cc"]);
    }

    #[test]
    fn what_is_no_sgf_is_refused_with_its_line() {
        for (text, expected) in [
            ("(;GM[4]\n;B[aa]", "line 2: the closing )"),
            ("(;GM[4\n\n", "line 1: a ] is missing"),
            ("(;GM)", "no value"),
            ("(GM[4])", "before the first ;"),
            ("(;GM[4]\n!)", "line 2: '!'"),
            ("", "missing"),
            ("()", "is no part"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
