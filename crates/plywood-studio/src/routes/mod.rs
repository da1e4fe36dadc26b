//! The API: one file for each part of it, and the list of all of it.

mod games;
mod insight;
mod lab;
mod search;
mod tables;

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};

use crate::failure::Failure;
use crate::guard::{Guard, guard};
use crate::lab::Lab;
use crate::openapi;
use crate::page::Page;
use crate::tables::Tables;
use crate::thinking::Thinking;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) tables: Tables,
    pub(crate) thinking: Thinking,
    pub(crate) lab: Lab,
    page: Page,
    started: Instant,
}

impl Shared {
    pub(crate) fn new(tables: Tables, thinking: Thinking, lab: Lab, page: Page) -> Self {
        Shared {
            tables,
            thinking,
            lab,
            page,
            started: Instant::now(),
        }
    }
}

/// How a handler gets at what all share.
type Studio = State<Arc<Shared>>;

/// What is taken at an address, by its method.
pub(crate) struct Route {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the description of the API is held against it")
    )]
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    handler: MethodRouter<Arc<Shared>>,
}

fn route<H, T>(method: Method, path: &'static str, handler: H) -> Route
where
    H: Handler<T, Arc<Shared>>,
    T: 'static,
{
    let filter = MethodFilter::try_from(method.clone()).expect("one of the usual methods");
    Route {
        method,
        path,
        handler: on(filter, handler),
    }
}

/// All of the API. What it says of itself is held against this list.
pub(crate) fn all() -> Vec<Route> {
    let mut all = vec![route(Method::GET, "/api", openapi::describe)];
    all.extend(games::routes());
    all.extend(tables::routes());
    all.extend(search::routes());
    all.extend(insight::routes());
    all.extend(lab::routes());
    all
}

/// The API and the page, guarded.
pub(crate) fn router(shared: Arc<Shared>, guarded: Guard) -> Router {
    let mut router = Router::new();
    for route in all() {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(page)
        .layer(middleware::from_fn(tidy))
        .layer(middleware::from_fn_with_state(guarded, guard))
        .with_state(shared)
}

/// Everything else is a file of the page.
async fn page(State(studio): Studio, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api") {
        return Failure::of_status(StatusCode::NOT_FOUND).into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Failure::of_status(StatusCode::METHOD_NOT_ALLOWED).into_response();
    }
    studio.page.file(path, request.headers())
}

/// Answers every request, with words: one that panics is lost alone, and refusals without
/// words get some.
async fn tidy(request: Request, next: Next) -> Response {
    // On a task of its own, which also goes on if the client breaks off: a move that was
    // begun is made.
    let answered = tokio::spawn(next.run(request)).await;
    let response = answered.unwrap_or_else(|_| Failure::panicked().into_response());
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let has_words = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if (status.is_client_error() || status.is_server_error()) && !has_words {
        return Failure::of_status(status).into_response();
    }
    response
}

/// Runs something that takes a while or waits for the disk where it disturbs nobody.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Failure::panicked()))
}

/// What the server is doing, for the status.
fn uptime(shared: &Shared) -> u64 {
    shared.started.elapsed().as_secs()
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    /// A request that panics is answered, and the next one too.
    #[tokio::test]
    async fn a_panic_never_leaves_its_request() {
        let panics = || async {
            if true {
                panic!("a mistake, made on purpose");
            }
        };
        let aside_panics = || async {
            let work = || -> Result<(), Failure> { panic!("a mistake, made on purpose") };
            aside(work).await
        };
        let router: Router = Router::new()
            .route("/panics", get(panics))
            .route("/aside", get(aside_panics))
            .route("/fine", get(|| async { "fine" }))
            .layer(middleware::from_fn(tidy));
        for (path, status) in [("/panics", 500), ("/aside", 500), ("/fine", 200)] {
            let request = Request::builder().uri(path).body(Body::empty());
            let answer = router.clone().oneshot(request.expect("a request")).await;
            let answer = answer.expect("an answer");
            assert_eq!(answer.status(), status, "{path}");
            let body = to_bytes(answer.into_body(), 1000).await.expect("a body");
            if status == 500 {
                let text = String::from_utf8_lossy(&body);
                assert!(text.contains("\"code\":\"failed\""), "{text}");
            }
        }
    }
}
