//! Every question that an index helps with, against a look at all events.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::{MadeRun, PID, words};
use crate::language::languages;
use crate::oracle::Oracle;
use crate::program::{BASE, Choice, N_FUNCTIONS, Role, events, owners, site, table};
use trace_format::{
    Counts, DecodeError, Packer, PartReader, Shapes, SiteShape, TraceInfo, TraceWriter, index_segments, read_outline,
};
use trace_model::*;
use trace_store::{
    BlockOutliner, Briefs, FrameInfo, OutlineSites, PropertyKey, Run, SiteBrief, Step, Target, Thread, TraceFiller,
    VariablePlace, Walked, briefs_of,
};

/// What became of the index.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Whole,
    Missing,
    /// Cut, in thousandths of its length.
    Cut(u32),
    EntryDamaged(u32),
    DetailsDamaged(u32),
    AllDetailsDamaged,
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        Just(Fate::Whole),
        Just(Fate::Missing),
        (0..1000u32).prop_map(Fate::Cut),
        (0..1000u32).prop_map(Fate::EntryDamaged),
        (0..1000u32).prop_map(Fate::DetailsDamaged),
        Just(Fate::AllDetailsDamaged),
    ]
}

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    vec((any::<u8>(), any::<u32>(), any::<u32>()), 1..220)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_answer_is_that_of_all_events(
        choices in choices(),
        n_chunks in 1..8usize,
        n_in_ring in 0..2usize,
        segment_words in 4..60usize,
        fate in fate(),
    ) {
        let events = events(&choices);
        let made = MadeRun::with_table(tempfile::tempdir().unwrap(), table());
        let chunks: Vec<_> = events.chunks(events.len().div_ceil(n_chunks)).collect();
        let (drained, left) = chunks.split_at(chunks.len().saturating_sub(n_in_ring));
        if !drained.is_empty() {
            let mut filler = filler(&made, segment_words);
            fill(&mut filler, drained);
            suffer(&made.trace_path(), fate);
        }
        // The ring of the test is small.
        if left.iter().all(|events| words(events).len() < 60) {
            let numbered = left.iter().enumerate().map(|(at, events)| ((drained.len() + at) as u64, events.to_vec()));
            made.write_ring(&numbered.collect::<Vec<_>>());
            check(&made, &events, 0);
        } else if !drained.is_empty() {
            check(&made, &drained.concat(), 0);
            // And when what was missing of the index has been written.
            let run = Run::open(made.path(), &languages()).unwrap();
            run.write_index(&|_, _| {}).unwrap();
            let run = Run::open(made.path(), &languages()).unwrap();
            prop_assert_eq!(run.not_indexed(), 0);
            check(&made, &drained.concat(), 0);
            // One with all its facts may be damaged as well.
            suffer(&made.trace_path(), fate);
            check(&made, &drained.concat(), 0);
        }
    }

    #[test]
    fn what_is_kept_is_answered_when_the_oldest_was_dropped(
        choices in choices(),
        n_chunks in 2..8usize,
        segment_words in 4..60usize,
        kept in 0..2000u64,
    ) {
        let events = events(&choices);
        let made = MadeRun::with_table(tempfile::tempdir().unwrap(), table());
        let mut filler = filler(&made, segment_words);
        let chunks: Vec<_> = events.chunks(events.len().div_ceil(n_chunks)).collect();
        let (first, rest) = chunks.split_at(chunks.len() / 2);
        fill(&mut filler, first);
        filler.drop_oldest(kept, &mut Sites::new()).unwrap();
        for (at, chunk) in rest.iter().enumerate() {
            filler.append((first.len() + at) as u32, &words(chunk), &mut Sites::new()).unwrap();
        }
        filler.drop_oldest(kept, &mut Sites::new()).unwrap();
        let run = Run::open(made.path(), &languages()).unwrap();
        let first_kept = run.threads()[0].first_event();
        check(&made, &events, first_kept.0 as usize);

        fs::remove_file(made.trace_path().with_extension("index")).unwrap();
        let run = Run::open(made.path(), &languages()).unwrap();
        let ids: Vec<_> = run.threads()[0].steps_from(EventId(0)).map(|step| step.id.0).collect();
        prop_assert_eq!(ids, (first_kept.0..events.len() as u64).collect::<Vec<_>>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn blocks_that_were_followed_alone_fit_together(
        choices in choices(),
        n_chunks in 1..8usize,
        segment_words in 4..60usize,
    ) {
        let events = events(&choices);
        let chunks: Vec<_> = events.chunks(events.len().div_ceil(n_chunks)).collect();
        let details = |is_outlined: bool| {
            let made = MadeRun::with_table(tempfile::tempdir().unwrap(), table());
            pack(&made, segment_words, &chunks, is_outlined);
            let bytes = fs::read(made.trace_path()).unwrap();
            let (segments, _) = index_segments(&bytes, "t");
            for segment in &segments {
                assert!(!is_outlined || segment.n_words == 0 || read_outline(&bytes, segment).is_some() || !segment.has_outline());
            }
            if is_outlined {
                check(&made, &events, 0);
            }
            Run::open(made.path(), &languages()).unwrap().write_index(&|_, _| {}).unwrap();
            fs::read(made.trace_path().with_extension("details")).unwrap()
        };
        prop_assert!(details(true) == details(false));
    }
}

/// Packs as the recorder does.
fn pack(made: &MadeRun, segment_words: usize, chunks: &[&[Event]], is_outlined: bool) {
    let mut sites = OutlineSites::default();
    sites.add(BASE, &table());
    let mut alone = Alone { sites, outliner: BlockOutliner::default(), is_outlined };
    let info = TraceInfo { pid: PID, thread: 0, start: 5 };
    let mut writer = TraceWriter::create(&made.trace_path(), info).unwrap();
    for (sequence, chunk) in chunks.iter().enumerate() {
        let packed = Packer::new().unwrap().pack(sequence as u32, &words(chunk), segment_words, &mut alone);
        writer.append_packed(&packed.unwrap()).unwrap();
    }
}

struct Alone {
    sites: OutlineSites,
    outliner: BlockOutliner,
    is_outlined: bool,
}

impl PartReader for Alone {
    fn pass(
        &mut self,
        words: &[u32],
        room: usize,
        counts: &mut Counts,
        outline: &mut Vec<u32>,
    ) -> Result<usize, DecodeError> {
        let (mut at, mut own) = (0, Counts::default());
        let passed = self.outliner.pass(&self.sites, words, room, &mut at, &mut own);
        self.outliner.finish(&mut own, outline);
        if !self.is_outlined {
            outline.clear();
        }
        *counts = counts.and(own);
        passed.map(|()| at)
    }
}

struct Sites {
    briefs: Vec<SiteBrief>,
}

impl Sites {
    fn new() -> Sites {
        Sites { briefs: briefs_of(&table()) }
    }
}

impl Briefs for Sites {
    fn brief(&mut self, site: SiteId) -> Option<(SiteId, &SiteBrief)> {
        self.briefs.get((site.0 - BASE.0) as usize).map(|brief| (BASE, brief))
    }
}

impl Shapes for Sites {
    fn shape(&mut self, site: SiteId) -> Option<SiteShape> {
        self.brief(site).map(|(_, brief)| brief.shape)
    }
}

fn filler(made: &MadeRun, segment_words: usize) -> TraceFiller {
    TraceFiller::create_with(&made.trace_path(), TraceInfo { pid: PID, thread: 0, start: 5 }, segment_words).unwrap()
}

fn fill(filler: &mut TraceFiller, chunks: &[&[Event]]) {
    for (sequence, chunk) in chunks.iter().enumerate() {
        filler.append(sequence as u32, &words(chunk), &mut Sites::new()).unwrap();
    }
}

fn suffer(trace: &Path, fate: Fate) {
    let (index, details) = (trace.with_extension("index"), trace.with_extension("details"));
    let change = |path: &Path, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    let at = |bytes: &[u8], thousandths: u32| bytes.len() * thousandths as usize / 1000;
    match fate {
        Fate::Whole => {}
        Fate::Missing => fs::remove_file(index).unwrap(),
        Fate::Cut(to) => change(&index, &|bytes| bytes.truncate(at(bytes, to))),
        Fate::EntryDamaged(place) => change(&index, &|bytes| {
            let at = at(bytes, place);
            bytes[at] ^= 0x40;
        }),
        Fate::DetailsDamaged(place) => change(&details, &|bytes| {
            let at = at(bytes, place);
            bytes[at] ^= 1;
        }),
        Fate::AllDetailsDamaged => change(&details, &|bytes| bytes[24..].fill(0x11)),
    }
}

/// Asks everything of the events from `first_kept` on.
fn check(made: &MadeRun, events: &[Event], first_kept: usize) {
    let run = Run::open(made.path(), &languages()).unwrap();
    let thread = &run.threads()[0];
    let oracle = Oracle::new(events, thread);
    assert_eq!(thread.end(), EventId(events.len() as u64));
    let steps: Vec<Step> = thread.steps_from(EventId(0)).collect();
    for (found, expected) in steps.iter().zip(&oracle.steps[first_kept..]) {
        assert_eq!(found, expected);
    }
    assert_eq!(steps.len(), events.len() - first_kept);
    let mut backwards: Vec<Step> = thread.steps_before(EventId(u64::MAX)).collect();
    backwards.reverse();
    assert!(backwards == steps);
    for at in first_kept..events.len() {
        let id = EventId(at as u64);
        assert_eq!(thread.stack(id), oracle.stacks[at], "at {at}");
        if at.is_multiple_of(7) {
            assert_eq!(thread.step(id).as_ref(), Some(&oracle.steps[at]));
            assert_eq!(thread.steps_from(id).next().as_ref(), Some(&oracle.steps[at]));
        }
    }
    for (id, text) in &oracle.strings {
        assert_eq!(thread.string(*id).as_deref(), Some(text.as_str()));
    }
    check_frames(thread, &oracle, first_kept);
    check_targets(thread, &oracle, first_kept);
    check_scan(thread, &oracle, first_kept);
    check_newest(thread, &oracle, first_kept);
}

fn check_frames(thread: &Thread, oracle: &Oracle, first_kept: usize) {
    let n_events = oracle.steps.len();
    for (id, instance) in &oracle.instances {
        if instance.entered.0 < first_kept as u64 {
            assert_eq!(thread.frame(*id), None);
            continue;
        }
        let found = thread.frame(*id);
        let is_block = instance.frame != Some(*id);
        let Some(frame) = instance.frame else {
            assert_eq!(found, None);
            continue;
        };
        // A block ends with its frame, of which nothing is known if that was dropped.
        let around = &oracle.instances[&frame];
        let around = (around.entered.0 >= first_kept as u64 || !is_block).then_some(around);
        let local = instance.site.0 - BASE.0;
        let expected = FrameInfo {
            id: *id,
            is_block,
            frame,
            unit: BASE,
            function: FunctionIndex(local / crate::program::ROLES.len() as u32),
            site: is_block.then_some(LocalSite(local)),
            entered: instance.entered,
            left: around.and_then(|frame| frame.left),
            scope: instance.scope,
            caller: around.and_then(|frame| frame.caller),
            depth: instance.depth as u32,
        };
        assert_eq!(found, Some(expected));
        if is_block {
            continue;
        }
        for (n, owner) in owners().into_iter().enumerate() {
            let at = EventId((instance.entered.0 + 1 + n as u64 * 5).min(n_events as u64));
            let expected = oracle.owner(*id, at, owner);
            assert_eq!(thread.owner(*id, at, BASE, owner), expected, "{owner:?} from {id:?} at {at:?}");
        }
    }
}

fn check_targets(thread: &Thread, oracle: &Oracle, first_kept: usize) {
    let frames: Vec<FrameId> = oracle.instances.keys().copied().collect();
    let keys: Vec<PropertyKey> =
        ["a", "b", "1", "1.5", "length", "é", "x"].map(|name| PropertyKey::Name(name.into())).into();
    let symbol = PropertyKey::Symbol(SymbolId(1));
    let sites: Vec<SiteId> = (0..N_FUNCTIONS * 28).map(|local| SiteId(BASE.0 + local)).collect();
    let enters = [(BASE, FunctionIndex(1)), (BASE, FunctionIndex(3))];
    let writes = [site(0, Role::OwnVariable), site(1, Role::PutA), site(2, Role::Branch)];
    let mut targets = vec![
        Target::Output,
        Target::Uncaught,
        Target::Errors,
        Target::Message,
        Target::Enter(None),
        Target::Enter(Some(&enters)),
        Target::Sites(&writes),
    ];
    targets.extend(sites.iter().map(|site| Target::Sites(std::slice::from_ref(site))));
    for frame in &frames {
        targets.extend([Target::InFrame(*frame), Target::CalledBy(*frame), Target::SitesInFrame(*frame, &writes)]);
    }
    for (variable, owner) in owners().iter().enumerate() {
        let place =
            |owner| Target::Variable(VariablePlace { unit: BASE, variable: VariableIndex(variable as u32), owner });
        match owner {
            Owner::Global => targets.push(place(None)),
            _ => targets.extend(frames.iter().map(|frame| place(Some(*frame)))),
        }
    }
    for object in (1..12).chain([40]).map(ObjectId) {
        targets.extend([Target::Object(object), Target::Mentions(object), Target::Property(object, &symbol)]);
        targets.extend([Target::Removals(object), Target::Numerals(object)]);
        targets.extend(keys.iter().map(|key| Target::Property(object, key)));
        let birth = oracle.steps[first_kept..].iter().find(|step| oracle.is_birth(&step.event, object));
        assert_eq!(thread.birth(object).as_ref(), birth);
    }
    let several = [vec![ObjectId(2), ObjectId(5), ObjectId(40)], vec![ObjectId(9)], Vec::new()];
    targets.extend(several.iter().map(|objects| Target::Objects(objects)));
    for target in &targets {
        check_target(thread, oracle, target, first_kept);
    }
}

fn check_target(thread: &Thread, oracle: &Oracle, target: &Target, first_kept: usize) {
    let n = oracle.steps.len();
    let all: Vec<usize> = (first_kept..n).filter(|at| oracle.matches(target, *at)).collect();
    for at in [first_kept, first_kept + 1, (first_kept + n) / 2, n.saturating_sub(3), n] {
        let id = EventId(at as u64);
        let last = all.iter().rev().find(|found| **found < at).map(|found| EventId(*found as u64));
        assert_eq!(thread.last(target, id).map(|step| step.id), last, "last {target:?} before {at}");
        let next = all.iter().find(|found| **found >= at).map(|found| EventId(*found as u64));
        assert_eq!(thread.next(target, id).map(|step| step.id), next, "next {target:?} from {at}");
        let count = all.iter().filter(|found| **found >= at).count() as u64;
        assert_eq!(thread.count(target, id..EventId(n as u64)), count, "count {target:?} from {at}");
        assert_eq!(thread.count(target, EventId(0)..id), all.len() as u64 - count, "count {target:?} before {at}");
    }
    for (nth, at) in [0, all.len() / 2, all.len()].map(|nth| (nth, all.get(nth))) {
        let found = thread.nth(target, nth as u64).map(|step| step.id);
        assert_eq!(found, at.map(|at| EventId(*at as u64)), "nth {nth} {target:?}");
    }
}

fn check_scan(thread: &Thread, oracle: &Oracle, first_kept: usize) {
    let seen = thread.scan(2, Vec::new, |seen, block| {
        let sites = block.headers().map(|(id, site)| (id, site.map(|(site, _)| site)));
        seen.extend(sites);
        assert_eq!(block.events().count(), block.headers().count());
    });
    let mut seen: Vec<_> = seen.concat();
    seen.sort();
    let expected: Vec<_> = oracle.steps[first_kept..].iter().map(|step| (step.id, step.site())).collect();
    assert_eq!(seen, expected);
}

/// What is walked and what is known to be left out are all events together, and what is walked has the newest of each site.
fn check_newest(thread: &Thread, oracle: &Oracle, first_kept: usize) {
    let end = EventId((first_kept + oracle.steps.len()) as u64 / 2 + 1);
    let is_wanted = |site: SiteId| site.0.is_multiple_of(2);
    let newest = thread.newest_blocks(thread.first_event()..end, 2, is_wanted, std::iter::empty());
    let walked = RefCell::new(Vec::new());
    thread.walk_newest(
        &newest,
        |_, _| {},
        |event| match event {
            Walked::Event(event) => walked.borrow_mut().push((event.id, event.site.is_some())),
            Walked::LeftOut => {}
        },
    );
    let walked = walked.into_inner();
    assert!(walked.is_sorted());
    let all = oracle.steps[first_kept..].iter().filter(|step| step.id < end);
    let mut by_site: BTreeMap<SiteId, Vec<EventId>> = BTreeMap::new();
    for step in all {
        if let Some(site) = step.site() {
            by_site.entry(site).or_default().push(step.id);
        }
    }
    for (site, ids) in by_site {
        let (read, left_out): (Vec<EventId>, Vec<EventId>) =
            ids.iter().partition(|id| walked.binary_search(&(**id, true)).is_ok());
        assert_eq!(newest.n_left_out(site), left_out.len() as u64, "{site:?}");
        if is_wanted(site) {
            assert_eq!(read[read.len().saturating_sub(2)..], ids[ids.len().saturating_sub(2)..], "{site:?}");
        }
        let since = newest.since(site);
        assert_eq!(since.is_some(), !left_out.is_empty(), "{site:?}");
        assert!(left_out.iter().all(|id| Some(*id) < since), "{site:?}");
    }
}
