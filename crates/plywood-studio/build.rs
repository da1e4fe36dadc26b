//! Lists the files of the page, so that they become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What the page is made of. Anything else in its folder is for those who work on it.
const SERVED: [&str; 7] = ["html", "js", "css", "svg", "png", "ico", "webmanifest"];

fn main() {
    let folder =
        Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo says where it is")).join("page");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut code = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        let inside = file.strip_prefix(&folder).expect("it was found there");
        let name: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        writeln!(code, "({:?}, include_bytes!({file:?})),", name.join("/"))
            .expect("a string takes everything");
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where to")).join("page.rs");
    fs::write(out, code).expect("the list of files can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).expect("the folder of the page can be read");
    for entry in entries {
        let path = entry.expect("the folder of the page can be read").path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden || path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|ending| SERVED.iter().any(|served| ending == *served))
        {
            println!("cargo:rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
}
