//! The program's stdin: ours, or what was kept of ours in an earlier run. The program finds the same kind of stdin in both:
//! a pipe where ours is a pipe, a file where it is a file.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;
use std::process::Stdio;

use trace_format::private;

use crate::feed::{Fed, Feeder, Source};
use crate::{Input, KeptInput, RecordError};

/// The input of a program, until its end.
pub struct ProgramInput {
    kept: KeptInput,
    feeder: Option<Feeder>,
}

/// What the program is to be started with, and what goes on behind it.
pub fn prepare(input: &Input) -> Result<(Stdio, ProgramInput), RecordError> {
    let (path, prepared) = match input {
        Input::Inherit => return Ok(inherited(KeptInput::NotAsked)),
        Input::Nothing => return Ok((Stdio::null(), ProgramInput { kept: KeptInput::NotAsked, feeder: None })),
        Input::Bytes(bytes) => {
            let fed = piped(Source::Bytes(bytes.clone()), None, KeptInput::NotAsked);
            return fed.map_err(RecordError::InputPipe);
        }
        Input::Keep(path) => (path, keep_in(path)),
        Input::From(path) => (path, take_from(path)),
    };
    prepared.map_err(|error| RecordError::Input { path: path.clone(), error })
}

impl ProgramInput {
    /// The program has ended: what was kept, and what went wrong.
    pub fn finish(self) -> (KeptInput, Option<String>) {
        match self.feeder.map(Feeder::finish) {
            Some(Fed { is_whole: false, problem }) if self.kept == KeptInput::Whole => (KeptInput::Part, problem),
            Some(Fed { problem, .. }) => (self.kept, problem),
            None => (self.kept, None),
        }
    }
}

type Prepared = (Stdio, ProgramInput);

fn keep_in(path: &Path) -> io::Result<Prepared> {
    match OwnStdin::get()? {
        OwnStdin::Terminal => Ok(inherited(KeptInput::Terminal)),
        OwnStdin::Null => private::create(path).map(|_| inherited(KeptInput::Whole)),
        OwnStdin::File(mut own) => {
            let position = own.stream_position()?;
            copy_from(&own, position, &mut private::create(path)?)?;
            // Reading must not move our own position: the next run begins where this one does.
            let again = open_again(position).or_else(|_| File::open(path))?;
            Ok((again.into(), ProgramInput { kept: KeptInput::Whole, feeder: None }))
        }
        OwnStdin::Stream(own) => piped(Source::File(own), Some(private::create(path)?), KeptInput::Whole),
    }
}

fn take_from(path: &Path) -> io::Result<Prepared> {
    let file = File::open(path)?;
    match OwnStdin::get()? {
        OwnStdin::File(_) => Ok((file.into(), ProgramInput { kept: KeptInput::NotAsked, feeder: None })),
        OwnStdin::Null if file.metadata()?.len() == 0 => Ok(inherited(KeptInput::NotAsked)),
        _ => piped(Source::File(file), None, KeptInput::NotAsked),
    }
}

enum OwnStdin {
    Terminal,
    /// `/dev/null`.
    Null,
    File(File),
    /// A pipe, a socket, a device.
    Stream(File),
}

impl OwnStdin {
    fn get() -> io::Result<OwnStdin> {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return Ok(OwnStdin::Terminal);
        }
        let file = File::from(stdin.as_fd().try_clone_to_owned()?);
        let about = file.metadata()?;
        let is_null = about.file_type().is_char_device()
            && fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == about.rdev());
        Ok(match about.is_file() {
            true => OwnStdin::File(file),
            false if is_null => OwnStdin::Null,
            false => OwnStdin::Stream(file),
        })
    }
}

fn inherited(kept: KeptInput) -> Prepared {
    (Stdio::inherit(), ProgramInput { kept, feeder: None })
}

fn piped(source: Source, keep: Option<File>, kept: KeptInput) -> io::Result<Prepared> {
    let (stdin, to) = io::pipe()?;
    Ok((stdin.into(), ProgramInput { kept, feeder: Some(Feeder::start(source, keep, to)?) }))
}

fn copy_from(file: &File, mut position: u64, to: &mut File) -> io::Result<()> {
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read_at(&mut bytes, position)? {
            0 => return Ok(()),
            n => {
                to.write_all(&bytes[..n])?;
                position += n as u64;
            }
        }
    }
}

/// Our stdin once more, with a position of its own. Only Linux has a name for it.
fn open_again(position: u64) -> io::Result<File> {
    let mut file = File::open("/proc/self/fd/0")?;
    file.seek(SeekFrom::Start(position))?;
    Ok(file)
}
