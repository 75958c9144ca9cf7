//! The layer and its settings.

use std::sync::Arc;
use std::time::Duration;

use mcp_assay::{Definitions, Policy};
use mcp_assay_live::guard::{Mode, Repairs, Reporter, Values};
use tower_layer::Layer;

use crate::service::Assay;
use crate::shared::{Settings, Shared};

/// Puts an [`Assay`] around a service. All services that one layer makes share their sessions.
#[derive(Clone)]
#[must_use]
pub struct AssayLayer {
    settings: Settings,
    /// Made with the first service, when nothing changes any more.
    shared: Arc<std::sync::OnceLock<Arc<Shared>>>,
}

impl AssayLayer {
    /// A layer under a policy.
    pub fn new(policy: Policy, mode: Mode) -> Self {
        Self::with(Settings::new(policy, mode))
    }

    /// Tells of each message that was judged, and of each part of an exchange without one.
    pub fn reporter(self, reporter: impl Reporter + 'static) -> Self {
        Self::with(Settings {
            reporter: Some(Arc::new(reporter)),
            ..self.settings
        })
    }

    /// Whether refusals quote the value at fault; they do not unless told so.
    pub fn values(self, values: Values) -> Self {
        Self::with(Settings {
            values,
            ..self.settings
        })
    }

    /// The faults that are mended rather than refused, in `enforce`.
    pub fn repairs(self, repairs: Repairs) -> Self {
        Self::with(Settings {
            repairs,
            ..self.settings
        })
    }

    /// Definitions that replace the built-in model.
    pub fn definitions(self, definitions: Arc<dyn Definitions>) -> Self {
        Self::with(Settings {
            definitions: Some(definitions),
            ..self.settings
        })
    }

    /// How many sessions are remembered, and for how long one that is idle: 10,000 and an hour
    /// unless told otherwise.
    pub fn sessions(self, capacity: usize, idle: Duration) -> Self {
        Self::with(Settings {
            capacity,
            idle,
            ..self.settings
        })
    }

    fn with(settings: Settings) -> Self {
        Self {
            settings,
            shared: Arc::default(),
        }
    }
}

impl Default for AssayLayer {
    /// Watches under the usual policy.
    fn default() -> Self {
        Self::new(Policy::default(), Mode::default())
    }
}

impl std::fmt::Debug for AssayLayer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AssayLayer")
            .field("mode", &self.settings.mode)
            .finish_non_exhaustive()
    }
}

impl<S> Layer<S> for AssayLayer {
    type Service = Assay<S>;

    fn layer(&self, inner: S) -> Assay<S> {
        let shared = self
            .shared
            .get_or_init(|| Arc::new(Shared::new(self.settings.clone())));
        Assay::new(inner, Arc::clone(shared))
    }
}
