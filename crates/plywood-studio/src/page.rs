//! The page: inside the program, or read from a folder by those who work on it.

use std::path::{Component, Path, PathBuf};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the page comes from.
pub(crate) struct Page {
    folder: Option<PathBuf>,
}

impl Page {
    /// The page inside the program, or the one of a folder.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, String> {
        if let Some(folder) = folder
            && !folder.join("index.html").is_file()
        {
            return Err(format!(
                "{} has no index.html: use --page-dir with the folder of the page",
                folder.display()
            ));
        }
        Ok(Page {
            folder: folder.map(Path::to_owned),
        })
    }

    /// A file of the page.
    pub(crate) fn file(&self, path: &str, headers: &HeaderMap) -> Response {
        let name = match path.trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        let Some(kind) = kind_of(name) else {
            return missing();
        };
        match &self.folder {
            Some(folder) => match read(folder, name) {
                Some(bytes) => answer(kind, bytes, headers),
                None => missing(),
            },
            None => match FILES.iter().find(|(file, _)| *file == name) {
                Some((_, bytes)) => answer(kind, *bytes, headers),
                None => missing(),
            },
        }
    }
}

fn missing() -> Response {
    Failure::of_status(StatusCode::NOT_FOUND).into_response()
}

/// A file inside a folder, never outside of it.
fn read(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let inside = Path::new(name);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if !inside.components().all(plain) || name.contains('\\') {
        return None;
    }
    std::fs::read(folder.join(inside)).ok()
}

/// What kind of file a name stands for; nothing for those that are not served.
fn kind_of(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}

/// Sends a file, unless the browser has it already.
fn answer(
    kind: &'static str,
    bytes: impl Into<Body> + AsRef<[u8]>,
    headers: &HeaderMap,
) -> Response {
    let tag = format!("\"{:016x}\"", fingerprint(bytes.as_ref()));
    let known = headers.get(header::IF_NONE_MATCH);
    let known = known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(bytes.into())
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // Ask each time: after an update an old page must not talk to a new server.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// A number that tells contents apart (FNV-1a).
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        assert!(read(&folder, "index.html").is_some());
        for name in [
            "../Cargo.toml",
            "/etc/hosts",
            "x/../../Cargo.toml",
            "..\\Cargo.toml",
            "./../Cargo.toml",
            "",
        ] {
            assert!(read(&folder, name).is_none(), "{name}");
        }
    }

    #[test]
    fn the_page_is_in_the_program() {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert!(names.contains(&"index.html"), "{names:?}");
    }
}
