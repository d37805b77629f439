//! The pages for operators, and the API's document.

use crash_server::Database;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::program::{Program, report};
use crate::support::{Project, Server};

/// What an attacker would want a browser to run.
const SCRIPT: &str = "<script>alert(1)</script>\"'&";

#[test]
fn pages_show_bugs_and_escape_what_came_in() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::start(Database::Folder(folder.path().to_owned()));
    let project = server.project("<b>shop</b>");
    let bug = crash_with_odd_names(&server, &project);
    for path in ["/", &format!("/bugs/{bug}")] {
        let page = server.client().get(path, &project.operator);
        assert_eq!((page.status, page.header("Content-Type")), (200, Some("text/html; charset=utf-8")));
        assert!(!page.body.contains("<script>") && !page.body.contains("<b>"), "{}", page.body);
        assert!(page.body.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{}", page.body);
        assert!(page.header("Content-Security-Policy").is_some_and(|policy| policy.contains("default-src 'none'")));
        assert!(page.body.contains("growing: step 1"));
    }
    assert_eq!(server.client().get("/", &project.report).status, 403);
    let nobody = server.client().send("GET", "/", &[], b"");
    assert_eq!(nobody.status, 401);
    // Alone in its line: Chromium takes none of several, and would ask the person for no key.
    assert_eq!(nobody.header("WWW-Authenticate"), Some("Basic realm=\"wherefore\""));
}

#[test]
fn paths_are_shown_in_the_original_source() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::start(Database::Folder(folder.path().to_owned()));
    let project = server.project("shop");
    let headers =
        [("Authorization", format!("Bearer {}", project.operator)), ("Content-Type", "text/javascript".to_owned())];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let source = format!("{}  {SCRIPT}\n", "\n".repeat('m' as usize - 1));
    let put = server.client().send("PUT", "/v1/releases/1.0.0/maps/app/main.js", &headers, source.as_bytes());
    assert_eq!(put.status, 204, "{put:?}");
    let (labels, stack) = Program { salt: 1, changed: &[] }.run(&Value::Null);
    let sent = report(1, 1, &Value::Null, &labels, &stack).to_string();
    assert_eq!(server.client().post("/v1/reports", &project.report, &sent).status, 202);
    let bugs = server.bugs_after(&project, 1);
    let id = bugs[0]["id"].as_str().expect("an id");
    let detail = server.client().get(&format!("/v1/bugs/{id}"), &project.operator).json();
    assert_eq!(detail["path"][0]["source"]["text"], format!("  {SCRIPT}"));
    let page = server.client().get(&format!("/bugs/{id}"), &project.operator);
    assert!(page.body.contains("&lt;script&gt;") && !page.body.contains("<script>"), "{}", page.body);
}

#[test]
fn the_document_has_every_operation_that_there_is() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::start(Database::Folder(folder.path().to_owned()));
    let project = server.project("shop");
    let document = server.client().get("/openapi.json", &project.operator).json();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let path = path.replace("{release}", "1").replace("{file}", "a.js").replace("{bug}", "000000000000");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let is_told = operations.get(method.to_lowercase()).is_some();
            let answer = server.client().send(method, &path, &[], b"");
            assert_eq!(answer.status != 405, is_told, "{method} {path}: {answer:?}");
        }
    }
}

/// Gives the id of the bug.
fn crash_with_odd_names(server: &Server, project: &Project) -> String {
    let (mut labels, mut stack) = Program { salt: 1, changed: &[] }.run(&Value::Null);
    for site in labels.iter_mut().map(|label| &mut label["site"]).chain(&mut stack) {
        site["file"] = json!(SCRIPT);
    }
    let mut report = report(1, 1, &Value::Null, &labels, &stack);
    report["message"] = json!(SCRIPT);
    let answer = server.client().post("/v1/reports", &project.report, &report.to_string());
    assert_eq!(answer.status, 202, "{answer:?}");
    server.bugs_after(project, 1)[0]["id"].as_str().expect("an id").to_owned()
}
