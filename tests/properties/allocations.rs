//! A warm validator allocates nothing for a valid message.
//!
#![expect(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use mcp_assay::{Revision, Session, Verdict};
use mcp_assay_tests::{Failures, message_validator, messages};

/// Passes everything on and counts.
struct Counting;

thread_local! {
    /// Of this thread alone: the one that runs the tests allocates, too.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more, and nobody asks for it.
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call is passed on to the system allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` or `realloc` above, that is from the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the pointer came from `alloc` or `realloc` above, that is from the system allocator.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often a message is checked before it counts: buffers of the tape and of open requests have grown by then.
const WARM_UP: usize = 3;

#[test]
fn a_valid_message_allocates_nothing() {
    assert!(
        allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0,
        "the allocator counts"
    );
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let mut validator = message_validator();
        let mut session = Session::new();
        let mut count = 0;
        for message in messages(revision, 2000) {
            let mut check = || validator.check(&mut session, message.frame()).verdict();
            for _ in 0..WARM_UP {
                check();
            }
            let made = allocations(|| assert_eq!(check(), Verdict::Pass));
            let first = allocations(|| {
                assert!(
                    validator
                        .first_violation(&session, message.frame())
                        .is_none()
                );
            });
            count += 1;
            if made + first > 0 {
                let kind = format!("{revision} {} {}", message.kind.name(), message.method.name);
                failures.add(kind, || {
                    format!("{made} in check, {first} in first_violation: {message:?}")
                });
            }
        }
        assert!(count > 3000, "only {count} messages in {revision}");
    }
    failures.finish();
}

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}
