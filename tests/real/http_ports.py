"""Waits until something listens on ports: http_ports.py PORT..."""

import socket
import sys
import time


def await_port(port):
    for _ in range(1800):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"nothing listens on port {port}")


if __name__ == "__main__":
    for number in sys.argv[1:]:
        await_port(int(number))
