//! Every event and every site table comes back from its bytes, and no input makes a reader panic.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use trace_format::{
    Counts, DecodeError, SiteShape, decode, encode, read_site_table, skip, string_from_utf16, write_site_table,
};
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
    match shape.kind.tail() {
        Tail::None => Just(TailValues::None).boxed(),
        Tail::ParentScope => option::of((1..=u32::MAX).prop_map(FrameId)).prop_map(TailValues::ParentScope).boxed(),
        Tail::Frame => any::<u32>().prop_map(|id| TailValues::Frame(FrameId(id))).boxed(),
        Tail::Object => object().prop_map(TailValues::Object).boxed(),
        Tail::ObjectAndKey => (object(), value()).prop_map(|(o, key)| TailValues::ObjectAndKey(o, key)).boxed(),
        Tail::Keys | Tail::Elements => vec(value(), shape.n_values as usize).prop_map(TailValues::Values).boxed(),
    }
}

/// Site `s` has the kind `s`, modulo their number, and three values where values follow.
fn shape(site: SiteId) -> Option<SiteShape> {
    let kind = SiteKind::ALL[site.0 as usize % SiteKind::ALL.len()];
    let n_values = if matches!(kind.tail(), Tail::Keys | Tail::Elements) { 3 } else { 0 };
    Some(SiteShape { kind, n_values })
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
    fn site_tables_come_back(table in site_table()) {
        prop_assert_eq!(read_site_table(&write_site_table(&table), "x.sites").unwrap(), table);
    }

    #[test]
    fn a_damaged_site_table_is_an_error_or_another_table(table in site_table(), at: prop::sample::Index, xor: u8) {
        let mut bytes = write_site_table(&table);
        let at = at.index(bytes.len());
        bytes[at] ^= xor;
        let _ = read_site_table(&bytes, "x.sites");
        prop_assert!(read_site_table(&bytes[..at], "x.sites").is_err());
    }
}

fn span() -> impl Strategy<Value = Span> {
    prop_oneof![(any::<u32>(), any::<u32>()), (0..1000u32, 0..1000u32)].prop_map(|(start, end)| Span { start, end })
}

const N_VARIABLES: usize = 3;

fn site_table() -> impl Strategy<Value = SiteTable> {
    (1..5usize, 1..5usize).prop_flat_map(|(n_names, n_functions)| {
        let name = (0..n_names as u32).prop_map(NameIndex);
        let function_index = (0..n_functions as u32).prop_map(FunctionIndex);
        let kinds = prop::sample::select(vec![
            FunctionKind::Module,
            FunctionKind::Plain,
            FunctionKind::Arrow,
            FunctionKind::Method,
            FunctionKind::Getter,
            FunctionKind::Setter,
            FunctionKind::Constructor,
            FunctionKind::ClassInit,
        ]);
        let function = (kinds, name.clone(), span(), option::of(function_index.clone()), any::<[bool; 4]>()).prop_map(
            |(kind, name, span, parent, [is_async, is_generator, exact_exit, recorded])| Function {
                kind,
                name,
                span,
                parent,
                is_async,
                is_generator,
                exact_exit,
                recorded,
            },
        );
        let owner = prop_oneof![Just(Owner::Global), function_index.clone().prop_map(Owner::Function)];
        let variable_kind = prop::sample::select(vec![VariableKind::Var, VariableKind::Catch, VariableKind::Import]);
        let variable = (name.clone(), owner, variable_kind, span()).prop_map(|(name, owner, kind, span)| Variable {
            name,
            owner,
            kind,
            span,
        });
        let variable_index = option::of((0..N_VARIABLES as u32).prop_map(VariableIndex));
        let names_and_extra = (vec(name.clone(), 0..4), any::<u32>());
        let site = (0..SiteKind::ALL.len(), span(), function_index, names_and_extra, variable_index).prop_map(
            |(kind, span, function, (names, extra), variable)| Site {
                kind: SiteKind::ALL[kind],
                span,
                function,
                names,
                extra,
                variable,
            },
        );
        let names_and_variables = (vec(".*", n_names), vec(variable, N_VARIABLES));
        let made = option::of((0..u32::MAX, ".*").prop_map(|(version, dialect)| Making { version, dialect }));
        (names_and_variables, vec(function, n_functions), vec(site, 0..8), vec((span(), name), 0..3), made).prop_map(
            |((names, variables), functions, sites, not_captured, made)| SiteTable {
                functions,
                sites,
                names,
                variables,
                not_captured,
                made,
            },
        )
    })
}
