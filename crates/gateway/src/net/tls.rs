//! The certificates that are trusted in servers.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use crate::error::Error;

/// Trusts the usual roots, and the certificates in a PEM file.
pub(crate) fn tls(further_roots: Option<&Path>) -> Result<Arc<ClientConfig>, Error> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(path) = further_roots {
        let unreadable = |error| Error::Certificates(path.to_owned(), error);
        let certificates = CertificateDer::pem_file_iter(path);
        for certificate in certificates.map_err(|error| unreadable(error.into()))? {
            let certificate = certificate.map_err(|error| unreadable(error.into()))?;
            roots
                .add(certificate)
                .map_err(|error| unreadable(error.into()))?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Tls(error.into()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(tls))
}
