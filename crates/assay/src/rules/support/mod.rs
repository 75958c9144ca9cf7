//! What several rules need.

mod capability;

pub(crate) use self::capability::needs;
