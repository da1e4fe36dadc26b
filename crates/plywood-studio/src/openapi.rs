//! What the API says of itself, in OpenAPI. The texts are beside this file: `paths.json` says
//! what can be asked, `schemas.json` what is answered.

use std::sync::OnceLock;

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use crate::body::json_response;

const PATHS: &str = include_str!("openapi/paths.json");
const SCHEMAS: &str = include_str!("openapi/schemas.json");

/// The description in OpenAPI.
pub(crate) async fn describe() -> Response {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    json_response(StatusCode::OK, DOCUMENT.get_or_init(document))
}

/// The whole document.
fn document() -> Value {
    let read = |text: &str| -> Value {
        serde_json::from_str(text).expect("the description is JSON, as its test says")
    };
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Plywood studio",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Play, analyse and watch the search. The number in the address is \
                that of the API: what it has will not be changed, only added to.",
        },
        "paths": read(PATHS),
        "components": {
            "schemas": read(SCHEMAS),
            "responses": { "Refused": {
                "description": "It makes no sense or cannot be done; nothing has changed.",
                "content": { "application/json": { "schema": {
                    "$ref": "#/components/schemas/Error",
                } } },
            } },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::routes;

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let document = document();
        let paths = document["paths"].as_object().expect("paths");
        let described: BTreeSet<(String, String)> = paths
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().expect("methods");
                let methods = methods.keys().filter(|key| *key != "parameters");
                methods.map(move |method| (method.clone(), path.clone()))
            })
            .collect();
        let routed: BTreeSet<(String, String)> = routes::all()
            .iter()
            .map(|route| (route.method.as_str().to_lowercase(), route.path.to_owned()))
            .collect();
        assert_eq!(described, routed);
    }

    #[test]
    fn every_reference_leads_somewhere_and_every_schema_is_used() {
        fn references(value: &Value, found: &mut BTreeSet<String>) {
            match value {
                Value::Object(fields) => {
                    for (name, value) in fields {
                        match value.as_str() {
                            Some(text) if name == "$ref" => drop(found.insert(text.to_owned())),
                            _ => references(value, found),
                        }
                    }
                }
                Value::Array(items) => items.iter().for_each(|item| references(item, found)),
                _ => {}
            }
        }
        let document = document();
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        for reference in &found {
            let pointer = reference.strip_prefix('#').expect("inside the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        let schemas = document["components"]["schemas"].as_object();
        for name in schemas.expect("schemas").keys() {
            let reference = format!("#/components/schemas/{name}");
            assert!(found.contains(&reference), "{name}");
        }
    }

    #[test]
    fn every_operation_says_what_it_does_and_answers() {
        let document = document();
        for (path, methods) in document["paths"].as_object().expect("paths") {
            let names = path.matches('{').count();
            let parameters = methods["parameters"].as_array().map_or(0, Vec::len);
            assert_eq!(names, parameters, "{path}");
            for (method, operation) in methods.as_object().expect("methods") {
                if method != "parameters" {
                    assert!(operation["summary"].is_string(), "{method} {path}");
                    assert!(operation["responses"]["200"].is_object(), "{method} {path}");
                }
            }
        }
    }
}
