//! A URI that others are compared with: equal, or a continuation of it.

use std::hash::BuildHasher;

use super::Seed;

/// The length up to which the bytes of a URI are stored. It bounds memory and changes no result: a
/// longer one is compared by length and hash.
const MAX_STORED: usize = 4096;

/// A tracked URI.
#[derive(Clone, Debug)]
pub(crate) enum UriPrefix {
    Short(Box<[u8]>),
    Long { length: usize, hash: u64 },
}

impl UriPrefix {
    pub(crate) fn of(uri: &[u8]) -> Self {
        if uri.len() <= MAX_STORED {
            return Self::Short(uri.into());
        }
        Self::Long {
            length: uri.len(),
            hash: Seed.hash_one(uri),
        }
    }

    /// The part of another URI after this one, if it begins with this one.
    pub(crate) fn strip_from<'u>(&self, uri: &'u [u8]) -> Option<&'u [u8]> {
        match self {
            Self::Short(prefix) => uri.strip_prefix(&**prefix),
            Self::Long { length, hash } => {
                let (start, rest) = uri.split_at_checked(*length)?;
                (Seed.hash_one(start) == *hash).then_some(rest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_uris_are_told_apart_at_any_byte() {
        for length in [10, MAX_STORED, MAX_STORED + 1, 3 * MAX_STORED] {
            let uri = vec![b'u'; length];
            let prefix = UriPrefix::of(&uri);
            assert_eq!(prefix.strip_from(&uri), Some(&b""[..]));
            let longer = [&*uri, b"/x"].concat();
            assert_eq!(prefix.strip_from(&longer), Some(&b"/x"[..]));
            assert_eq!(prefix.strip_from(&uri[1..]), None);
            let mut other = uri;
            other[length - 1] = b'v';
            assert_eq!(prefix.strip_from(&other), None);
        }
    }
}
