//! A server on this machine that listens to other machines.

use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};
use crate::transport::{Target, url};

static BIND: Requirement = Requirement::of_server(
    "http/localhost-bind",
    WARNING,
    ALL,
    "A local server listens on the loopback interface only.",
)
.page(
    "basic/transports#security-warning",
    "Everybody in the same network can use the server.",
    "listen on 127.0.0.1 and ::1 unless the user asks for more",
);

pub(super) static PROBE: Probe = Probe::http(&[&BIND], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.wants(&[&BIND]) {
        return;
    }
    let Target::Url { url, .. } = &step.client.options.target else {
        return;
    };
    if !url::is_local(url) {
        step.not_applicable(&BIND, "the server is not on this machine");
        return;
    }
    let port = url::origin(url)
        .rsplit_once(':')
        .and_then(|(_, port)| port.parse().ok())
        .unwrap_or(80);
    let Some(address) = own_address() else {
        step.not_observed(&BIND, "this machine has no other address");
        return;
    };
    let patience = Duration::from_millis(500);
    if TcpStream::connect_timeout(&SocketAddr::new(address, port), patience).is_ok() {
        let message =
            format!("port {port} is open on {address} too, expected the loopback interface only");
        step.fail(&BIND, message, &[]);
    } else {
        step.pass(&BIND);
    }
}

/// The address that this machine has towards others. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}
