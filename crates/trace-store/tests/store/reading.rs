//! A run is read whole where it is whole, and as far as it goes where it is not.

use std::fs;

use crate::common::{MadeRun, SOURCE, at, words};
use crate::language::languages;
use trace_format::{Mapping, OriginSource, Original, Origins, PartOfChunk, SourceIndex, TraceWriter};
use trace_model::*;
use trace_store::Run;

fn made() -> MadeRun {
    MadeRun::new(&[(SiteKind::Var, 0)], &[true])
}

fn numbers(range: std::ops::Range<u32>) -> Vec<Event> {
    range.map(|n| at(1, n.into())).collect()
}

/// The values of the events, their numbers, and the notes.
fn read(made: &MadeRun) -> (Vec<f64>, Vec<u64>, Vec<String>) {
    let run = Run::open(made.path(), &languages()).unwrap();
    let mut events = run.threads()[0].events();
    let mut read = (Vec::new(), Vec::new(), Vec::new());
    for (id, event) in events.by_ref() {
        read.1.push(id.0);
        if let Event::Site { value: Some(Value::Number(n)), .. } = event {
            read.0.push(n);
        }
    }
    read.2 = events.notes().to_vec();
    assert!(!read.2.is_empty() || run.threads()[0].counts().events == read.1.last().map_or(0, |last| last + 1));
    read
}

fn whole(n: u32) -> (Vec<f64>, Vec<u64>, Vec<String>) {
    ((0..n).map(f64::from).collect(), (0..n.into()).collect(), vec![])
}

#[test]
fn segments_then_ring_without_what_was_drained() {
    let made = made();
    made.write_trace(&[numbers(0..3), numbers(3..5)]);
    made.write_ring(&[(1, numbers(3..5)), (2, numbers(5..9)), (3, numbers(9..11))]);
    assert_eq!(read(&made), whole(11));
}

#[test]
fn a_chunk_that_was_drained_in_part_is_taken_from_the_ring() {
    let made = made();
    let mut writer = made.write_trace(&[numbers(0..3)]);
    let part = PartOfChunk { sequence: 1, part: 0, is_last: false };
    let before = writer.counts();
    writer.append_part(part, &words(&numbers(3..5)), before, None).unwrap();
    // Without the ring, the part is what there is.
    assert_eq!(read(&made), whole(5));
    made.write_ring(&[(1, numbers(3..7)), (2, numbers(7..9))]);
    assert_eq!(read(&made), whole(9));
    // Who goes on writing the file writes the chunk anew.
    let mut writer = TraceWriter::reopen(&made.trace_path(), &mut made.shapes()).unwrap();
    assert_eq!(writer.last_sequence(), Some(0));
    writer.append(1, &words(&numbers(3..7)), &mut made.shapes()).unwrap();
    assert_eq!(read(&made), whole(9));
}

#[test]
fn only_a_ring() {
    let made = made();
    made.write_ring(&[(0, numbers(0..5)), (1, numbers(5..6))]);
    assert_eq!(read(&made), whole(6));
}

#[test]
fn a_file_cut_anywhere_gives_what_is_in_front() {
    let made = made();
    made.write_trace(&[numbers(0..3), numbers(3..5)]);
    let bytes = fs::read(made.trace_path()).unwrap();
    for cut in 32..bytes.len() {
        fs::write(made.trace_path(), &bytes[..cut]).unwrap();
        let (values, _, notes) = read(&made);
        assert!(values.len() == 3 || values.is_empty(), "{cut}: {values:?}");
        let is_between = values.len() == 3 && notes.is_empty() || cut == 32;
        assert!(is_between || notes[0].contains("ends inside a segment"), "{cut}: {notes:?}");
    }
}

#[test]
fn a_damaged_segment_costs_its_own_events() {
    let made = made();
    made.write_trace(&[numbers(0..3), numbers(3..5), numbers(5..7)]);
    made.write_ring(&[(3, numbers(7..9))]);
    let mut bytes = fs::read(made.trace_path()).unwrap();
    let second = bytes.windows(4).enumerate().filter(|(_, four)| four == b"SEG3").nth(1).unwrap().0;
    bytes[second + 49] ^= 1;
    fs::write(made.trace_path(), &bytes).unwrap();
    let (values, ids, notes) = read(&made);
    assert_eq!(values, [0., 1., 2., 5., 6., 7., 8.]);
    assert_eq!(ids, [0, 1, 2, 5, 6, 7, 8]);
    assert_eq!(notes[0], format!("4711-0.trace is damaged: segment 1 at byte {second} cannot be read"));
    assert_eq!(notes[1], "4711-0: events 3 to 4 are missing");
}

#[test]
fn strings_stay_when_segments_are_dropped() {
    let made = made();
    let string = |text: &str| Event::Record(Record::String(StringId(0), text.into()));
    let mut writer = made.write_trace(&[vec![string("a"), string("b")], numbers(0..2), vec![string("c")]]);
    writer.drop_oldest(0, &mut made.shapes()).unwrap();
    let run = Run::open(made.path(), &languages()).unwrap();
    let thread = &run.threads()[0];
    let ids: Vec<_> = thread.events().map(|(id, _)| id.0).collect();
    assert_eq!(ids, [4]);
    let strings: Vec<_> = (0..5).map(|id| thread.string(StringId(id))).collect();
    let strings: Vec<_> = strings.iter().map(|text| text.as_deref()).collect();
    assert_eq!(strings, [None, Some("a"), Some("b"), Some("c"), None]);
}

#[test]
fn reading_starts_anywhere() {
    let made = made();
    made.write_trace(&[numbers(0..3), numbers(3..5)]);
    made.write_ring(&[(2, numbers(5..9))]);
    let run = Run::open(made.path(), &languages()).unwrap();
    for first in 0..11 {
        let ids: Vec<_> = run.threads()[0].events_from(EventId(first)).map(|(id, _)| id.0).collect();
        assert_eq!(ids, (first..9).collect::<Vec<_>>());
    }
}

#[test]
fn sites_have_their_place_in_the_source() {
    let made = made();
    made.write_ring(&[(0, numbers(0..1))]);
    let run = Run::open(made.path(), &languages()).unwrap();
    let site = run.threads()[0].site(SiteId(1)).unwrap();
    assert_eq!((site.path(), site.text()), ("/p/app.js", Some("second")));
    assert_eq!(site.position(), Some(Position { line: 2, column: 1 }));
    assert!(run.threads()[0].site(SiteId(2)).is_none());
}

#[test]
fn compiled_code_has_the_place_of_what_it_was_compiled_from() {
    let made = made();
    made.write_ring(&[(0, numbers(0..1))]);
    let at = |line, column| Position { line, column };
    let original = Original { source: SourceIndex(0), position: at(40, 3) };
    made.write_origins(&Origins {
        sources: vec![OriginSource { path: "/p/src/app.ts".into(), content: Some("the text".into()) }],
        mappings: vec![Mapping { compiled: at(2, 1), original: Some(original) }],
    });
    let run = Run::open(made.path(), &languages()).unwrap();
    let site = run.threads()[0].site(SiteId(1)).unwrap();
    assert_eq!((site.path(), site.position()), ("/p/src/app.ts", Some(at(40, 3))));
    assert_eq!(site.place().unwrap().source, Some("the text"));

    made.write_origins(&Origins { sources: vec![], mappings: vec![Mapping { compiled: at(2, 1), original: None }] });
    let run = Run::open(made.path(), &languages()).unwrap();
    let place = run.threads()[0].site(SiteId(1)).unwrap().place().unwrap();
    assert_eq!((place.path, place.position, place.source), ("/p/app.js", at(2, 1), Some(SOURCE)));
}

#[test]
fn missing_code_is_said() {
    let made = made();
    made.write_ring(&[(0, numbers(0..1))]);
    fs::remove_file(made.path().join("4711.code")).unwrap();
    let (values, _, notes) = read(&made);
    assert!(values.is_empty());
    assert_eq!(
        notes,
        ["4711-0: cannot be read from event 0 on: an event has site 1, which no code of this process has"]
    );
    // By itself it says nothing: a process may have loaded no code of the program's.
    assert_eq!(Run::open(made.path(), &languages()).unwrap().notes(), [""; 0]);
}

#[test]
fn a_damaged_ring_does_not_hide_the_trace() {
    let made = made();
    made.write_trace(&[numbers(0..3)]);
    fs::write(made.path().join("4711-0.ring"), "garbage").unwrap();
    let (values, _, notes) = read(&made);
    assert_eq!(values, [0., 1., 2.]);
    assert_eq!(notes, ["4711-0.ring is not a ring file"]);
}

#[test]
fn a_folder_that_is_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let error = Run::open(folder.path(), &languages()).unwrap_err().to_string();
    assert_eq!(error, format!("{} is not a run: it has no run.txt", folder.path().display()));
}
