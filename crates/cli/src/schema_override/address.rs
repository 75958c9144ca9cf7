//! Addresses that a server on the internet must not redirect to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is of this machine, of a private network, or not of a single host.
pub(super) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        // "This network" (RFC 1122), reserved (RFC 1112) and broadcast.
        || first == 0
        || first >= 240
        // Between provider and customer (RFC 6598).
        || (first == 100 && (64..128).contains(&second))
        // Protocol assignments (RFC 6890) and benchmarks (RFC 2544).
        || (first, second, third) == (192, 0, 0)
        || (first == 198 && (18..20).contains(&second))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded =
        |high: u16, low: u16| is_private_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    match segments {
        // The unspecified address, loopback, and the IPv4 addresses that are written as IPv6.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => (high == 0 && low <= 1) || embedded(high, low),
        // Translated (RFC 6052) and tunnelled (RFC 3056).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => embedded(high, low),
        // Translated within a network (RFC 8215), tunnelled (RFC 4380), documentation.
        [0x64, 0xff9b, 1, ..] | [0x2001, 0 | 0x0db8, ..] => true,
        // Unique local, link local and site local, multicast.
        [first, ..] => {
            first & 0xfe00 == 0xfc00 || first & 0xff80 == 0xfe80 || first & 0xff00 == 0xff00
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn private_addresses_are_known_in_every_disguise() {
        let private = [
            "127.0.0.1",
            "127.8.8.8",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "192.0.0.8",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
        ];
        for address in private {
            assert!(
                is_private(address.parse().expect("an address")),
                "{address}"
            );
        }
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::",
            "2a00::1",
        ];
        for address in public {
            assert!(
                !is_private(address.parse().expect("an address")),
                "{address}"
            );
        }
    }
}
