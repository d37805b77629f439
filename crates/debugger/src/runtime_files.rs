use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// The checkout that this was built in, for a program that `cargo install` put elsewhere; none for one that is shipped.
const CHECKOUT: Option<&str> = match option_env!("WHEREFORE_SHIPPED") {
    Some(_) => None,
    None => Some(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
};

/// Where the JavaScript that runs inside the debuggee lies: `WHEREFORE_RUNTIME`, `runtime/` beside the program, or, for
/// a build in the repository, `packages/runtime` of it. Without links and `..`: inside the program, our files know what is theirs by
/// their own full paths.
pub fn runtime_folder() -> Result<PathBuf, Error> {
    let folder = match env::var_os("WHEREFORE_RUNTIME") {
        Some(folder) => folder.into(),
        None => found_runtime()?,
    };
    folder.canonicalize().map_err(Error::io(folder))
}

fn found_runtime() -> Result<PathBuf, Error> {
    let exe = env::current_exe().and_then(|exe| exe.canonicalize()).map_err(Error::io("the path of this program"))?;
    let beside = exe.parent().map(|folder| folder.join("runtime"));
    let in_repository =
        exe.ancestors().skip(1).chain(CHECKOUT.map(Path::new)).map(|folder| folder.join("packages/runtime"));
    beside.into_iter().chain(in_repository).find(|folder| folder.is_dir()).ok_or(Error::NoRuntime { exe })
}

/// The script that gives a bare realm the helpers which instrumented code calls; empty if the build did not make it.
pub fn prelude() -> Result<String, Error> {
    Ok(fs::read_to_string(runtime_folder()?.join("prelude.generated.js")).unwrap_or_default())
}
