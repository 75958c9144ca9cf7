//! State that is allocated when it first changes: most sessions use few features, and a program may
//! hold a million sessions.

use core::ops::{Deref, DerefMut};

/// A part of the state. While it is unused it takes no memory of its own, and reads as the default.
#[derive(Clone, Debug)]
pub(crate) struct Lazy<T>(Option<Box<T>>);

/// A type with one shared value that stands for every unused part of the state.
pub(crate) trait Unused: Default + 'static {
    /// The shared default.
    fn unused() -> &'static Self;
}

/// Implements [`Unused`].
macro_rules! unused {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::session::lazy::Unused for $type {
            fn unused() -> &'static Self {
                static UNUSED: std::sync::LazyLock<$type> =
                    std::sync::LazyLock::new(<$type>::default);
                &UNUSED
            }
        }
    )+};
}

pub(crate) use unused;

impl<T> Lazy<T> {
    /// The part, if it was ever changed.
    pub(crate) fn used_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Unused> Deref for Lazy<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(used) => used,
            None => T::unused(),
        }
    }
}

impl<T: Unused> DerefMut for Lazy<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}
