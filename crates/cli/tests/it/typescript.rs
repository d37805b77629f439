//! TypeScript and JSX that nobody compiled, recorded: events are where the person wrote them. Needs the addon (`cargo xtask build`).

use std::fs;

use crate::support::with_args;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn events_are_at_their_places_in_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let program = "enum Size { Small = 1, Big }
const React = { createElement: (type: string, props: unknown, ...children: unknown[]) => children.length };
const log = (value: unknown, context: unknown): void => {};
class Shop {
  @log
  total(n: Size): number { const sum = n + Size.Big; return sum; }
}
const /* é */ element = <p title=\"x\">
  {new Shop().total(Size.Small)}
</p>;
console.log(element as number);
";
    fs::write(folder.path().join("app.tsx"), program).unwrap();
    let recorded = with_args(folder.path(), &["record", "--", "node", "app.tsx"]).output().unwrap();
    assert_eq!(text(&recorded.stdout), "1\n", "{recorded:?}");

    let events = text(&with_args(folder.path(), &["events"]).output().unwrap().stdout);
    let expected = [
        (5, "Enter total"),
        (6, "Param n = 1"),
        (6, "Var sum = 3"),
        (6, "Return 3"),
        (2, "Enter createElement"),
        (8, "Var element = 1"),
    ];
    for (line, event) in expected {
        assert!(events.contains(&format!("app.tsx:{line}  {event}")), "no {event} in line {line}:\n{events}");
    }
    let json = text(
        &with_args(folder.path(), &["events", "--line", "6", "--kind", "var", "--format", "json"])
            .output()
            .unwrap()
            .stdout,
    );
    let sum = serde_json::from_str::<serde_json::Value>(json.lines().next().unwrap()).unwrap();
    assert_eq!((&sum["line"], &sum["column"]), (&6.into(), &34.into()), "{json}");
}

#[test]
fn what_cannot_be_lowered_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("app.ts"), "let x: number = 1;\nenum { A }\n").unwrap();
    let recorded = with_args(folder.path(), &["record", "--", "node", "app.ts"]).output().unwrap();
    assert_eq!(recorded.status.code(), Some(1));
    assert!(text(&recorded.stderr).contains("not captured: app.ts  line 2: Unexpected token"), "{recorded:?}");
}
