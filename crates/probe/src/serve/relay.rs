//! The server that a client starts over stdio: it hands everything on to the prober that waits for
//! it.
//!
//! The bytes of the client go over in pieces, each with its length, and an empty one when the
//! client closes the pipe. So the prober can tell a server whose input was closed from one that was
//! killed.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;

/// Connects standard input and output with the prober at `address`, which knows the token, until
/// the prober ends it.
///
/// ```no_run
/// mcp_assay_probe::relay("127.0.0.1:40123", "4f9c1b2e")?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn relay(address: &str, token: &str) -> io::Result<()> {
    let mut to_prober = TcpStream::connect(address)?;
    to_prober.set_nodelay(true)?;
    let mut from_prober = to_prober.try_clone()?;
    writeln!(to_prober, "{token}")?;
    // It is not waited for: a read from standard input cannot be interrupted, and the process ends
    // with this function.
    thread::spawn(move || {
        // The prober may be gone.
        let _ = forward(io::stdin().lock(), &mut to_prober);
    });
    let mut output = io::stdout().lock();
    let mut buffer = vec![0; 16 << 10];
    loop {
        match from_prober.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => {
                let written = output.write_all(&buffer[..count]);
                if written.and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
        }
    }
    // The other thread may have closed it.
    let _ = from_prober.shutdown(Shutdown::Both);
    Ok(())
}

fn forward(mut input: impl Read, output: &mut TcpStream) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let count = input.read(&mut buffer)?;
        // The buffer is far shorter than that.
        let length = u32::try_from(count).unwrap_or(u32::MAX);
        output.write_all(&length.to_be_bytes())?;
        output.write_all(&buffer[..count])?;
        if count == 0 {
            return Ok(());
        }
    }
}
