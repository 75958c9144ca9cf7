//! The budget of a check.

use core::cell::Cell;
use core::ptr;

use super::complexity::Work;

/// The growth of the stack in one check. Threads have at least a megabyte.
const MAX_STACK: usize = 512 << 10;

/// Errors that are collected before they are counted as too many.
const MAX_ERRORS: u32 = 2_000;

/// The work of a pattern for one step: states times bytes.
const STATES_PER_STEP: u64 = 32;

/// The cost of the schemas of a check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    /// For a member or item, in addition to its content.
    child: u64,
    /// For a byte of text, in states of patterns.
    text: u64,
    /// The same for a name: the check of names cannot pay, so they are paid for in advance.
    name: u64,
}

impl Prices {
    /// Computed from the schemas that may check a value, and from the heaviest patterns.
    pub(super) fn new(work: Work, weight: u64) -> Self {
        Self {
            child: work.unpaid.saturating_add(1),
            text: weight.saturating_add(1),
            name: weight
                .saturating_add(1)
                .saturating_mul(work.name.saturating_add(1)),
        }
    }
}

/// The remaining budget. The check cannot be stopped from outside: once the budget is used up,
/// values look empty, and the result of the check is discarded.
pub(crate) struct Meter {
    steps: Cell<u64>,
    errors: Cell<u32>,
    base: usize,
    prices: Prices,
}

impl Meter {
    pub(super) fn new(steps: u64, prices: Prices) -> Self {
        Self {
            steps: Cell::new(steps),
            errors: Cell::new(MAX_ERRORS),
            base: stack_address(),
            prices,
        }
    }

    /// For a document that the user trusts: only the stack is limited.
    pub(crate) fn unlimited() -> Self {
        let prices = Prices {
            child: 0,
            text: 0,
            name: 0,
        };
        Self {
            errors: Cell::new(u32::MAX),
            ..Self::new(u64::MAX, prices)
        }
    }

    /// Whether everything was paid for.
    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() == 0
    }

    /// Pays, if possible.
    #[inline]
    pub(super) fn pay(&self, steps: u64) -> bool {
        let left = self.steps.get().saturating_sub(steps);
        self.steps.set(left);
        left > 0
    }

    /// Pays for reading a container, and checks the stack.
    #[inline]
    pub(super) fn enter(&self) -> bool {
        if stack_address().abs_diff(self.base) > MAX_STACK {
            self.steps.set(0);
        }
        self.pay(1)
    }

    /// Pays for a member or an item; `name` is the length of its name.
    #[inline]
    pub(super) fn pay_child(&self, name: usize) -> bool {
        let name = price(name, self.prices.name);
        self.pay(self.prices.child.saturating_add(name))
    }

    /// Pays for a text that patterns may be run on.
    #[inline]
    pub(super) fn pay_text(&self, length: usize) -> bool {
        self.pay(price(length, self.prices.text).saturating_add(1))
    }

    /// Pays for an error.
    pub(super) fn pay_error(&self) {
        let left = self.errors.get().saturating_sub(1);
        self.errors.set(left);
        if left == 0 {
            self.steps.set(0);
        }
    }
}

#[inline]
fn price(length: usize, states: u64) -> u64 {
    (length as u64).saturating_mul(states) / STATES_PER_STEP
}

/// The approximate position of the stack.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    ptr::from_ref(core::hint::black_box(&here)).addr()
}
