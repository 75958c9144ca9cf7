//! Futures in boxes: the parts of the relay need no types of each other's.

use std::pin::Pin;

/// Something that is waited for.
pub(crate) type Waiting<T> = Pin<Box<dyn Future<Output = T> + Send>>;
