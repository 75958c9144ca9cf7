//! Connections to the servers: HTTP/1.1, kept open, with TLS or without.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::upload::Upload;

/// Makes requests to the servers. It follows no redirect, decodes nothing and adds nothing.
pub(super) type Client = legacy::Client<HttpsConnector<HttpConnector>, Upload>;

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(30);

pub(super) fn client(
    connect_timeout: Duration,
    further_roots: Option<&Path>,
) -> anyhow::Result<Client> {
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
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(connect_timeout));
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp);
    let client = legacy::Client::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE)
        .pool_timer(TokioTimer::new())
        .http1_preserve_header_case(true)
        .set_host(false)
        .build(connector);
    Ok(client)
}
