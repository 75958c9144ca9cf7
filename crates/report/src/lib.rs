//! Violations as text, JSON and NDJSON.
