//! Which piece of code a specifier means, and what it gives.

use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::model::{CallId, SourceRange, TokenKind};
use crate::solver::Node;

/// Finds units by the names that programs use for them.
#[derive(Default)]
pub struct Modules {
    by_path: FxHashMap<String, u32>,
    /// What runs were seen to load: by the unit and the specifier in it, and by the call.
    seen: FxHashMap<(u32, String), u32>,
    /// The same by the specifier alone, where it always meant the same.
    meant: FxHashMap<String, Option<u32>>,
    pub at: FxHashMap<SourceRange, Vec<u32>>,
}

impl Modules {
    pub fn add(&mut self, path: &str, unit: u32) {
        self.by_path.entry(path.trim_start_matches("file://").to_owned()).or_insert(unit);
    }

    pub fn saw(&mut self, from: u32, specifier: &str, to: u32) {
        self.seen.insert((from, specifier.to_owned()), to);
        if !is_path(specifier) {
            let meant = self.meant.entry(specifier.to_owned()).or_insert(Some(to));
            *meant = meant.filter(|&unit| unit == to);
        }
    }

    /// The unit that a specifier means in a file; `None` for what Node brings, and for what was not loaded.
    pub fn resolve(&self, from: u32, importer: &str, specifier: &str) -> Option<u32> {
        if let Some(&unit) = self.seen.get(&(from, specifier.to_owned())) {
            return Some(unit);
        }
        if is_path(specifier) {
            let path = joined(importer.trim_start_matches("file://"), specifier);
            return candidates(&path).iter().find_map(|path| self.by_path.get(path).copied());
        }
        if specifier.starts_with("node:") {
            return None;
        }
        self.in_packages(importer, specifier).or_else(|| self.meant.get(specifier).copied().flatten())
    }

    /// A package, as it is looked for in the folders around the importer; its own description of itself is not read.
    fn in_packages(&self, importer: &str, specifier: &str) -> Option<u32> {
        let mut folder = importer.trim_start_matches("file://");
        while let Some((around, _)) = folder.rsplit_once('/') {
            folder = around;
            let path = format!("{folder}/node_modules/{specifier}");
            let name = specifier.rsplit('/').next().unwrap_or(specifier);
            let name = name.strip_suffix(".js").unwrap_or(name);
            let mut tried = candidates(&path);
            for inner in ["lib/index", &format!("lib/{name}"), name, &format!("dist/{name}"), "src/index", "main"] {
                tried.extend([
                    format!("{path}/{inner}.js"),
                    format!("{path}/{inner}.cjs"),
                    format!("{path}/{inner}.mjs"),
                ]);
            }
            if let Some(&unit) = tried.iter().find_map(|path| self.by_path.get(path)) {
                return Some(unit);
            }
        }
        None
    }
}

impl Analysis {
    /// `require(…)` in a unit.
    pub fn call_require(&mut self, id: CallId, unit: u32) {
        let call = self.calls[id.0 as usize].clone();
        let place = self.place(call.site);
        let specifier = call.texts[0].map(|key| self.keys.name(key).to_owned());
        let named = specifier.as_deref().and_then(|specifier| self.resolve(unit, specifier));
        let seen = self.modules.at.get(&place).cloned().unwrap_or_default();
        let found: Vec<u32> = match named {
            Some(unit) => vec![unit],
            None => seen,
        };
        for &unit in &found {
            self.give_module(unit, call.result);
            let top = self.units[unit as usize].top;
            self.edges.insert((id, top));
        }
        if let Some(specifier) = specifier.filter(|_| found.is_empty()) {
            let module = self.builtin_module(&specifier);
            self.graph.add_token(call.result, module);
        }
    }

    pub fn resolve(&self, unit: u32, specifier: &str) -> Option<u32> {
        self.modules.resolve(unit, &self.units[unit as usize].path, specifier)
    }

    /// What requiring or importing all of a unit gives.
    pub fn give_module(&mut self, unit: u32, to: Node) {
        let data = &self.units[unit as usize];
        match data.is_module {
            true => {
                let namespace = data.namespace;
                self.graph.add_token(to, namespace);
            }
            false => {
                let module = data.module;
                let key = self.keys.of("exports");
                let exports = self.slot(module, key);
                self.graph.add_edge(exports, to);
            }
        }
    }

    /// What a name that a module exports stands for.
    pub fn exported(&mut self, unit: u32, name: &str) -> Node {
        let data = &self.units[unit as usize];
        let (is_module, namespace, module) = (data.is_module, data.namespace, data.module);
        let key = self.keys.of(name);
        if is_module {
            return self.lookup(namespace, key);
        }
        let exports = self.keys.of("exports");
        let exports = self.slot(module, exports);
        let to = self.node();
        if name == "default" {
            self.graph.add_edge(exports, to);
        }
        let site = crate::model::Site { function: self.units[unit as usize].top, span: trace_model::Span::default() };
        self.load(exports, key, to, site);
        to
    }

    /// The same for whatever a specifier means.
    pub fn imported(&mut self, unit: u32, specifier: &str, name: Option<&str>) -> Node {
        match (self.resolve(unit, specifier), name) {
            (Some(from), Some(name)) => self.exported(from, name),
            (Some(from), None) => {
                let node = self.node();
                if !self.units[from as usize].is_module {
                    let namespace = self.units[from as usize].namespace;
                    self.graph.add_token(node, namespace);
                }
                self.give_module(from, node);
                node
            }
            (None, name) => {
                let module = self.builtin_module(specifier);
                let node = self.node_of(module);
                let name = match name {
                    None | Some("default") => return node,
                    Some(name) => name,
                };
                let key = self.keys.of(name);
                let to = self.node();
                let site = crate::model::Site { function: self.units[unit as usize].top, span: Default::default() };
                self.load(node, key, to, site);
                to
            }
        }
    }

    pub fn add_unit_tokens(&mut self, unit: u32) -> [crate::solver::Token; 3] {
        let module = self.token(TokenKind::Module(unit), None);
        let exports = self.token(TokenKind::Exports(unit), None);
        let namespace = self.token(TokenKind::Namespace(unit), None);
        let key = self.keys.of("exports");
        let slot = self.slot(module, key);
        self.graph.add_token(slot, exports);
        // Of a CommonJS module, as `import` shows it.
        let default = self.keys.of("default");
        let shown = self.slot(namespace, default);
        self.graph.add_edge(slot, shown);
        [module, exports, namespace]
    }
}

fn is_path(specifier: &str) -> bool {
    ["./", "../", "/", "file://"].iter().any(|start| specifier.starts_with(start)) || matches!(specifier, "." | "..")
}

fn joined(importer: &str, specifier: &str) -> String {
    let specifier = specifier.strip_prefix("file://").unwrap_or(specifier);
    if specifier.starts_with('/') {
        return specifier.to_owned();
    }
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The files that a path may mean.
fn candidates(path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let mut paths = vec![path.to_owned()];
    for (compiled, sources) in
        [(".js", &[".ts", ".tsx"][..]), (".mjs", &[".mts"]), (".cjs", &[".cts"]), (".jsx", &[".tsx"])]
    {
        if let Some(stem) = path.strip_suffix(compiled) {
            paths.extend(sources.iter().map(|source| format!("{stem}{source}")));
        }
    }
    let endings = ["", "/index"].iter().flat_map(|inner| {
        ["js", "cjs", "mjs", "ts", "cts", "mts", "tsx", "jsx"].iter().map(move |ending| format!("{inner}.{ending}"))
    });
    paths.extend(endings.map(|ending| format!("{path}{ending}")));
    paths
}
