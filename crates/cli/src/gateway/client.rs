//! The client of the servers, and whom it trusts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use mcp_assay_relay::Client;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::Upstream;

pub(super) fn client(
    upstreams: &[Upstream],
    connect_timeout: Duration,
    response_timeout: Duration,
    further_roots: Option<&Path>,
) -> anyhow::Result<Arc<Client>> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(path) = further_roots {
        let context = || format!("failed to read certificates from {}", path.display());
        let certificates = CertificateDer::pem_file_iter(path).with_context(context)?;
        for certificate in certificates {
            let certificate = certificate.with_context(context)?;
            roots.add(certificate).with_context(context)?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .context("failed to set up TLS")?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Client::new(
        upstreams.iter().map(|upstream| upstream.server().clone()),
        connect_timeout,
        response_timeout,
        Arc::new(tls),
    ))
}
