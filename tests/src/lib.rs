//! Shared by the oracle and property tests.
