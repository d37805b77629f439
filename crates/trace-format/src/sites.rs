//! A site table ↔ bytes. Numbers are varints; spans are written as the distance from the start of the one before and a length,
//! as sites come mostly in source order.

use trace_model::{
    Function, FunctionIndex, FunctionKind, LocalSite, Making, NameIndex, Owner, Site, SiteKind, SiteTable, Span,
    Variable, VariableIndex, VariableKind,
};

use crate::FormatError;
use crate::error::check_version;
use crate::varint::{self, Reader};

pub fn write_site_table(table: &SiteTable) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    varint::put(&mut bytes, crate::VERSION);
    varint::put(&mut bytes, table.made.as_ref().map_or(0, |made| 1 + made.version));
    if let Some(made) = &table.made {
        varint::put_text(&mut bytes, &made.dialect);
    }
    varint::put(&mut bytes, table.names.len() as u32);
    for name in &table.names {
        varint::put_text(&mut bytes, name);
    }
    let mut spans = SpanWriter { before: 0 };
    varint::put(&mut bytes, table.functions.len() as u32);
    for function in &table.functions {
        varint::put(&mut bytes, position(&FUNCTION_KINDS, &function.kind) << 4 | flags(function));
        varint::put(&mut bytes, function.name.0);
        varint::put(&mut bytes, function.parent.map_or(0, |parent| 1 + parent.0));
        spans.put(&mut bytes, function.span);
    }
    varint::put(&mut bytes, table.sites.len() as u32);
    for site in &table.sites {
        bytes.push(site.kind as u8);
        varint::put(&mut bytes, site.function.0);
        spans.put(&mut bytes, site.span);
        varint::put(&mut bytes, site.names.len() as u32);
        for name in &site.names {
            varint::put(&mut bytes, name.0);
        }
        varint::put(&mut bytes, site.extra);
        varint::put(&mut bytes, site.variable.map_or(0, |variable| 1 + variable.0));
    }
    varint::put(&mut bytes, table.variables.len() as u32);
    for variable in &table.variables {
        varint::put(&mut bytes, variable.name.0);
        let (owner, number) = match variable.owner {
            Owner::Global => (0, 0),
            Owner::Function(function) => (1, function.0),
            Owner::Block(site) => (2, site.0),
        };
        varint::put(&mut bytes, position(&VARIABLE_KINDS, &variable.kind) << 2 | owner);
        varint::put(&mut bytes, number);
        spans.put(&mut bytes, variable.span);
    }
    varint::put(&mut bytes, table.not_captured.len() as u32);
    for (span, why) in &table.not_captured {
        spans.put(&mut bytes, *span);
        varint::put(&mut bytes, why.0);
    }
    bytes
}

/// Reads what [`write_site_table`] wrote. Every index in the table is checked, so that looking it up cannot fail later.
pub fn read_site_table(bytes: &[u8], file: &str) -> Result<SiteTable, FormatError> {
    let Some(bytes) = bytes.strip_prefix(MAGIC) else {
        return Err(FormatError::NotOurs { file: file.into(), expected: "site table" });
    };
    let mut reader = Reader { file, bytes };
    check_version(file, reader.number()?)?;
    let mut table = SiteTable::default();
    if let Some(version) = reader.number()?.checked_sub(1) {
        table.made = Some(Making { version, dialect: reader.text()? });
    }
    for _ in 0..reader.length()? {
        table.names.push(reader.text()?);
    }
    let n_names = table.names.len();
    let mut spans = SpanReader { before: 0 };
    let n_functions = reader.length()?;
    for number in 0..n_functions {
        let kind_and_flags = reader.number()?;
        let name = NameIndex(index(&mut reader, n_names)?);
        let parent = reader.number()?.checked_sub(1).map(FunctionIndex);
        // Whoever goes outwards comes to an end.
        if parent.is_some_and(|parent| parent.0 as usize >= number) {
            return Err(reader.damaged("a function comes before the one around it"));
        }
        table.functions.push(Function {
            kind: *FUNCTION_KINDS
                .get(kind_and_flags as usize >> 4)
                .ok_or_else(|| reader.damaged("a function has an unknown kind"))?,
            name,
            span: spans.take(&mut reader)?,
            parent,
            is_async: kind_and_flags & 1 != 0,
            is_generator: kind_and_flags & 2 != 0,
            exact_exit: kind_and_flags & 4 != 0,
            recorded: kind_and_flags & 8 != 0,
        });
    }
    for _ in 0..reader.length()? {
        let kind = reader.number()?;
        table.sites.push(Site {
            kind: *SiteKind::ALL.get(kind as usize).ok_or_else(|| reader.damaged("a site has an unknown kind"))?,
            function: FunctionIndex(index(&mut reader, n_functions)?),
            span: spans.take(&mut reader)?,
            names: (0..reader.length()?)
                .map(|_| index(&mut reader, n_names).map(NameIndex))
                .collect::<Result<_, _>>()?,
            extra: reader.number()?,
            variable: reader.number()?.checked_sub(1).map(VariableIndex),
        });
    }
    for site in &mut table.sites {
        // A literal may name a function that was left out; and who makes a table by hand can name any.
        if site.literal_function().is_some_and(|function| function.0 as usize >= n_functions) {
            site.extra = 0;
        }
    }
    read_variables(&mut reader, &mut spans, &mut table)?;
    for _ in 0..reader.length()? {
        let span = spans.take(&mut reader)?;
        table.not_captured.push((span, NameIndex(index(&mut reader, n_names)?)));
    }
    Ok(table)
}

fn read_variables(reader: &mut Reader, spans: &mut SpanReader, table: &mut SiteTable) -> Result<(), FormatError> {
    for _ in 0..reader.length()? {
        let name = NameIndex(index(reader, table.names.len())?);
        let kind_and_owner = reader.number()?;
        let owner = match kind_and_owner & 3 {
            0 => {
                reader.number()?;
                Owner::Global
            }
            1 => Owner::Function(FunctionIndex(index(reader, table.functions.len())?)),
            _ => Owner::Block(LocalSite(index(reader, table.sites.len())?)),
        };
        let kind = *VARIABLE_KINDS
            .get(kind_and_owner as usize >> 2)
            .ok_or_else(|| reader.damaged("a variable has an unknown kind"))?;
        table.variables.push(Variable { name, owner, kind, span: spans.take(reader)? });
    }
    let n_variables = table.variables.len();
    if table.sites.iter().filter_map(|site| site.variable).any(|variable| variable.0 as usize >= n_variables) {
        return Err(reader.damaged("an index is out of range"));
    }
    Ok(())
}

const MAGIC: &[u8] = b"WFSITES\0";

/// In the order of their numbers in a site table.
const VARIABLE_KINDS: [VariableKind; 8] = [
    VariableKind::Var,
    VariableKind::Let,
    VariableKind::Const,
    VariableKind::Function,
    VariableKind::Class,
    VariableKind::Parameter,
    VariableKind::Catch,
    VariableKind::Import,
];

/// In the order of their numbers in a site table.
const FUNCTION_KINDS: [FunctionKind; 8] = [
    FunctionKind::Module,
    FunctionKind::Plain,
    FunctionKind::Arrow,
    FunctionKind::Method,
    FunctionKind::Getter,
    FunctionKind::Setter,
    FunctionKind::Constructor,
    FunctionKind::ClassInit,
];

struct SpanWriter {
    before: u32,
}

impl SpanWriter {
    fn put(&mut self, bytes: &mut Vec<u8>, span: Span) {
        varint::put_distance(bytes, self.before, span.start);
        varint::put(bytes, span.end.wrapping_sub(span.start));
        self.before = span.start;
    }
}

struct SpanReader {
    before: u32,
}

impl SpanReader {
    fn take(&mut self, reader: &mut Reader) -> Result<Span, FormatError> {
        let start = reader.distance(self.before)?;
        self.before = start;
        Ok(Span { start, end: start.wrapping_add(reader.number()?) })
    }
}

fn index(reader: &mut Reader, length: usize) -> Result<u32, FormatError> {
    let index = reader.number()?;
    if index as usize >= length { Err(reader.damaged("an index is out of range")) } else { Ok(index) }
}

fn flags(function: &Function) -> u32 {
    u32::from(function.is_async)
        | u32::from(function.is_generator) << 1
        | u32::from(function.exact_exit) << 2
        | u32::from(function.recorded) << 3
}

fn position<T: PartialEq>(all: &[T], item: &T) -> u32 {
    all.iter().position(|other| other == item).expect("the list holds every one") as u32
}
