//! Who may ask: only pages that this server has sent, and programs on behalf of the user.
//!
//! A browser lets any page send requests to this computer, and a page can let its own name
//! point here. Both are told by headers that a page cannot choose: `Host` has the name that
//! was asked for, `Origin` and `Sec-Fetch-Site` say which page asks.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;

/// The names under which the server may be asked for.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The name it was told to listen on.
    host: Arc<str>,
}

impl Guard {
    pub(crate) fn new(host: &str) -> Self {
        Guard { host: host.into() }
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, headers: &HeaderMap, path: &str) -> Option<Failure> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (host, more) = (hosts.next(), hosts.next());
        let Some(host) = host
            .and_then(|host| host.to_str().ok())
            .filter(|_| more.is_none())
        else {
            return Some(Failure::forbidden(
                "host",
                "the header Host is missing or not one name",
            ));
        };
        if !self.is_ours(host) {
            return Some(Failure::forbidden(
                "host",
                format!(
                    "the server does not answer to the name '{host}': use 127.0.0.1 or localhost, \
                     or start it with --host"
                ),
            ));
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        if !origins.all(|origin| is_origin_of(origin, host)) {
            return Some(Failure::forbidden(
                "origin",
                "a page of another site asks: only the studio's own page may",
            ));
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if path.starts_with("/api") && matches!(site, Some(b"cross-site" | b"same-site")) {
            return Some(Failure::forbidden(
                "origin",
                "a page of another site asks: only the studio's own page may",
            ));
        }
        None
    }

    /// Whether a request for this host and port is meant for this server. A number is: only
    /// names can be made to point somewhere else.
    fn is_ours(&self, host: &str) -> bool {
        let Some(name) = name_of(host) else {
            return false;
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        bare.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || name.eq_ignore_ascii_case(&self.host)
    }
}

/// The host of `host:port`.
fn name_of(host: &str) -> Option<&str> {
    let (name, port) = match host.rfind(']') {
        Some(end) => host.split_at(end + 1),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port_is_fine = match port.strip_prefix(':') {
        Some(digits) => digits.parse::<u16>().is_ok(),
        None => port.is_empty(),
    };
    (port_is_fine && !name.is_empty()).then_some(name)
}

/// Whether an origin is the page that was sent from this host.
fn is_origin_of(origin: &HeaderValue, host: &str) -> bool {
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    // A proxy in front may speak https.
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

/// What every answer says to the browser. Scripts run only from this server's own files.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// What the page may do: everything it needs is in files of this server.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Lets a request pass or refuses it, and adds to every answer what keeps it safe.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.headers(), request.uri().path()) {
        Some(failure) => failure.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(PAGE_POLICY),
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pairs: &[(&str, &str)], path: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            headers.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        let guard = Guard::new("studio.example");
        guard.refusal(&headers, path).map(|failure| failure.code())
    }

    #[test]
    fn names_that_could_point_anywhere_are_refused() {
        for host in [
            "127.0.0.1:7070",
            "localhost:7070",
            "LOCALHOST",
            "[::1]:80",
            "192.168.1.7",
            "studio.example:1",
        ] {
            assert_eq!(refused(&[("host", host)], "/"), None, "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:7070",
            "",
            ":7070",
            "localhost:x",
            "localhost:7070:1",
            "localhost@evil.example",
            "[::1]x",
        ] {
            assert_eq!(refused(&[("host", host)], "/"), Some("host"), "{host}");
        }
        assert_eq!(refused(&[], "/"), Some("host"));
        let twice = [("host", "localhost"), ("host", "localhost")];
        assert_eq!(refused(&twice, "/"), Some("host"));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let with = |name, value| refused(&[("host", "localhost:7070"), (name, value)], "/api/v1");
        assert_eq!(with("origin", "http://localhost:7070"), None);
        for origin in [
            "null",
            "http://evil.example",
            "http://localhost",
            "http://localhost:7071",
            "http://127.0.0.1:7070",
            "file://localhost:7070",
            "http://localhost:7070.evil.example",
        ] {
            assert_eq!(with("origin", origin), Some("origin"), "{origin}");
        }
        assert_eq!(with("sec-fetch-site", "same-origin"), None);
        assert_eq!(with("sec-fetch-site", "none"), None);
        assert_eq!(with("sec-fetch-site", "cross-site"), Some("origin"));
        assert_eq!(with("sec-fetch-site", "same-site"), Some("origin"));
        // A link to the page itself is fine.
        let link = [("host", "localhost"), ("sec-fetch-site", "cross-site")];
        assert_eq!(refused(&link, "/"), None);
    }
}
