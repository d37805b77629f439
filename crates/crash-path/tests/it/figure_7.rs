//! The program of the paper's Figure 7, crash by crash.

use crash_path::{Callee, FunctionRef, Grown, Label, Outcome, Path, SiteRef, SiteWithin, grow, outcome};
use trace_model::{FunctionKey, SiteKind};

fn function(name: char) -> FunctionRef {
    FunctionRef { file: "figure7.js".into(), key: FunctionKey(u64::from(u32::from(name))), line: 1, column: 1 }
}

fn site(name: char, nth: u32) -> SiteRef {
    let within = Some(SiteWithin { kind: SiteKind::Call, nth });
    SiteRef { function: function(name), within, line: 1, column: 1 }
}

fn call(from: char, nth: u32, callee: char) -> Label {
    Label::Call { site: site(from, nth), callee: Callee::Program(function(callee)) }
}

fn back(from: char, nth: u32) -> Label {
    Label::Return { site: site(from, nth) }
}

fn enter(name: char) -> Label {
    Label::Enter { function: function(name), caller: None }
}

fn exit(name: char) -> Label {
    Label::Exit { function: function(name), caller: None }
}

fn names(grown: &Grown) -> String {
    grown.functions().map(|function| char::from_u32(function.key.0 as u32).unwrap_or('?')).collect()
}

fn crashed(labels: Vec<Label>, wanted: &[char]) -> Path {
    let stack = ['m', 'k', 'g', 'f'].map(|name| site(name, 0)).to_vec();
    let wanted = wanted.iter().map(|name| function(*name)).collect();
    let labels = labels.into_iter().chain([Label::Crash { site: site('m', 0) }]).collect();
    Path { labels, exception: "TypeError".into(), stack, wanted, ..Path::default() }
}

#[test]
fn the_stack_and_the_writers_of_x_lead_to_the_birth_and_h_is_never_recorded() {
    // The first crash: nothing is recorded.
    let grown = grow(&Grown::default(), &crashed(vec![], &[]));
    assert_eq!(names(&grown), "fgkm");

    // The second: x came from j, which writes it; h and l were called as well.
    let before = vec![
        enter('f'),
        call('f', 0, 'g'),
        enter('g'),
        call('g', 0, 'h'),
        back('g', 0),
        call('g', 1, 'j'),
        back('g', 1),
        call('g', 2, 'k'),
        enter('k'),
        call('k', 0, 'l'),
        back('k', 0),
        call('k', 1, 'm'),
        enter('m'),
    ];
    let second = crashed(before, &['j']);
    assert_eq!(outcome(&grown, &second), Outcome::Growing);
    let grown = grow(&grown, &second);
    assert_eq!(names(&grown), "fgjkm");

    // The third: the birth is known, and l is a hole.
    let born = vec![
        Label::Start { site: site('j', 0) },
        exit('j'),
        back('g', 1),
        call('g', 2, 'k'),
        enter('k'),
        call('k', 0, 'l'),
        back('k', 0),
        call('k', 1, 'm'),
        enter('m'),
    ];
    let third = crashed(born.clone(), &[]);
    assert_eq!(outcome(&grown, &third), Outcome::Growing);
    let grown = grow(&grown, &third);
    assert_eq!(names(&grown), "fgjklm");

    // The fourth completes the path.
    let mut whole = born;
    whole.splice(6..6, [enter('l'), exit('l')]);
    let fourth = crashed(whole, &[]);
    assert_eq!(outcome(&grown, &fourth), Outcome::Complete);
    // f has no label behind the birth.
    assert_eq!(names(&grow(&grown, &fourth)), "gjklm");
}
