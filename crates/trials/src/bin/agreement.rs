//! `agreement [--specs all|N] [--list FILE] [--jobs N] [--only WORD]`: asks the same questions of full recordings and of
//! re-executions, and compares the answers. FILE has a line for each program, as tests/agreement/run.mjs writes it: the set it
//! belongs to, its name, its folder, how many questions it is asked, and the words of its command, with tabs between them.
//!
//! Each program is asked by a process of its own, which is in the folder of the program.

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread;

use trials::agreement::{Comparison, Program, Report, chosen, compare, names, program};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [what, rest @ ..] if what == ONE => of_one(rest),
        _ => match Options::of(&arguments).and_then(|options| of_all(&options)) {
            Ok(report) => {
                report.print();
                if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::from(2)
            }
        },
    }
}

/// The first argument of the process that asks one program.
const ONE: &str = "--one";

struct Options {
    /// How many specifications, spread evenly; `None`: all.
    n_specs: Option<usize>,
    n_jobs: usize,
    list: Option<PathBuf>,
    /// Only programs whose name contains this.
    only: Option<String>,
}

impl Options {
    fn of(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options { n_specs: Some(0), n_jobs: 2, list: None, only: None };
        for pair in arguments.chunks(2) {
            let [option, value] = pair else { return Err(format!("{} wants a value", pair[0])) };
            let number = || value.parse().map_err(|_| format!("{option} {value:?} is no number"));
            match option.as_str() {
                "--specs" if value == "all" => options.n_specs = None,
                "--specs" => options.n_specs = Some(number()?),
                "--jobs" => options.n_jobs = number()?,
                "--list" => options.list = Some(value.into()),
                "--only" => options.only = Some(value.clone()),
                _ => return Err(format!("there is no option {option}")),
            }
        }
        Ok(options)
    }
}

/// A program, and how the process is started that asks it.
struct Job {
    set: String,
    name: String,
    /// Nothing: one that is made for it.
    folder: Option<PathBuf>,
    arguments: Vec<String>,
}

fn of_all(options: &Options) -> Result<Report, String> {
    let mut jobs = spec_jobs(options.n_specs)?;
    if let Some(list) = &options.list {
        jobs.extend(listed_jobs(&fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?)?);
    }
    jobs.retain(|job| options.only.as_ref().is_none_or(|only| job.name.contains(only)));
    let report = Mutex::new(Report::default());
    let jobs = Mutex::new(VecDeque::from_iter(jobs));
    thread::scope(|scope| {
        for _ in 0..options.n_jobs {
            scope.spawn(|| {
                loop {
                    let Some(job) = lock(&jobs).pop_front() else { return };
                    let (outcomes, problem) = job.run();
                    let mut report = lock(&report);
                    outcomes.iter().for_each(|outcome| report.add(&job.set, &job.name, outcome));
                    if let Some(problem) = problem {
                        report.add_problem(&job.name, &problem);
                    }
                }
            });
        }
    });
    Ok(report.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn spec_jobs(n_specs: Option<usize>) -> Result<Vec<Job>, String> {
    let names = names()?;
    let n_specs = n_specs.unwrap_or(names.len()).min(names.len());
    let chosen = (0..n_specs).map(|number| names[number * names.len() / n_specs].clone());
    let job = |name: String| Job {
        set: "specifications".into(),
        folder: None,
        arguments: vec!["spec".into(), name.clone()],
        name,
    };
    Ok(chosen.map(job).collect())
}

fn listed_jobs(list: &str) -> Result<Vec<Job>, String> {
    let job = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [set, name, folder, n_questions, command @ ..] = &fields[..] else {
            return Err(format!("line {} of the list is not understood", number + 1));
        };
        let mut arguments = vec!["program".to_owned(), number.to_string(), n_questions.to_string()];
        arguments.extend(command.iter().map(|word| word.to_string()));
        Ok(Job { set: set.to_string(), name: name.to_string(), folder: Some(folder.into()), arguments })
    };
    list.lines().enumerate().map(job).collect()
}

impl Job {
    /// What came of its questions, and what went wrong besides.
    fn run(&self) -> (Vec<Comparison>, Option<String>) {
        let made = tempfile::tempdir();
        let folder = match (&self.folder, &made) {
            (Some(folder), _) => folder.clone(),
            (None, Ok(made)) => made.path().to_owned(),
            (None, Err(error)) => return (Vec::new(), Some(error.to_string())),
        };
        // What an earlier try left.
        let _ = fs::remove_dir_all(folder.join(RUNS));
        let mut command = Command::new(env::current_exe().unwrap_or_default());
        command.arg(ONE).args(&self.arguments).current_dir(&folder).stdin(Stdio::null());
        // The program prints to stderr; what we have to say comes last.
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => return (Vec::new(), Some(error.to_string())),
        };
        let _ = fs::remove_dir_all(folder.join(RUNS));
        let text = String::from_utf8_lossy(&output.stdout);
        let outcomes: Vec<Comparison> = text.lines().filter_map(Comparison::of_line).collect();
        let problem = (!output.status.success()).then(|| {
            let said = String::from_utf8_lossy(&output.stderr);
            let from = said.lines().count().saturating_sub(MOST_LINES);
            format!("{}: {}", output.status, said.lines().skip(from).collect::<Vec<_>>().join("\n    "))
        });
        (outcomes, problem)
    }
}

const RUNS: &str = ".wherefore";
const MOST_LINES: usize = 12;

/// In the folder of the program.
fn of_one(arguments: &[String]) -> ExitCode {
    let tell = |outcome: &Comparison| println!("{}", outcome.line());
    let compared = match arguments {
        [what, name] if what == "spec" => of_spec(name, &tell),
        [what, seed, n_questions, command @ ..] if what == "program" => {
            let (Ok(seed), Ok(n_questions)) = (seed.parse(), n_questions.parse()) else { return ExitCode::from(2) };
            let program = Program { command: command.to_vec() };
            compare(&program, &|session| chosen(session, seed, n_questions), &tell)
        }
        _ => Err("wrong usage".into()),
    };
    match compared {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn of_spec(name: &str, tell: &dyn Fn(&Comparison)) -> Result<(), String> {
    let project = env::current_dir().map_err(|error| error.to_string())?.join("project");
    let (program, questions) = program(name, &project)?;
    env::set_current_dir(&project).map_err(|error| error.to_string())?;
    compare(&program, &|_| questions.clone(), tell)
}
