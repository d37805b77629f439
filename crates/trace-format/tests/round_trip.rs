//! Every site table comes back from its bytes, and no bytes make a reader panic.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use trace_format::{read_site_table, write_site_table};
use trace_model::*;

proptest! {
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

#[test]
fn a_literal_names_no_function_that_the_table_does_not_have() {
    let site = |extra| Site {
        kind: SiteKind::FunctionBirth,
        span: Span { start: 0, end: 1 },
        function: FunctionIndex(0),
        names: Vec::new(),
        extra,
        variable: None,
    };
    let top_level = Function {
        kind: FunctionKind::Module,
        name: NameIndex(0),
        span: Span { start: 0, end: 1 },
        parent: None,
        is_async: false,
        is_generator: false,
        exact_exit: true,
        recorded: true,
    };
    let table = SiteTable {
        functions: vec![top_level],
        sites: vec![site(1), site(2), site(32)],
        names: vec![String::new()],
        ..SiteTable::default()
    };
    let read = read_site_table(&write_site_table(&table), "x.sites").unwrap();
    let functions: Vec<_> = read.sites.iter().map(Site::literal_function).collect();
    assert_eq!(functions, [Some(FunctionIndex(0)), None, None]);
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
        let literal = prop_oneof![0..=n_functions as u32, Just(Site::READ_AGAIN)];
        let names_and_extra = (vec(name.clone(), 0..4), any::<u32>(), literal);
        let site = (0..SiteKind::ALL.len(), span(), function_index, names_and_extra, variable_index).prop_map(
            |(kind, span, function, (names, n_elements, literal), variable)| {
                let kind = SiteKind::ALL[kind];
                let extra = if kind == SiteKind::ArrayLiteral { n_elements } else { literal };
                Site { kind, span, function, names, extra, variable }
            },
        );
        let names_and_variables = (vec(".*", n_names), vec(variable, N_VARIABLES));
        let made = option::of((0..u32::MAX, ".*").prop_map(|(version, dialect)| Making { version, dialect }));
        (names_and_variables, vec(function, n_functions), vec(site, 0..8), vec((span(), name), 0..3), made).prop_map(
            |((names, variables), mut functions, sites, not_captured, made)| {
                // The functions around a function come before it.
                for (number, function) in (0..).zip(&mut functions) {
                    function.parent = function.parent.filter(|parent| parent.0 < number);
                }
                SiteTable { functions, sites, names, variables, not_captured, made }
            },
        )
    })
}
