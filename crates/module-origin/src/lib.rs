//! Which code of a recorded command is the program, which is a library of the program, and which is a tool that only runs in the
//! same processes: a package manager, a test runner, a transpiler, a loader.
//!
//! The rule is *who asked for the module*. The program is what lies in the project. A library is what code of the program or of
//! another library asks for. Everything else is a tool. Names and folders alone cannot tell: a test runner asks for the test
//! files, and a program may use TypeScript as a library.
//!
//! Four situations need more than the asker:
//!
//! - **A tool asks on behalf of the program** (Jest and vitest load libraries themselves, and the loader of ES modules does not
//!   say who asked). Then the texts of the program tell: a package that one of them names is a library ([`Names`]).
//! - **A tool loaded a package before the program did**, and both use the one copy. The packages that the sources of the project
//!   name are known from the start ([`project::expected_packages`]).
//! - **A package changes the module loader** (`ts-node/register`, `@babel/register`). The program asks for it, but it is a tool
//!   ([`loader_change::changes_loader`]).
//! - **The command starts a package** (`jest`, `vitest`). Test files import it, and it stays a tool ([`Shared::starts`]).

pub mod loader_change;
pub mod paths;
pub mod project;
mod rule;
pub mod specifiers;

pub use rule::{Asked, Asker, Class, Names, Project, Shared, Step, Text, Thread};
