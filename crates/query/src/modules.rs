//! Variables that are those of other modules.

use trace_model::{
    CodeKind, EventId, Exported, FunctionIndex, Key, ModulePaths, Node, SiteId, VariableIndex, VariableRef,
};
use trace_store::{Target, VariablePlace};

use crate::{Scene, Trace};

impl Trace<'_> {
    /// The variable of another module that an import stands for, as it is found right before an event.
    pub fn imported(&self, unit: SiteId, variable: VariableIndex, before: EventId) -> Option<VariablePlace> {
        let code = self.code(unit)?;
        let import = code.facts.imports.iter().find(|import| import.variable == variable)?;
        let from = self.module(unit, &import.specifier, before)?;
        self.exported(from, import.name.as_deref()?, before, MOST_MODULES)
    }

    /// The variable that a member of an import of everything (`import * as ns`) stands for.
    pub fn imported_member(&self, scene: Scene, object: &Node, key: &Key) -> Option<VariablePlace> {
        let (Node::Variable(object), Key::Name(name)) = (object, key) else { return None };
        let variable = match object {
            VariableRef::Known(variable) => *variable,
            VariableRef::Global(name) => self.resolve(scene, name)?,
        };
        let code = self.code(scene.unit)?;
        let import = code.facts.imports.iter().find(|import| import.variable == variable && import.name.is_none())?;
        let from = self.module(scene.unit, &import.specifier, scene.before)?;
        self.exported(from, name, scene.before, MOST_MODULES)
    }

    /// The variable that a module exports under a name. Modules may name each other in circles.
    fn exported(&self, unit: SiteId, name: &str, before: EventId, most: usize) -> Option<VariablePlace> {
        let code = self.code(unit).filter(|_| most > 0)?;
        if let Some(export) = code.facts.exports.iter().find(|export| export.name == name) {
            return match &export.what {
                Exported::Variable(variable) => {
                    let is_import = code.facts.imports.iter().any(|import| import.variable == *variable);
                    if is_import {
                        return self.imported(unit, *variable, before);
                    }
                    let top_level = [(unit, FunctionIndex(0))];
                    let entered = self.last(&Target::Enter(Some(&top_level)), before)?;
                    Some(VariablePlace { unit, variable: *variable, owner: entered.frame })
                }
                Exported::From { specifier, name } => {
                    let from = self.module(unit, specifier, before)?;
                    self.exported(from, name.as_deref()?, before, most - 1)
                }
            };
        }
        if !self.language().hands_on(name) {
            return None;
        }
        let mut sources = code.facts.export_all_from.iter();
        sources.find_map(|specifier| self.exported(self.module(unit, specifier, before)?, name, before, most - 1))
    }

    /// The module that a specifier names, seen from another one: the one of its path that was entered last.
    fn module(&self, from: SiteId, specifier: &str, before: EventId) -> Option<SiteId> {
        let units = self.thread.code().units();
        let importer = &self.thread.code().unit(from)?.record.path;
        let modules = units.iter().filter(|unit| unit.record.kind == CodeKind::Module).map(|unit| &unit.record);
        let found: Vec<(SiteId, FunctionIndex)> = match self.language().module_paths(importer, specifier) {
            ModulePaths::Files(candidates) => {
                let of = |path: &String| {
                    let same = modules.clone().filter(|record| record.path == *path);
                    same.map(|record| (record.base, FunctionIndex(0))).collect::<Vec<_>>()
                };
                candidates.iter().map(of).find(|found| !found.is_empty())?
            }
            ModulePaths::Within(folder) => {
                // Which file of a package is meant is told by no recording, unless there is but one.
                let mut inside = units.iter().filter(|unit| unit.record.path.contains(&folder));
                match (inside.next(), inside.next()) {
                    (Some(only), None) if only.record.kind == CodeKind::Module => {
                        vec![(only.record.base, FunctionIndex(0))]
                    }
                    _ => return None,
                }
            }
        };
        let entered = self.last(&Target::Enter(Some(&found)), before)?;
        Some(self.frame(entered.frame?)?.unit)
    }
}

/// Modules that hand a name on to each other.
const MOST_MODULES: usize = 100;
