//! What a shell wants of a command: completions, and a manual page.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::ANSWERED;
use crate::args::Args;
use crate::ask::print;
use crate::failure::Failure;

#[derive(clap::Args)]
#[command(after_help = "\
bash: wherefore completions bash > ~/.local/share/bash-completion/completions/wherefore
zsh:  wherefore completions zsh > ~/.zfunc/_wherefore   (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)
fish: wherefore completions fish > ~/.config/fish/completions/wherefore.fish")]
pub struct CompletionsArgs {
    /// For this shell
    pub shell: Shell,
}

#[derive(clap::Args)]
#[command(after_help = "\
To read it: wherefore man | man -l -
To install: wherefore man --to ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The page of this command; of wherefore itself if left out
    pub command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub to: Option<PathBuf>,
}

/// The text that the npm package has as a file.
pub fn skill() -> Result<ExitCode, Failure> {
    print(include_str!("../../../packages/npm/SKILL.md"))?;
    Ok(ANSWERED)
}

pub fn completions(args: CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), NAME, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ANSWERED)
}

pub fn man(args: ManArgs) -> Result<ExitCode, Failure> {
    // Built, so that the commands know whose they are.
    let mut all = Args::command().disable_help_subcommand(true);
    all.build();
    if let Some(folder) = args.to {
        let failed = |error: io::Error| Failure::could_not_run(format!("{}: {error}", folder.display()));
        fs::create_dir_all(&folder).map_err(failed)?;
        clap_mangen::generate_to(all, &folder).map_err(failed)?;
        return Ok(ANSWERED);
    }
    let page = match args.command {
        None => all,
        Some(name) => {
            let found = all.find_subcommand(&name).cloned();
            found.ok_or_else(|| {
                let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
                let near = debugger::did_you_mean(&name, names.iter().copied());
                Failure::wrong_usage(format!("there is no command {name}{near}"))
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).expect("memory can be written");
    print(&String::from_utf8_lossy(&text))?;
    Ok(ANSWERED)
}

const NAME: &str = "wherefore";
