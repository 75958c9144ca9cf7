//! Windows: jobs, access rights of files, programs with an extension.

#![expect(
    unsafe_code,
    reason = "Win32 has no safe interface for jobs and access rights"
)]

use std::ffi::{OsStr, c_void};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::os::windows::process::CommandExt as _;
use std::path::{Path, PathBuf, absolute};
use std::process::{Child, Command};
use std::ptr::{null, null_mut};
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, GENERIC_WRITE, HANDLE, INVALID_HANDLE_VALUE,
    LocalFree,
};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows_sys::Win32::Security::{
    GetTokenInformation, PSECURITY_DESCRIPTOR, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER,
    TokenUser,
};
use windows_sys::Win32::Storage::FileSystem::{
    CREATE_NEW, CreateFileW, FILE_ATTRIBUTE_NORMAL, FILE_CREATION_DISPOSITION,
    FILE_FLAG_DELETE_ON_CLOSE, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, OPEN_ALWAYS,
    ReplaceFileW,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, GetCurrentProcess, INFINITE, OpenProcessToken,
    WaitForSingleObject,
};
use windows_sys::core::{BOOL, PCWSTR, PWSTR};

use crate::process_tree::Console;

/// The exit code of a process that is ended from outside, as the task manager gives it.
const KILLED: u32 = 1;

#[link(name = "ntdll")]
unsafe extern "system" {
    /// Lets a process go on that was started suspended: a `Child` does not tell its first thread.
    fn NtResumeProcess(process: HANDLE) -> i32;
}

/// A job. When its last handle is closed, and we hold the only one, all of its processes end.
#[derive(Debug)]
pub(crate) struct Tree(OwnedHandle);

impl Tree {
    pub(crate) fn spawn(command: &mut Command, console: Console) -> io::Result<(Child, Self)> {
        let tree = Self::new()?;
        let group = match console {
            Console::Shared => 0,
            Console::Separate => CREATE_NEW_PROCESS_GROUP,
        };
        // It starts nothing before it is in the job.
        let mut child = command.creation_flags(CREATE_SUSPENDED | group).spawn()?;
        match tree.start(&child) {
            Ok(()) => Ok((child, tree)),
            Err(error) => {
                // It has not run yet, and the error is the one to report.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn new() -> io::Result<Self> {
        // SAFETY: no arguments; the handle is checked, and nobody else has it.
        let job = unsafe { owned(CreateJobObjectW(null(), null())) }?;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the handle is open, and the pointer and the size are those of one value.
        checked(unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        })?;
        Ok(Self(job))
    }

    /// Takes a suspended process into the job, and lets it run.
    fn start(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        checked(unsafe {
            AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle())
        })?;
        // SAFETY: the handle is open.
        let status = unsafe { NtResumeProcess(child.as_raw_handle()) };
        if status < 0 {
            return Err(io::Error::other(format!(
                "it cannot be resumed: {status:#x}"
            )));
        }
        Ok(())
    }

    pub(crate) fn kill(&self) {
        // SAFETY: the handle is open. If nobody is left, nobody has to be ended.
        let _ = unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }
}

/// Waits for the end of a process beside its [`Child`].
#[derive(Debug)]
pub struct ExitWaiter(OwnedHandle);

impl ExitWaiter {
    /// For a process that was started.
    ///
    /// # Errors
    ///
    /// The system has no handles left.
    pub fn new(child: &Child) -> io::Result<Self> {
        child.as_handle().try_clone_to_owned().map(Self)
    }

    /// Waits until the process has ended.
    pub fn wait(&self) {
        // SAFETY: the handle is open. It fails for no open handle of a process.
        let _ = unsafe { WaitForSingleObject(self.0.as_raw_handle(), INFINITE) };
    }
}

pub(crate) fn create_new_private(path: &Path) -> io::Result<File> {
    create(path, CREATE_NEW)
}

pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let file = create(path, OPEN_ALWAYS)?;
    // Devices have no length.
    if file.metadata().is_ok_and(|it| it.is_file() && it.len() > 0) {
        file.set_len(0)?;
    }
    Ok(file)
}

/// Opens a file for writing. If it is new, it is private.
fn create(path: &Path, disposition: FILE_CREATION_DISPOSITION) -> io::Result<File> {
    let path = wide_path(path)?;
    let descriptor = private_descriptor()?;
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.0,
        bInheritHandle: 0,
    };
    // SAFETY: the path ends in a zero, and everything that is pointed to outlives the call; the
    // handle is checked, and nobody else has it.
    unsafe {
        let handle = CreateFileW(
            path.as_ptr(),
            GENERIC_WRITE,
            // As the standard library opens files: others may read, rename and remove it.
            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
            &raw const attributes,
            disposition,
            FILE_ATTRIBUTE_NORMAL,
            null_mut(),
        );
        owned(handle).map(File::from)
    }
}

/// The access rights of a private file: those that the folders of a user give.
fn private_descriptor() -> io::Result<Allocated> {
    // Full access for the system, its administrators and the user; nothing is inherited.
    let text = format!("D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;{})", user_id()?);
    let text = wide(OsStr::new(&text));
    let mut descriptor: PSECURITY_DESCRIPTOR = null_mut();
    // SAFETY: the text ends in a zero, and the result is written to a variable of ours.
    checked(unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            text.as_ptr(),
            SDDL_REVISION_1,
            &raw mut descriptor,
            null_mut(),
        )
    })?;
    Ok(Allocated(descriptor))
}

/// The user of this process, as access rights name users.
fn user_id() -> io::Result<String> {
    let mut token: HANDLE = null_mut();
    // SAFETY: the handle is written to a variable of ours; nobody else has it.
    let token = unsafe {
        checked(OpenProcessToken(
            GetCurrentProcess(),
            TOKEN_QUERY,
            &raw mut token,
        ))?;
        OwnedHandle::from_raw_handle(token)
    };
    // The structure, and behind it the id that it points to: of at most 68 bytes.
    let mut user = [0_u64; 32];
    let mut length = 0;
    // SAFETY: the length is that of the buffer, whose alignment is that of the structure.
    checked(unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            TokenUser,
            user.as_mut_ptr().cast(),
            size_of_val(&user) as u32,
            &raw mut length,
        )
    })?;
    let mut text: PWSTR = null_mut();
    // SAFETY: the call above has filled in the structure, which points into the living buffer.
    checked(unsafe {
        let user = &*user.as_ptr().cast::<TOKEN_USER>();
        ConvertSidToStringSidW(user.User.Sid, &raw mut text)
    })?;
    let text = Allocated(text.cast());
    let start: *const u16 = text.0.cast();
    // SAFETY: the text ends in a zero, and nothing behind it is read.
    let units = unsafe {
        let mut length = 0;
        while *start.add(length) != 0 {
            length += 1;
        }
        std::slice::from_raw_parts(start, length)
    };
    Ok(String::from_utf16_lossy(units))
}

/// Memory that the system has allocated for us.
struct Allocated(*mut c_void);

impl Drop for Allocated {
    fn drop(&mut self) {
        // SAFETY: it is from a function that says to free it so, and nothing points to it any more.
        unsafe { LocalFree(self.0) };
    }
}

pub(crate) fn replace_file(draft: &Path, target: &Path) -> io::Result<()> {
    let (from, to) = (wide_path(draft)?, wide_path(target)?);
    let backup: PCWSTR = null();
    // SAFETY: both paths end in a zero, and there is no backup.
    let replaced =
        checked(unsafe { ReplaceFileW(to.as_ptr(), from.as_ptr(), backup, 0, null(), null()) });
    // It does more than to rename, and not every file system can do all of that; nor is there
    // always a file to replace.
    replaced.or_else(|_| fs::rename(draft, target))
}

/// The extensions of programs that can be started, in the order of the shell.
const EXTENSIONS: [&str; 4] = ["com", "exe", "bat", "cmd"];

/// The program at a path, whose extension may be left out.
pub(crate) fn program_at(path: PathBuf) -> Option<PathBuf> {
    let is_program = path.extension().is_some_and(|extension| {
        let mut known = EXTENSIONS.iter();
        known.any(|known| extension.eq_ignore_ascii_case(known))
    });
    if is_program && path.is_file() {
        return Some(path);
    }
    // A name may have a dot: `server-2.0` is `server-2.0.exe`.
    let candidates = EXTENSIONS.iter().map(|extension| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        PathBuf::from(name)
    });
    candidates.into_iter().find(|path| path.is_file())
}

/// A folder cannot be locked here: a file in it is held by one run at a time, and removed by the
/// system when that ends.
pub(crate) fn lock_folder(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(".mcp-assay.lock");
    // While a file is being removed it cannot be opened either.
    let mut removals = 100;
    loop {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        options
            .share_mode(0)
            .custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
        let error = match options.open(&path) {
            Ok(file) => return Ok(Some(file)),
            Err(error) => error,
        };
        match error.raw_os_error().map(i32::cast_unsigned) {
            Some(ERROR_SHARING_VIOLATION) => {}
            Some(ERROR_ACCESS_DENIED) if removals > 0 => removals -= 1,
            // A folder that may not be written.
            Some(ERROR_ACCESS_DENIED) => return Ok(None),
            _ => return Err(error),
        }
        // The system cannot be asked to wait.
        thread::sleep(Duration::from_millis(10));
    }
}

/// A text as Win32 takes it.
fn wide(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

/// A path as Win32 takes it; a long one in the form without a limit.
fn wide_path(path: &Path) -> io::Result<Vec<u16>> {
    /// The limit of the usual form is 260, for folders 248.
    const MAX_USUAL: usize = 240;
    let mut units = wide(path.as_os_str());
    if units.len() > MAX_USUAL {
        units = wide(absolute(path)?.as_os_str());
        let starts = |begin: &str| units.starts_with(&wide(OsStr::new(begin))[..begin.len()]);
        if units.get(1) == Some(&u16::from(b':')) {
            units.splice(..0, r"\\?\".encode_utf16());
        } else if starts(r"\\") && !starts(r"\\?\") && !starts(r"\\.\") {
            units.splice(..2, r"\\?\UNC\".encode_utf16());
        }
    }
    match units.iter().position(|unit| *unit == 0) {
        Some(end) if end + 1 == units.len() => Ok(units),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// The handle that a call gave, which fails with null or -1.
///
/// # Safety
///
/// An open handle is not owned by anybody else.
unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open, and the caller says that nobody else owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// The result of a call that fails with zero.
fn checked(result: BOOL) -> io::Result<()> {
    if result == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
