//! The functions of the host: random bytes, and the end of a module that panics.
#![expect(
    unsafe_code,
    reason = "functions of the host, and memory that they fill"
)]

use std::panic::PanicHookInfo;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    #[link_name = "random"]
    fn host_random(start: *mut u8, length: usize);
    #[link_name = "panic"]
    fn host_panic(start: *const u8, length: usize);
}

/// Bytes by which the heap may begin later.
const MAX_SHIFT: usize = 1 << 20;

/// Prepares a new instance.
pub(crate) fn start() {
    std::panic::set_hook(Box::new(report));
    // The seeds of `foldhash` are made of addresses, which are the same in every instance unless
    // something moves them.
    let mut random = [0; 4];
    fill(&mut random);
    let shift = u32::from_le_bytes(random) as usize % MAX_SHIFT;
    Vec::<u8>::with_capacity(shift).leak();
}

fn fill(bytes: &mut [u8]) {
    // SAFETY: the host writes `length` bytes from `start` on, which are those of the slice.
    unsafe { host_random(bytes.as_mut_ptr(), bytes.len()) }
}

/// Hands the text of a panic to the host, which drops the instance.
fn report(panic: &PanicHookInfo<'_>) {
    let text = panic.to_string();
    // SAFETY: the host reads `length` bytes from `start` on, which are those of the text.
    unsafe { host_panic(text.as_ptr(), text.len()) }
}

/// The random bytes of `getrandom`, version 0.3.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature is that of `getrandom`"
)]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    start: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: the caller gives memory of that length that may be written to.
    unsafe { host_random(start, length) };
    Ok(())
}
