//! Nothing that `debugger` shows is a type of a lower layer: a front end sees plain data in the user's terms.
//!
//! What is shown is what `lib.rs` re-exports. Of these items the public parts are looked through: fields, variants, signatures of
//! functions and of methods. A name counts as one of a lower layer if it is written with the name of such a crate, or imported
//! from one in that file.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use syn::{Fields, ImplItem, Item, Type, UseTree, Visibility};

/// For whoever builds a process out of the crates, and for no front end.
const FOR_BUILDERS: &[&str] = &["add_language"];

#[test]
fn the_facade_shows_no_type_of_a_lower_layer() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../debugger/src");
    let mut shown = shown_names(&source, "lib");
    for name in FOR_BUILDERS {
        assert!(shown.remove(*name), "{name} is not shown");
    }
    assert!(shown.len() > 100 && shown.contains("Session") && shown.contains("Error"), "{shown:?}");
    let mut leaks = Vec::new();
    for path in rust_files(&source) {
        let file = parsed(&path);
        let name = path.strip_prefix(&source).unwrap().display().to_string();
        leaks.extend(leaks_of(&file, &shown).into_iter().map(|leak| format!("{name}: {leak}")));
    }
    assert!(leaks.is_empty(), "types of lower layers are shown:\n{}", leaks.join("\n"));
}

#[test]
fn a_leak_is_found() {
    let shown: HashSet<String> = ["A", "B", "f"].map(str::to_owned).into();
    let leaks = |text: &str| leaks_of(&syn::parse_file(text).unwrap(), &shown).len();
    assert_eq!(leaks("use query::Datum; pub struct A { pub x: Vec<Datum>, y: Datum }"), 1);
    assert_eq!(leaks("pub enum A { One(trace_store::Step), Two { at: u32 } }"), 1);
    assert_eq!(leaks("use query::{Datum as D}; impl A { pub fn g(&self) -> Option<D> { None } fn h(x: D) {} }"), 1);
    assert_eq!(leaks("use query::Datum; pub fn f(x: &Datum) {} pub fn hidden(x: Datum) {}"), 1);
    assert_eq!(leaks("pub use trace_model::cancel::Cancel; pub(crate) use query::Datum;"), 1);
    assert_eq!(leaks("use query::Datum; pub struct Hidden(pub Datum); pub struct A(pub(crate) Datum);"), 0);
}

/// The names that a module re-exports or declares for everybody.
fn shown_names(source: &Path, module: &str) -> HashSet<String> {
    let path = [format!("{module}.rs"), format!("{module}/mod.rs")].map(|path| source.join(path));
    let Some(path) = path.into_iter().find(|path| path.exists()) else { panic!("there is no module {module}") };
    let below = if module == "lib" { String::new() } else { format!("{module}/") };
    let mut shown = HashSet::new();
    for item in &parsed(&path).items {
        match item {
            Item::Use(item) if is_public(&item.vis) => {
                let mut leaves = Vec::new();
                leaves_of(&item.tree, Vec::new(), &mut leaves);
                for (path, name) in leaves {
                    match name.as_str() {
                        "*" => shown.extend(shown_names(source, &format!("{below}{}", path.join("/")))),
                        _ => drop(shown.insert(name)),
                    }
                }
            }
            item => shown.extend(declared(item)),
        }
    }
    shown
}

fn declared(item: &Item) -> Option<String> {
    let (vis, name) = match item {
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Fn(item) => (&item.vis, &item.sig.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Const(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    is_public(vis).then(|| name.to_string())
}

fn leaks_of(file: &syn::File, shown: &HashSet<String>) -> Vec<String> {
    let mut leaks = Vec::new();
    let mut lower = HashSet::new();
    for item in &file.items {
        let Item::Use(item) = item else { continue };
        let mut leaves = Vec::new();
        leaves_of(&item.tree, Vec::new(), &mut leaves);
        for (path, name) in leaves {
            if path.first().is_some_and(|first| is_lower(first)) {
                if is_public(&item.vis) {
                    leaks.push(format!("pub use {}::{name}", path.join("::")));
                }
                lower.insert(name);
            }
        }
    }
    let mut names = Names { lower: &lower, found: Vec::new() };
    for item in &file.items {
        match item {
            Item::Impl(item) if item.trait_.is_none() && shown.contains(&type_name(&item.self_ty)) => {
                for member in &item.items {
                    match member {
                        ImplItem::Fn(method) if is_public(&method.vis) => names.visit_signature(&method.sig),
                        ImplItem::Const(item) if is_public(&item.vis) => names.visit_type(&item.ty),
                        _ => {}
                    }
                }
            }
            item if declared(item).is_some_and(|name| shown.contains(&name)) => names.of(item),
            _ => {}
        }
    }
    leaks.extend(names.found);
    leaks
}

struct Names<'a> {
    lower: &'a HashSet<String>,
    found: Vec<String>,
}

impl Names<'_> {
    fn of(&mut self, item: &Item) {
        match item {
            Item::Struct(item) => self.fields(&item.fields, false),
            Item::Enum(item) => item.variants.iter().for_each(|variant| self.fields(&variant.fields, true)),
            Item::Fn(item) => self.visit_signature(&item.sig),
            Item::Type(item) => self.visit_type(&item.ty),
            Item::Trait(item) => self.visit_item_trait(item),
            Item::Const(item) => self.visit_type(&item.ty),
            _ => {}
        }
    }

    fn fields(&mut self, fields: &Fields, are_public: bool) {
        for field in fields.iter().filter(|field| are_public || is_public(&field.vis)) {
            self.visit_type(&field.ty);
        }
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let first = path.segments.first().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if is_lower(&first) || self.lower.contains(&first) {
            let whole: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.found.push(whole.join("::"));
        }
        visit::visit_path(self, path);
    }
}

fn type_name(of: &Type) -> String {
    match of {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// Each name that a `use` brings, with the path before it.
fn leaves_of(tree: &UseTree, path: Vec<String>, leaves: &mut Vec<(Vec<String>, String)>) {
    match tree {
        UseTree::Path(inner) => leaves_of(&inner.tree, [path, vec![inner.ident.to_string()]].concat(), leaves),
        UseTree::Name(name) => leaves.push((path, name.ident.to_string())),
        UseTree::Rename(rename) => leaves.push((path, rename.rename.to_string())),
        UseTree::Glob(_) => leaves.push((path, "*".into())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves_of(tree, path.clone(), leaves)),
    }
}

/// Whether this is a crate that the façade stands on.
fn is_lower(name: &str) -> bool {
    static LOWER: LazyLock<Vec<String>> = LazyLock::new(|| {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = fs::read_to_string(crates.join("debugger/Cargo.toml")).unwrap();
        let names = manifest.lines().filter_map(|line| line.strip_suffix(".workspace = true"));
        names.filter(|name| crates.join(name).exists()).map(|name| name.replace('-', "_")).collect()
    });
    assert!(LOWER.len() >= 5, "{LOWER:?}");
    LOWER.iter().any(|lower| lower == name)
}

fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

fn parsed(path: &Path) -> syn::File {
    syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
