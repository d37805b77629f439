//! Every event comes back from its words, as itself and as a view, and no words make a reader panic.

use event_encoding::{
    Counts, DecodeError, EventStart, EventView, RecordView, SiteShape, StoredEvent, TailView, ValueView, decode,
    encode, event_start, skip,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use trace_model::*;

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undefined),
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|n| Value::Number(f64::from(n))),
        any::<f64>().prop_filter("NaN is not equal to itself", |n| !n.is_nan()).prop_map(Value::Number),
        Just(Value::Number(-0.0)),
        any::<u32>().prop_map(|id| Value::String(StringId(id))),
        any::<u32>().prop_map(|length| Value::LongString { length }),
        any::<u32>().prop_map(|id| Value::Symbol(SymbolId(id))),
        any::<u32>().prop_map(|id| Value::BigInt(StringId(id))),
        any::<u32>().prop_map(|id| Value::Object(ObjectId(id))),
        (any::<u32>(), object()).prop_map(|(id, prototype)| Value::NewObject { id: ObjectId(id), prototype }),
        Just(Value::Accessor),
        Just(Value::NotCaptured),
    ]
}

fn object() -> impl Strategy<Value = Option<ObjectId>> {
    option::of((1..=u32::MAX).prop_map(ObjectId))
}

fn string_id() -> impl Strategy<Value = Option<StringId>> {
    option::of((1..=u32::MAX).prop_map(StringId))
}

fn tail(shape: SiteShape) -> BoxedStrategy<TailValues> {
    match shape.kind().tail() {
        Tail::None => Just(TailValues::None).boxed(),
        Tail::ParentScope => option::of((1..=u32::MAX).prop_map(FrameId)).prop_map(TailValues::ParentScope).boxed(),
        Tail::Frame => any::<u32>().prop_map(|id| TailValues::Frame(FrameId(id))).boxed(),
        Tail::Object => object().prop_map(TailValues::Object).boxed(),
        Tail::ObjectAndKey => (object(), value()).prop_map(|(o, key)| TailValues::ObjectAndKey(o, key)).boxed(),
        Tail::Keys | Tail::Elements => vec(value(), shape.n_values() as usize).prop_map(TailValues::Values).boxed(),
    }
}

/// Site `s` has the kind `s`, modulo their number, and three values where values follow.
fn shape(site: SiteId) -> Option<SiteShape> {
    let kind = SiteKind::ALL[site.0 as usize % SiteKind::ALL.len()];
    let n_values = if matches!(kind.tail(), Tail::Keys | Tail::Elements) { 3 } else { 0 };
    Some(SiteShape::new(kind, n_values))
}

fn record() -> impl Strategy<Value = Record> {
    let text = prop_oneof![
        "[ -~é]{0,9}".prop_map(String::from),
        vec(any::<u16>(), 0..9).prop_map(|units| string_from_utf16(&units)),
    ];
    prop_oneof![
        text.prop_map(|text| Record::String(StringId(0), text)),
        string_id().prop_map(|description| Record::Symbol(SymbolId(0), description)),
        (any::<u32>(), 0..16usize, object(), string_id(), any::<(u32, bool)>(), vec((value(), value()), 0..4))
            .prop_map(|(id, class, prototype, name, (size, is_cut), entries)| Record::Look {
                object: ObjectId(id),
                class: ObjectClass::ALL[class],
                prototype,
                name,
                size,
                is_cut,
                entries,
            }),
        (any::<u32>(), 0..17usize, vec(value(), 0..4)).prop_map(|(id, op, values)| Record::Effect {
            object: ObjectId(id),
            op: BuiltinOp::ALL[op],
            values,
        }),
        (0..1u32 << 20, any::<u32>(), string_id()).prop_map(|(fd, bytes, text)| Record::Output { fd, bytes, text }),
        (any::<bool>(), value()).prop_map(|(rejection, value)| Record::Uncaught { rejection, value }),
        (0..3usize, any::<u32>(), any::<u64>(), any::<u32>(), value()).prop_map(
            |(step, channel, from, length, value)| {
                Record::Message { step: MessageStep::ALL[step], channel, from, length, value }
            }
        ),
        (0..1u32 << 20).prop_map(|code| Record::ThreadEnd { code }),
        any::<u64>().prop_map(|micros| Record::Time { micros }),
        (0..3u32).prop_map(|reason| Record::Gap { reason }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let site_event = (1..1u32 << 28).prop_flat_map(|site| {
        let tail = tail(shape(SiteId(site)).unwrap());
        (Just(SiteId(site)), option::of(value()), tail)
    });
    prop_oneof![
        site_event.prop_map(|(site, value, tail)| Event::Site { site, value, tail }),
        record().prop_map(Event::Record),
    ]
}

/// Gives strings and symbols the numbers that a reader counts.
fn numbered(events: Vec<Event>) -> Vec<Event> {
    let mut counts = Counts::default();
    let number = |mut event| {
        counts.add(&event, &mut shape);
        match &mut event {
            Event::Record(Record::String(id, _)) => *id = StringId(counts.strings),
            Event::Record(Record::Symbol(id, _)) => *id = SymbolId(counts.symbols),
            _ => {}
        }
        event
    };
    events.into_iter().map(number).collect()
}

fn decode_all(words: &[u32]) -> (Vec<Event>, Counts, Result<(), DecodeError>) {
    let (mut events, mut counts, mut at) = (Vec::new(), Counts::default(), 0);
    loop {
        match decode(&words[at..], &mut counts, &mut shape) {
            Ok(Some((event, length))) => {
                events.push(event);
                at += length;
            }
            Ok(None) => return (events, counts, Ok(())),
            Err(error) => return (events, counts, Err(error)),
        }
    }
}

proptest! {
    #[test]
    fn events_come_back(events in vec(event(), 0..20).prop_map(numbered)) {
        let mut words = Vec::new();
        events.iter().for_each(|event| encode(event, &mut words));
        words.extend([0; 3]);
        let (read, counts, end) = decode_all(&words);
        prop_assert_eq!(end, Ok(()));
        prop_assert_eq!(&read, &events);
        let mut added = Counts::default();
        events.iter().for_each(|event| added.add(event, &mut shape));
        prop_assert_eq!(counts, added);
    }

    #[test]
    fn a_cut_gives_whole_events(events in vec(event(), 1..8).prop_map(numbered), cut: prop::sample::Index) {
        let mut words = Vec::new();
        events.iter().for_each(|event| encode(event, &mut words));
        let (read, _, _) = decode_all(&words[..cut.index(words.len())]);
        prop_assert_eq!(&read[..], &events[..read.len()]);
    }

    #[test]
    fn skipping_agrees_with_decoding_on_any_words(words in vec(prop_oneof![any::<u32>(), 0..32u32], 0..60)) {
        let (mut decoded, mut skipped) = (Counts::default(), Counts::default());
        let length = decode(&words, &mut decoded, &mut shape).map(|event| event.map(|(_, length)| length));
        let skipped_length = skip(&words, &mut skipped, &mut shape);
        // Skipping does not look at classes and operations.
        if !matches!(length, Err(DecodeError::UnknownDetail(_))) {
            prop_assert_eq!(skipped_length, length);
        }
        if length.is_ok() {
            prop_assert_eq!(skipped, decoded);
        }
    }

    #[test]
    fn views_show_what_decoding_gives(events in vec(event(), 0..20).prop_map(numbered)) {
        let mut words = Vec::new();
        events.iter().for_each(|event| encode(event, &mut words));
        let mut left = &words[..];
        for event in &events {
            let stored = stored(left).unwrap();
            left = &left[stored.n_words()..];
            check_view(event, stored)?;
        }
        prop_assert_eq!(event_start(left), None);
    }

    #[test]
    fn any_words_are_an_event_or_an_error(words in vec(prop_oneof![any::<u32>(), 0..32u32], 1..60)) {
        if let Ok(stored) = stored(&words) {
            let length = skip(&words, &mut Counts::default(), &mut shape);
            prop_assert_eq!(length, Ok(Some(stored.n_words())));
        }
    }
}

fn stored(words: &[u32]) -> Result<StoredEvent<'_>, DecodeError> {
    match event_start(words) {
        Some(EventStart::Site(site)) => {
            StoredEvent::of_site(words, usize::MAX, shape(site).unwrap()).map(|stored| stored.unwrap())
        }
        Some(EventStart::Record) => StoredEvent::of_record(words).map(|(stored, _)| stored),
        None => Err(DecodeError::Torn),
    }
}

fn check_view(event: &Event, stored: StoredEvent) -> Result<(), TestCaseError> {
    let values = |values: &[Value]| values.iter().map(|value| Some(*value)).collect::<Vec<_>>();
    match event {
        Event::Site { site, value, tail } => {
            let shape = shape(*site).unwrap();
            let Some(EventView::Site { site: own, value: seen, tail: seen_tail }) = stored.view(shape) else {
                return Err(TestCaseError::fail("no view"));
            };
            prop_assert_eq!((own, seen.value()), (*site, *value));
            prop_assert_eq!(seen.object(), value.and_then(Value::object));
            prop_assert_eq!(seen.is_missing(), value.is_none());
            prop_assert_eq!(stored.object().map(|object| ObjectId(object.number)), value.and_then(Value::object));
            if let Some(value) = value {
                prop_assert_eq!(ValueView::of(*value).value(), Some(*value));
            }
            match (tail, seen_tail) {
                (TailValues::None, TailView::None) => {}
                (TailValues::ParentScope(scope), TailView::ParentScope(seen)) => prop_assert_eq!(*scope, seen),
                (TailValues::Frame(frame), TailView::Frame(seen)) => {
                    prop_assert_eq!(*frame, seen);
                    prop_assert_eq!(stored.number(), frame.0);
                }
                (TailValues::Object(object), TailView::Object(seen)) => prop_assert_eq!(*object, seen),
                (TailValues::ObjectAndKey(object, key), TailView::ObjectAndKey(seen, seen_key)) => {
                    prop_assert_eq!((*object, Some(*key)), (seen, seen_key.value()));
                }
                (TailValues::Values(own), TailView::Values(seen)) => {
                    prop_assert_eq!(values(own), seen.map(ValueView::value).collect::<Vec<_>>());
                }
                (own, seen) => return Err(TestCaseError::fail(format!("{own:?} is seen as {seen:?}"))),
            }
        }
        Event::Record(record) => match (record, stored.record().unwrap()) {
            (Record::String(_, text), RecordView::String(seen)) => prop_assert_eq!(text.as_str(), &*seen.text()),
            (
                Record::Effect { object, op, values: own },
                RecordView::Effect { object: seen, op: seen_op, values: all },
            ) => {
                prop_assert_eq!((*object, *op), (seen, seen_op));
                prop_assert_eq!(values(own), all.map(ValueView::value).collect::<Vec<_>>());
            }
            (
                Record::Look { object, class, prototype, entries: own, .. },
                RecordView::Look { object: seen, prototype: up, is_error, entries },
            ) => {
                prop_assert_eq!((*object, *prototype, *class == ObjectClass::Error), (seen, up, is_error));
                let own: Vec<Value> = own.iter().flat_map(|(key, value)| [*key, *value]).collect();
                prop_assert_eq!(values(&own), entries.map(ValueView::value).collect::<Vec<_>>());
            }
            (Record::Uncaught { value, .. }, RecordView::Uncaught(seen)) => prop_assert_eq!(Some(*value), seen.value()),
            (
                Record::Message { step, channel, value, .. },
                RecordView::Message { step: seen, channel: own, value: seen_value },
            ) => {
                prop_assert_eq!((*step, *channel, Some(*value)), (seen, own, seen_value.value()));
            }
            (Record::Symbol(..), RecordView::Symbol) | (Record::Output { .. }, RecordView::Output) => {}
            (Record::ThreadEnd { .. } | Record::Time { .. } | Record::Gap { .. }, RecordView::Other) => {}
            (own, seen) => return Err(TestCaseError::fail(format!("{own:?} is seen as {seen:?}"))),
        },
    }
    Ok(())
}
