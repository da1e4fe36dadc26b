//! A server in this process, and a client that speaks HTTP as badly as a test wants it to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use plywood_studio::{Options, Studio};
use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything here takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends with the test.
pub struct Server {
    pub address: SocketAddr,
    /// What it said when it opened its games.
    pub messages: Vec<String>,
    folder: Option<TempDir>,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server with a new folder.
    pub fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut server = Server::with_store(folder.path());
        server.folder = Some(folder);
        server
    }

    /// A server that keeps its games in this folder.
    pub fn with_store(store: &Path) -> Self {
        let studio = Studio::open(&options(store)).expect("a server");
        let (end, ended) = tokio::sync::oneshot::channel();
        Server {
            address: studio.address(),
            messages: studio.messages().to_vec(),
            folder: None,
            end: Some(end),
            thread: Some(std::thread::spawn(move || {
                let end = async { drop(ended.await) };
                studio.run_until(end).expect("it served");
            })),
        }
    }

    pub fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream.set_write_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    /// Sends a request and reads the answer.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let body = body.map(Value::to_string);
        self.send(method, path, &[], body.as_deref())
    }

    pub fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Posts something that is accepted.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask("POST", path, Some(body));
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text());
        answer.json()
    }

    /// Posts something that is refused, and returns the word for why.
    pub fn refused(&self, path: &str, body: &Value) -> (u16, String) {
        let answer = self.ask("POST", path, Some(body));
        (answer.status, answer.code())
    }

    /// Posts something that is answered with events, and reads them all.
    pub fn events(&self, path: &str, body: &Value) -> Vec<(String, Value)> {
        let answer = self.ask("POST", path, Some(body));
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text());
        answer.events()
    }

    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let mut stream = self.stream();
        let request = request(method, path, &self.address.to_string(), headers, body);
        stream.write_all(request.as_bytes()).expect("it reads");
        Answer::read(stream).expect("an answer")
    }

    /// Sends bytes and reads whatever comes back, if anything does. Those that are not a
    /// whole request are followed by silence.
    pub fn send_raw(&self, bytes: &[u8], whole: bool) -> Option<Answer> {
        let mut stream = self.stream();
        // It may have had enough before all is sent.
        let _ = stream.write_all(bytes);
        if !whole {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        Answer::read(stream)
    }

    /// Waits until a figure of the status is this.
    pub fn wait_for(&self, figure: &str, value: u64) {
        let started = std::time::Instant::now();
        while self.get("/api/v1/status")[figure] != value {
            assert!(started.elapsed() < PATIENCE, "{figure} never was {value}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub fn options(store: &Path) -> Options {
    Options {
        host: "127.0.0.1".to_owned(),
        port: 0,
        store: store.to_owned(),
        page: None,
        threads: Some(2),
    }
}

pub fn request(
    method: &str,
    path: &str,
    host: &str,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if let Some(body) = body {
        let length = body.len();
        text += &format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
    }
    text + "\r\n" + body.unwrap_or("")
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads an answer to its end; nothing if there is none.
    pub fn read(stream: TcpStream) -> Option<Answer> {
        let mut reader = BufReader::new(stream);
        let mut answer = Answer::head(&mut reader)?;
        let chunked = answer.header("transfer-encoding") == Some("chunked");
        let length = answer.header("content-length");
        if let Some(length) = length.and_then(|length| length.parse().ok()) {
            reader.take(length).read_to_end(&mut answer.body).ok()?;
        } else if chunked {
            while let Some(chunk) = chunk(&mut reader) {
                answer.body.extend(chunk);
            }
        } else {
            reader.read_to_end(&mut answer.body).ok()?;
        }
        Some(answer)
    }

    /// Reads what comes before the body.
    pub fn head(reader: &mut impl BufRead) -> Option<Answer> {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            line.clear();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        Some(Answer {
            status,
            headers,
            body: Vec::new(),
        })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(header, _)| header == name);
        header.map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("JSON: {}", self.text()))
    }

    /// The word for why something was refused. Everything that is refused has a line too.
    pub fn code(&self) -> String {
        let error = &self.json()["error"];
        let message = error["message"].as_str().expect("a line");
        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
        assert!(message.len() < 2000, "{message}");
        error["code"].as_str().expect("a word").to_owned()
    }

    pub fn events(&self) -> Vec<(String, Value)> {
        let text = self.text();
        let events = text.split("\n\n").filter_map(|event| {
            let kind = event
                .lines()
                .find_map(|line| line.strip_prefix("event: "))?;
            let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
            Some((kind.to_owned(), serde_json::from_str(data).expect("JSON")))
        });
        events.collect()
    }
}

/// One chunk of a chunked body; nothing after the last.
pub fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok()?;
    let mut bytes = vec![0; length + 2];
    reader.read_exact(&mut bytes).ok()?;
    bytes.truncate(length);
    (length > 0).then_some(bytes)
}

/// The last event of a kind.
pub fn last<'a>(events: &'a [(String, Value)], kind: &str) -> &'a Value {
    let event = events.iter().rev().find(|(name, _)| name == kind);
    &event.unwrap_or_else(|| panic!("{kind} in {events:?}")).1
}
