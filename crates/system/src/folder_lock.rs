//! A lock on a folder, which ends with the process and leaves nothing behind.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::system;

/// A lock on a folder: two runs of a program that take it work one after the other. It binds
/// nobody else. Dropping it ends it.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Waits for the lock; `None` if the folder cannot be locked.
    ///
    /// # Errors
    ///
    /// The folder cannot be opened.
    pub fn wait(folder: &Path) -> io::Result<Option<Self>> {
        let file = system::lock_folder(folder)?;
        Ok(file.map(|file| Self { _file: file }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn the_second_waits_for_the_first_and_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let first = FolderLock::wait(&path).unwrap().expect("a lock");
        let (sender, events) = channel();
        let waiting = thread::spawn(move || {
            sender.send("starts").unwrap();
            let second = FolderLock::wait(&path).unwrap().expect("a lock");
            sender.send("locked").unwrap();
            second
        });
        assert_eq!(events.recv().unwrap(), "starts");
        // It cannot have it: a thread that does not wait would send at once.
        thread::yield_now();
        assert!(events.try_recv().is_err());
        drop(first);
        assert_eq!(events.recv().unwrap(), "locked");
        drop(waiting.join().unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
