//! A program that is spoken to line by line, and never waited for in vain.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::{House, NoMove};
use crate::matches::finished::FaultKind;

/// A longer line is cut off: no answer is so long.
const LONGEST_LINE: usize = 8 << 10;

/// Lines that wait to be read; a program that says more has to wait itself.
const WAITING_LINES: usize = 256;

/// How often somebody who waits looks whether the match is stopped.
const LOOK: Duration = Duration::from_millis(50);

/// How long a program has to end after it was told to.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long a dying program is waited for, to learn how it ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A running program.
pub(super) struct Program {
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<(Instant, String)>,
    /// The last line on its standard error, and whether more can come: nothing is ever sent
    /// here, and the sender goes when the pipe ends.
    complaint: Arc<Mutex<String>>,
    complaining: Receiver<()>,
    house: House,
    ended: Option<ExitStatus>,
    /// Whether everything it has started was ended.
    cleared: bool,
}

impl Program {
    /// Starts a program.
    pub fn start(command: &[String], house: &House) -> Result<Self, NoMove> {
        let cannot = |error: io::Error| {
            let text = format!("{} cannot be started: {error}", command[0]);
            NoMove::Fault(FaultKind::Crash, text)
        };
        let mut prepared = Command::new(&command[0]);
        prepared
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C is for us: we end the program. And what it has started ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut prepared, 0);
        let mut child = prepared.spawn().map_err(cannot)?;
        let stdin = child.stdin.take().expect("it was asked for");
        let stdout = child.stdout.take().expect("it was asked for");
        let stderr = child.stderr.take().expect("it was asked for");
        let (input, to_write) = mpsc::channel();
        let (heard, lines) = mpsc::sync_channel(WAITING_LINES);
        let complaint = Arc::new(Mutex::new(String::new()));
        let (complains, complaining) = mpsc::channel();
        let program = Program {
            child,
            input: Some(input),
            lines,
            complaint: Arc::clone(&complaint),
            complaining,
            house: house.clone(),
            ended: None,
            cleared: false,
        };
        // None of these is waited for: each ends when its pipe does, at the latest when the
        // program is killed.
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            thread::Builder::new().name(name.to_owned()).spawn(work)
        };
        spawn("to-program", Box::new(move || write_all(stdin, &to_write))).map_err(cannot)?;
        spawn(
            "from-program",
            Box::new(move || {
                read_lines(stdout, |line| heard_line(&heard, line));
            }),
        )
        .map_err(cannot)?;
        spawn(
            "complaints",
            Box::new(move || {
                read_lines(stderr, |line| {
                    if !line.trim().is_empty()
                        && let Ok(mut last) = complaint.lock()
                    {
                        *last = line;
                    }
                    true
                });
                drop::<Sender<()>>(complains);
            }),
        )
        .map_err(cannot)?;
        Ok(program)
    }

    /// Says a text to the program, line ends included. A program that has ended or does not
    /// listen is found out when it does not answer.
    pub fn say(&self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// The next line it says, with when it came; what there is, if nothing comes before the
    /// deadline.
    pub fn line(&mut self, deadline: Instant) -> Result<(Instant, String), Silence> {
        loop {
            if self.house.is_stopped() {
                return Err(Silence::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The processor time it has used so far, where the system tells.
    pub fn cpu(&self) -> Option<Duration> {
        cpu_of(self.child.id())
    }

    /// Why there is no answer to a command, given the first line that was none.
    pub fn no_answer(
        &mut self,
        silence: Silence,
        garbage: Option<String>,
        command: &str,
    ) -> NoMove {
        match (silence, garbage) {
            (Silence::Stopped, _) => NoMove::Stopped,
            (Silence::Gone, _) => NoMove::Fault(FaultKind::Crash, self.last_words()),
            (Silence::Late, Some(line)) => NoMove::Fault(
                FaultKind::Garbage,
                format!("{command} was answered with: {}", one_line(&line)),
            ),
            (Silence::Late, None) => NoMove::Fault(
                FaultKind::Time,
                format!("{command} was not answered in time"),
            ),
        }
    }

    /// How the program ended, and what it complained about last.
    pub fn last_words(&mut self) -> String {
        let ended = match self.wait(LAST_WORDS) {
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".to_owned(),
        };
        // What it said at the end may still be on its way.
        let _ = self.complaining.recv_timeout(LAST_WORDS);
        match self.complaint.lock() {
            Ok(complaint) if !complaint.is_empty() => {
                format!("{ended} and said: {}", one_line(&complaint))
            }
            _ => ended,
        }
    }

    /// Says good-bye and waits a moment; whoever does not go is shown out. Returns whether
    /// the program went by itself.
    pub fn dismiss(&mut self, farewell: &str) -> bool {
        self.say(farewell.to_owned());
        // Closing its input says the same.
        self.input = None;
        let went = self.wait(FAREWELL).is_some();
        self.kill();
        went
    }

    /// Waits for the program to end.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
            if self.ended.is_some() || Instant::now() >= deadline {
                break;
            }
            // A program that talks to the end must not wait for us to listen.
            while self.lines.try_recv().is_ok() {}
            thread::sleep(Duration::from_millis(2));
        }
        self.ended
    }

    /// Ends the program and whatever it has started.
    fn kill(&mut self) {
        // Once only: the number of a group that is gone may be given to another.
        if std::mem::replace(&mut self.cleared, true) {
            return;
        }
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            // The group lives on while one of the program's own children does, so this is
            // right even if the program itself has ended.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        if self.ended.is_none() {
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Why no line came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The deadline came first.
    Late,
    /// The program has ended, or closed its output.
    Gone,
    /// The match is being stopped.
    Stopped,
}

fn write_all(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).is_err() || stdin.flush().is_err() {
            return;
        }
    }
}

fn heard_line(heard: &SyncSender<(Instant, String)>, line: String) -> bool {
    heard.send((Instant::now(), line)).is_ok()
}

/// Hands over every line until the pipe ends or nobody wants more. A line ends with a line
/// feed, a carriage return or both.
fn read_lines(pipe: impl Read, mut hear: impl FnMut(String) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    let mut after_return = false;
    let mut byte = [0];
    loop {
        match pipe.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        let [byte] = byte;
        if byte == b'\n' && after_return {
            after_return = false;
            continue;
        }
        after_return = byte == b'\r';
        if byte == b'\n' || byte == b'\r' {
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            if !hear(text) {
                return;
            }
        } else if line.len() < LONGEST_LINE {
            line.push(byte);
        }
    }
    if !line.is_empty() {
        hear(String::from_utf8_lossy(&line).into_owned());
    }
}

/// The processor time of a process, all its threads together, to a hundredth of a second.
#[cfg(target_os = "linux")]
fn cpu_of(pid: u32) -> Option<Duration> {
    /// What Linux counts these times in, whatever the machine.
    const TICKS_PER_SECOND: u64 = 100;
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis(
        (user + system) * 1000 / TICKS_PER_SECOND,
    ))
}

#[cfg(not(target_os = "linux"))]
fn cpu_of(_: u32) -> Option<Duration> {
    None
}

/// What a program said, short and on one line.
pub(super) fn one_line(text: &str) -> String {
    const LONGEST: usize = 120;
    let mut line: String = text.trim().chars().take(LONGEST).collect();
    if text.trim().chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line.chars().flat_map(printable).collect()
}

fn printable(character: char) -> Vec<char> {
    match character.is_control() {
        true => character.escape_default().collect(),
        false => vec![character],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_of_three_ways() {
        let mut lines = Vec::new();
        read_lines(&b"a\nb\r\nc\rd\n\ne"[..], |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines, ["a", "b", "c", "d", "", "e"]);
    }

    #[test]
    fn endless_lines_are_cut() {
        let long = vec![b'x'; 10 * LONGEST_LINE];
        let mut lengths = Vec::new();
        read_lines(&long[..], |line| {
            lengths.push(line.len());
            true
        });
        assert_eq!(lengths, [LONGEST_LINE]);
    }

    #[test]
    fn what_programs_say_fits_a_line() {
        assert_eq!(one_line("  a\tb\u{7}  "), "a\\tb\\u{7}");
        assert_eq!(one_line(&"x".repeat(500)).chars().count(), 121);
    }
}
