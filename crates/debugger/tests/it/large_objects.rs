//! The first part of a huge object, which is there before the rest, against the same part of all that it holds.
//! Needs the addon (`cargo xtask build`).

use std::fs;

use debugger::{
    Answer, Child, Control, Handle, Output, Page, PageRequest, Question, QuestionKind, RecordRequest, RunChoice,
    Session, Where, record,
};

/// Writes and removals in an order that a number decides; at the end of each round, line 15.
const PROGRAM: &str = r"
const [seed, removals] = process.argv.slice(2).map(Number);
let state = seed;
const random = (n) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state % n;
};
const all = { first: 1, second: 2 };
let moment = 0;
for (let round = 0; round < 6; round++) {
  for (let i = 0; i < 3000; i++) all['k' + round + '-' + i] = i;
  for (let i = 0; i < removals; i++) delete all['k0-' + random(3000)];
  for (let i = 0; i < 20; i++) all['k0-' + random(3000)] = 'again ' + i;
  if (random(2)) all.first += 1;
  moment++;
}
throw new Error('end');
";

#[test]
fn the_first_part_is_that_of_the_whole() {
    let mut n_early = 0;
    for (seed, removals) in [(1, 0), (2, 3), (3, 600)] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("app.js"), PROGRAM).unwrap();
        let arguments = [seed, removals].map(|number| number.to_string());
        let mut request = RecordRequest::of(["node".into(), "app.js".into()].into_iter().chain(arguments).collect());
        request.run_folder = Some(folder.path().join("run"));
        request.output = Output::Nothing;
        record(&request, folder.path()).unwrap();
        let run = folder.path().join("run").display().to_string();
        for hit in [2, 6] {
            // Nothing is kept of a run that was just opened.
            let open = || Session::open(&RunChoice(Some(run.clone())), folder.path()).unwrap();
            let [early, whole] = [open(), open()];
            let all = handle_of_all(&early, hit);
            // What is further behind is told by the whole alone, which is then kept.
            let n_all = children(&whole, &all, 2000, 1).n_all.unwrap() as usize;
            for limit in [1, 1000] {
                let first = children(&early, &all, 0, limit);
                n_early += usize::from(first.n_all.is_none());
                let expected = children(&whole, &all, 0, limit);
                assert_eq!(expected.n_all, Some(n_all as u64));
                assert_eq!(shown(&first.items), shown(&expected.items), "seed {seed}, hit {hit}, limit {limit}");
                assert_eq!(first.next.is_some(), n_all > limit);
            }
        }
    }
    assert!(n_early >= 4, "only {n_early} parts came early");
}

fn handle_of_all(session: &Session, hit: u32) -> Handle {
    let from = Where { at: Some(format!("app.js:15#{hit}").parse().unwrap()), ..Where::default() };
    let Answer::Scopes(scopes) = ask(session, QuestionKind::Scopes { frame: None }, from) else { panic!() };
    let all = scopes.iter().flat_map(|scope| children(session, &scope.handle, 0, 100).items);
    all.filter(|child| child.name == "all").find_map(|child| child.handle).unwrap()
}

fn children(session: &Session, of: &Handle, start: u64, limit: usize) -> Page<Child> {
    let kind = QuestionKind::Children { of: of.clone(), page: PageRequest::of_children(start, limit) };
    let Answer::Children(children) = ask(session, kind, Where::default()) else { panic!() };
    children
}

fn ask(session: &Session, kind: QuestionKind, from: Where) -> Answer {
    session.ask(&Question { kind, from }, &Control::default()).unwrap().answer
}

fn shown(children: &[Child]) -> Vec<String> {
    children.iter().map(|child| format!("{}: {}", child.name, child.value.text)).collect()
}
