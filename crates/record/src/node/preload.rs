//! The file of a run that its Node processes load first. Where it lies says which run it is, so that nothing but NODE_OPTIONS has to reach them.

use std::io;
use std::path::{Path, PathBuf};

use trace_format::private;

/// Gives its path.
pub(crate) fn write(run: &Path, runtime: &Path, library: Option<&Path>) -> io::Result<PathBuf> {
    let preload = run.join("preload.cjs");
    let quoted = |path: &Path| format!("{:?}", path.to_string_lossy());
    let library = library.map_or("undefined".into(), quoted);
    let text =
        format!("require({})({{ file: __filename, library: {library} }});\n", quoted(&runtime.join("preload.cjs")));
    private::write(&preload, text)?;
    Ok(preload)
}
