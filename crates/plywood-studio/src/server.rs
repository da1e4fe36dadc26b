//! Listens, hands requests to the routes, and ends.

use std::fmt;
use std::future::Future;
use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::Semaphore;
use tokio::time::Sleep;

use crate::guard::Guard;
use crate::lab::Lab;
use crate::page::Page;
use crate::race::race;
use crate::routes::{self, Shared};
use crate::tables::Tables;
use crate::thinking::Thinking;
use crate::way::Bounds;

/// How many connections are open at once; more have to wait.
const MOST_CONNECTIONS: usize = 1024;

/// How many bytes the head of a request may have.
const MOST_HEAD: usize = 32 << 10;

/// How long the head of a request may take.
const HEAD_PATIENCE: Duration = Duration::from_secs(15);

/// How long a client may read nothing while there is something for it.
const WRITE_PATIENCE: Duration = Duration::from_secs(30);

/// What the system keeps for a client that does not read: little, so that it is noticed.
const SEND_BUFFER: u32 = 128 << 10;

/// How long running searches are waited for in the end.
const LAST_PATIENCE: Duration = Duration::from_millis(500);

/// The memory of one search at most, in mebibytes.
const MOST_MEMORY_MB: usize = 1024;

/// As much stack as the main thread has: searches are as deep here as there.
const STACK: usize = 8 << 20;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name or number to listen on.
    pub host: String,
    /// The port, 0 for any that is free.
    pub port: u16,
    /// The folder that games and runs are kept in.
    pub store: PathBuf,
    /// Where the page is read from; from inside the program if nothing is said.
    pub page: Option<PathBuf>,
    /// The most threads of a search, and the most searches at once; as many as there are
    /// cores if nothing is said.
    pub threads: Option<usize>,
}

/// Why the studio cannot start or go on: one line.
#[derive(Clone, Debug)]
pub struct StudioError(String);

impl fmt::Display for StudioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StudioError {}

/// The folder to keep things in if nothing is said: the user's data folder.
pub fn default_store() -> Option<PathBuf> {
    let from = |name: &str| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let data = if cfg!(windows) {
        from("APPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Application Support"))
    } else {
        from("XDG_DATA_HOME").or_else(|| home.map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("plywood/studio"))
}

/// A server that listens.
pub struct Studio {
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    messages: Vec<String>,
}

impl Studio {
    /// Listens on an address and opens the games of a folder.
    pub fn open(options: &Options) -> Result<Self, StudioError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("studio")
            .thread_stack_size(STACK)
            .enable_all()
            .build()
            .map_err(|error| StudioError(format!("no threads can be started: {error}")))?;
        let listener = runtime.block_on(async { listen(options) })?;
        let address = listener
            .local_addr()
            .map_err(|error| StudioError(error.to_string()))?;
        let page = Page::open(options.page.as_deref()).map_err(StudioError)?;
        let mut messages = Vec::new();
        let mut say = |line: &str| messages.push(line.to_owned());
        let tables = Tables::open(&options.store.join("tables"), &mut say).map_err(StudioError)?;
        let lab = Lab::new(&options.store.join("lab"));
        let thinking = Thinking::new(bounds(options.threads));
        let shared = Shared::new(tables, thinking, lab, page);
        let router = routes::router(Arc::new(shared), Guard::new(&options.host));
        Ok(Studio {
            runtime,
            listener,
            address,
            router,
            messages,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What there is to say about the games that were opened: damaged files were set aside.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Serves until Ctrl-C, or until the system asks it to end.
    pub fn run(self) -> Result<(), StudioError> {
        self.run_until(interrupted())
    }

    /// Serves until something else has ended.
    pub fn run_until(self, end: impl Future<Output = ()>) -> Result<(), StudioError> {
        let Studio {
            runtime,
            listener,
            router,
            ..
        } = self;
        runtime.block_on(async move {
            let mut end = pin!(end);
            // The first look is what makes signals be listened to: before anybody is served.
            let look = poll_fn(|context| Poll::Ready(end.as_mut().poll(context).is_ready()));
            if look.await {
                return;
            }
            let serving = tokio::spawn(accept(listener, router));
            end.await;
            serving.abort();
        });
        // Whatever was answered is on disk. Searches that go on have nobody to answer to.
        runtime.shutdown_timeout(LAST_PATIENCE);
        Ok(())
    }
}

/// What a search may use on this machine.
fn bounds(threads: Option<usize>) -> Bounds {
    let threads = threads
        .unwrap_or_else(plywood_lab::record::cores)
        .clamp(1, plywood::MAX_THREADS);
    // All searches together may take half of the memory.
    let share = plywood_lab::values::machine_memory() / 2 / threads.max(2);
    Bounds {
        threads,
        memory_mb: (share >> 20).clamp(16, MOST_MEMORY_MB),
    }
}

fn listen(options: &Options) -> Result<TcpListener, StudioError> {
    let (host, port) = (options.host.as_str(), options.port);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let addresses = (bare, port).to_socket_addrs().map_err(|error| {
        StudioError(format!(
            "'{host}' is no name or number of this computer ({error}): use --host with one, like \
             127.0.0.1 or 0.0.0.0"
        ))
    })?;
    let mut why = None;
    for address in addresses {
        match bind(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => why = Some(error),
        }
    }
    let why = why.unwrap_or_else(|| io::Error::other("it has no address"));
    Err(StudioError(match why.kind() {
        io::ErrorKind::AddrInUse => format!(
            "port {port} on {host} is taken: use --port with another one, or 0 for any that is \
             free"
        ),
        io::ErrorKind::PermissionDenied => {
            format!("port {port} on {host} is not ours to take: use --port with one from 1024 on")
        }
        _ => format!("{host} port {port} cannot be listened on: {why}"),
    }))
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A server that was just ended must not keep the next one waiting.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(1024)
}

/// Ends when the user or the system wants the program to end.
async fn interrupted() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Then the system ends the program by itself.
            std::future::pending::<()>().await;
        }
    };
    race(interrupt, terminated()).await;
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => drop(terminate.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

/// Takes one connection after the other.
async fn accept(listener: TcpListener, router: Router) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Out of files, or a client that has gone already: others are served.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_PATIENCE)
                .max_buf_size(MOST_HEAD)
                .serve_connection(TokioIo::new(Patient::new(stream)), service);
            // A client that breaks off is its own business.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// A connection that is given up if its client reads nothing for too long.
struct Patient<S> {
    stream: S,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    fn new(stream: S) -> Self {
        Patient {
            stream,
            waiting: None,
        }
    }

    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        done: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.waiting = None;
            return done;
        }
        let patience = || Box::pin(tokio::time::sleep(WRITE_PATIENCE));
        let waiting = self.waiting.get_or_insert_with(patience);
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, done)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_given_up() {
        let (server, mut client) = duplex(64);
        let mut server = Patient::new(server);
        let started = tokio::time::Instant::now();
        // One that reads slowly is waited for.
        let reader = tokio::spawn(async move {
            for _ in 0..10 {
                tokio::time::sleep(WRITE_PATIENCE * 9 / 10).await;
                client.read_exact(&mut [0; 64]).await.expect("it writes");
            }
            client
        });
        server.write_all(&[7; 640]).await.expect("it reads");
        let client = reader.await.expect("it read");
        assert!(started.elapsed() > 5 * WRITE_PATIENCE);
        // One that stops is not.
        let stopped = tokio::time::Instant::now();
        let error = server.write_all(&[7; 640]).await.expect_err("it stopped");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let waited = stopped.elapsed();
        assert!(waited >= WRITE_PATIENCE && waited < 2 * WRITE_PATIENCE);
        drop(client);
    }
}
