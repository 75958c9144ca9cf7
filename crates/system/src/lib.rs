//! The operating system, where Unix and Windows differ.
//!
//! [`ProcessTree`] ends a process with all that it started, [`command`] finds the program of a
//! command, [`create_private`] makes files that their owner alone can read, [`FolderLock`] keeps
//! other runs of a program out of a folder. The standard library and tokio have the rest: pipes,
//! threads, signals.

mod folder_lock;
mod private_file;
mod process_tree;
mod programs;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

#[cfg(windows)]
pub use self::system::ExitWaiter;
#[cfg(unix)]
pub use rustix::process::Signal;

pub use self::folder_lock::FolderLock;
pub use self::private_file::{create_new_private, create_private, replace_file};
pub use self::process_tree::{Console, ProcessTree};
pub use self::programs::{command, find_program};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
