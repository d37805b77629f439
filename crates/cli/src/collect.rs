//! `wherefore collect`: hands over to the program `wherefore-collect`, which is a package of its own.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::failure::Failure;

#[derive(clap::Args)]
pub struct CollectArgs {
    /// What it is to do; `wherefore collect --help` tells
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// That program takes the place of this one.
pub fn run(args: &CollectArgs) -> Result<ExitCode, Failure> {
    let own = env::current_exe().unwrap_or_default();
    let path = env::var_os("PATH").unwrap_or_default();
    let Some(program) = places(&own, env::split_paths(&path)).find(|program| program.is_file()) else {
        return Err(Failure::could_not_run(
            "`wherefore collect` is a package of its own, which is not installed: npm install wherefore-collect",
        ));
    };
    let error = Command::new(&program).args(&args.arguments).exec();
    Err(Failure::could_not_run(format!("{} cannot be started: {error}", program.display())))
}

/// Beside this program; in the package next to the one that this program is in, as npm, pnpm and yarn install them; where commands are.
fn places(own: &Path, path: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = PathBuf> {
    let beside = own.with_file_name(NAME);
    let modules = own.ancestors().filter(|folder| folder.ends_with("node_modules"));
    let packages: Vec<PathBuf> = modules.map(|modules| modules.join(NAME).join(NAME)).collect();
    std::iter::once(beside).chain(packages).chain(path.map(|folder| folder.join(NAME)))
}

/// Of the package and of its program.
const NAME: &str = "wherefore-collect";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_looked_for_where_packages_are() {
        let own = Path::new("/shop/node_modules/@wherefore/linux-x64-gnu/wherefore");
        let found: Vec<PathBuf> = places(own, ["/usr/bin".into()].into_iter()).collect();
        let expected = [
            "/shop/node_modules/@wherefore/linux-x64-gnu/wherefore-collect",
            "/shop/node_modules/wherefore-collect/wherefore-collect",
            "/usr/bin/wherefore-collect",
        ];
        assert_eq!(found, expected.map(PathBuf::from));
        // pnpm has a folder for each package and its dependencies, inside the one of the project.
        let own = Path::new("/shop/node_modules/.pnpm/a@1/node_modules/@wherefore/linux-x64-gnu/wherefore");
        let found: Vec<PathBuf> = places(own, std::iter::empty()).collect();
        assert!(found.contains(&PathBuf::from("/shop/node_modules/wherefore-collect/wherefore-collect")));
    }
}
