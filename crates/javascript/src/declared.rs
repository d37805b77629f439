//! What a source says of its values: types that functions declare for what they take and return, where a value can be seen to break
//! them (annotations of TypeScript, `@param {number} x` and `@returns {number}` in comments), and assertions.

use std::collections::HashMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};
use oxc_syntax::scope::ScopeFlags;
use trace_model::{Asserts, DeclaredTypes, Primitive};

/// Of every function that declares something. A text that cannot be read declares nothing.
pub fn declared_types(source: &str, path: &str) -> Vec<DeclaredTypes> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let source_type = match extension {
        "ts" | "mts" | "cts" => SourceType::ts(),
        "tsx" => SourceType::tsx(),
        _ => SourceType::mjs().with_jsx(extension == "jsx"),
    };
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parse =
        |source_type: SourceType| Parser::new(&allocator, source, source_type).with_options(options).parse().program;
    let mut program = parse(source_type);
    if program.body.is_empty() {
        program = parse(source_type.with_commonjs(true));
    }
    let comments = program.comments.iter().filter(|comment| comment.is_jsdoc());
    let comments = comments
        .map(|comment| (comment.attached_to, &source[comment.span.start as usize..comment.span.end as usize]))
        .collect();
    let mut search = Search { comments, commented: HashMap::new(), found: Vec::new() };
    search.visit_program(&program);
    search.found
}

/// `assert` is that of Node where the file asks for it.
pub fn asserts(callee: &str, source: &str) -> Option<Asserts> {
    let name = match callee {
        "console.assert" => return Some(Asserts::Truth),
        "assert" => "ok",
        _ => callee.strip_prefix("assert.")?,
    };
    let has_module = ["assert", "node:assert", "assert/strict", "node:assert/strict"]
        .iter()
        .any(|module| ['\'', '"'].iter().any(|quote| source.contains(&format!("{quote}{module}{quote}"))));
    match name {
        _ if !has_module => None,
        "ok" => Some(Asserts::Truth),
        "strictEqual" => Some(Asserts::Same),
        // The strict module compares strictly; what both agree on is asserted by either.
        "equal" => Some(Asserts::Equal),
        _ => None,
    }
}

/// As all libraries of assertions call it: `assert.throws`, `t.throwsAsync`, `expect(…).toThrow`.
pub fn wants_failure(callee: &str) -> bool {
    let name = callee.rsplit('.').next().unwrap_or(callee);
    ["throw", "reject", "fail"].iter().any(|word| name.to_ascii_lowercase().contains(word))
}

struct Search<'s> {
    /// By the start of what they stand before.
    comments: HashMap<u32, &'s str>,
    /// By the start of a function: the comment before its declaration.
    commented: HashMap<u32, &'s str>,
    found: Vec<DeclaredTypes>,
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if function.body.is_some() {
            let is_plain = !function.r#async && !function.generator;
            self.note(function.span, &function.params, function.return_type.as_deref(), is_plain);
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.note(arrow.span, &arrow.params, arrow.return_type.as_deref(), !arrow.r#async);
        walk::walk_arrow_function_expression(self, arrow);
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        match &export.declaration {
            Declaration::FunctionDeclaration(function) => self.comment(export.span.start, function.span.start),
            Declaration::VariableDeclaration(variable) => self.variable(export.span.start, variable),
            _ => {}
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        if let ExportDefaultDeclarationKind::FunctionDeclaration(function) = &export.declaration {
            self.comment(export.span.start, function.span.start);
        }
        walk::walk_export_default_declaration(self, export);
    }

    fn visit_variable_declaration(&mut self, variable: &VariableDeclaration<'a>) {
        self.variable(variable.span.start, variable);
        walk::walk_variable_declaration(self, variable);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.comment(method.span.start, method.value.span.start);
        walk::walk_method_definition(self, method);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.value(property.span.start, &property.value);
        walk::walk_object_property(self, property);
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        if let Expression::AssignmentExpression(assignment) = &statement.expression {
            self.value(statement.span.start, &assignment.right);
        }
        walk::walk_expression_statement(self, statement);
    }
}

impl<'s> Search<'s> {
    fn variable(&mut self, start: u32, variable: &VariableDeclaration) {
        if let [declarator] = variable.declarations.as_slice()
            && let Some(value) = &declarator.init
        {
            self.value(start, value);
        }
    }

    fn value(&mut self, start: u32, value: &Expression) {
        if let Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) = value {
            self.comment(start, value.span().start);
        }
    }

    fn comment(&mut self, before: u32, function: u32) {
        if let Some(comment) = self.comments.get(&before) {
            self.commented.entry(function).or_insert(comment);
        }
    }

    fn note(
        &mut self,
        span: oxc_span::Span,
        parameters: &FormalParameters,
        returns: Option<&TSTypeAnnotation>,
        is_plain: bool,
    ) {
        let start = span.start;
        let comment = self.commented.get(&start).or_else(|| self.comments.get(&start)).copied().unwrap_or("");
        let primitive = |annotation: Option<&TSTypeAnnotation>| primitive_of(&annotation?.type_annotation);
        // What an async function returns is a promise, whatever it says.
        let returns = primitive(returns).or_else(|| commented_return(comment)).filter(|_| is_plain);
        let parameters: Vec<(String, Option<Primitive>)> = parameters
            .items
            .iter()
            .map(|parameter| {
                let name = parameter.pattern.get_identifier_name().map_or(String::new(), |name| name.to_string());
                let declared = primitive(parameter.type_annotation.as_deref());
                let declared = declared.or_else(|| commented_parameter(comment, &name));
                (name, declared)
            })
            .collect();
        if returns.is_some() || parameters.iter().any(|(_, declared)| declared.is_some()) {
            self.found.push(DeclaredTypes {
                function: trace_model::Span { start: span.start, end: span.end },
                parameters,
                returns,
            });
        }
    }
}

fn primitive_of(declared: &TSType) -> Option<Primitive> {
    Some(match declared {
        TSType::TSNumberKeyword(_) => Primitive::Number,
        TSType::TSStringKeyword(_) => Primitive::String,
        TSType::TSBooleanKeyword(_) => Primitive::Boolean,
        TSType::TSBigIntKeyword(_) => Primitive::BigInt,
        _ => return None,
    })
}

/// `@returns {number}`
fn commented_return(comment: &str) -> Option<Primitive> {
    tags(comment).find_map(|(tag, rest)| {
        let declared = matches!(tag, "returns" | "return").then(|| braced(rest)).flatten();
        declared.and_then(|(name, _)| named(name))
    })
}

/// `@param {number} x`
fn commented_parameter(comment: &str, name: &str) -> Option<Primitive> {
    tags(comment).find_map(|(tag, rest)| {
        let (declared, rest) = (tag == "param").then(|| braced(rest)).flatten()?;
        let is_it = rest.split_whitespace().next() == Some(name);
        is_it.then(|| named(declared)).flatten()
    })
}

fn tags(comment: &str) -> impl Iterator<Item = (&str, &str)> {
    comment.lines().filter_map(|line| {
        let line = line.trim_start_matches(['/', '*', ' ', '\t']);
        let line = line.trim_end_matches("*/");
        Some(line.strip_prefix('@')?.split_once(char::is_whitespace).unwrap_or((line, "")))
    })
}

fn braced(text: &str) -> Option<(&str, &str)> {
    text.trim_start().strip_prefix('{')?.split_once('}')
}

fn named(name: &str) -> Option<Primitive> {
    Some(match name.trim() {
        "number" => Primitive::Number,
        "string" => Primitive::String,
        "boolean" => Primitive::Boolean,
        "bigint" => Primitive::BigInt,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Asserts, asserts, declared_types};

    #[test]
    fn assertions_of_node() {
        let source = "const assert = require('node:assert');";
        assert_eq!(asserts("assert", source), Some(Asserts::Truth));
        assert_eq!(asserts("assert.strictEqual", source), Some(Asserts::Same));
        assert_eq!(asserts("assert.equal", "function assert() {}"), None);
        assert_eq!(asserts("console.assert", ""), Some(Asserts::Truth));
    }

    fn told(source: &str, path: &str) -> Vec<String> {
        let function = |declared: &trace_model::DeclaredTypes| {
            let start = declared.function.start as usize;
            let head: String = source[start..].chars().take_while(|c| *c != '(').collect();
            let parameters: Vec<String> = declared
                .parameters
                .iter()
                .map(|(name, declared)| format!("{name}: {}", declared.map_or("?", |declared| declared.name())))
                .collect();
            let returns = declared.returns.map_or("?", |returns| returns.name());
            format!("{head}({}): {returns}", parameters.join(", "))
        };
        declared_types(source, path).iter().map(function).collect()
    }

    #[test]
    fn annotations_of_typescript() {
        let source = "function f(a: number, b: Item): string { return ''; }\nasync function g(): number {}\n\
                      class C { m(x: number): boolean { return true; } }\nconst h = (n: bigint): number | null => 1;";
        assert_eq!(
            told(source, "a.ts"),
            ["function f(a: number, b: ?): string", "(x: number): boolean", "(n: bigint): ?"]
        );
    }

    #[test]
    fn types_in_comments() {
        let source = "/**\n * Adds.\n * @param {number} a\n * @param {Item} b\n * @returns {number} the sum\n */\n\
                      function add(a, b) { return a + b; }\n/** @returns {string} */\nexports.name = () => 1;\n\
                      class C {\n  /** @return {boolean} */\n  is() {}\n}\nfunction none() {}";
        assert_eq!(told(source, "a.js"), ["function add(a: number, b: ?): number", "(): string", "(): boolean"]);
    }
}
