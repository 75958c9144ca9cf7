//! The model as JSON Schema.
