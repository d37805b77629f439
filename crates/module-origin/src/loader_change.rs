//! Packages that change how modules are loaded. A program asks for them (`require('ts-node/register')`), but what they do is to
//! compile the program.

/// Whether a text puts something of its own into the loader of CommonJS, or registers hooks for modules.
pub fn changes_loader(text: &str) -> bool {
    ASSIGNED.iter().any(|name| is_assigned(text, name))
        || CALLED.iter().any(|call| text.contains(call))
        || (MODULE_NAMES.iter().any(|name| text.contains(name)) && text.contains(".register("))
}

/// Properties of `Module`, and of `require.extensions`.
const ASSIGNED: [&str; 5] = ["extensions", "_resolveFilename", "_load", "_findPath", "prototype._compile"];
/// `pirates` is what most of them use.
const CALLED: [&str; 3] = ["registerHooks(", "require(\"pirates\")", "require('pirates')"];
const MODULE_NAMES: [&str; 2] = ["node:module", "Module.register("];

/// `.name =` or `.name[x] =`.
fn is_assigned(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.as_bytes()[..at].last();
        let mut rest = text[at + name.len()..].trim_start();
        if !matches!(before, Some(b'.' | b'_')) {
            return false;
        }
        if rest.starts_with('[') {
            let Some(end) = rest.char_indices().take(LONGEST_KEY).find(|(_, c)| *c == ']').map(|(end, _)| end) else {
                return false;
            };
            rest = rest[end + 1..].trim_start();
        } else if name == "extensions" {
            return false;
        }
        rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>")
    })
}

const LONGEST_KEY: usize = 60;

#[cfg(test)]
mod tests {
    use super::changes_loader;

    #[test]
    fn what_changes_the_loader() {
        for text in [
            "require.extensions[ext] = function (m, filename) {}",
            "Module._extensions['.ts']=compile",
            "Module._resolveFilename = function (request) {}",
            "a.prototype._compile=b",
            "var pirates = require(\"pirates\");",
            "import { register } from 'node:module'; module.register('./hooks.mjs')",
        ] {
            assert!(changes_loader(text), "{text}");
        }
    }

    #[test]
    fn what_only_looks_at_it() {
        for text in [
            "if (require.extensions['.ts'] === undefined) fail()",
            "const all = Object.keys(Module._extensions)",
            "options.extensions = ['.js']",
            "this.upload = 1; reader.onload = f; x._loaded = 2",
            "emitter.register('x')",
        ] {
            assert!(!changes_loader(text), "{text}");
        }
    }
}
