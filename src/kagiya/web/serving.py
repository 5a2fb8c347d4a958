"""Serve until Ctrl-C: a port of our own, the address said, the browser opened."""

from __future__ import annotations

import re
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence

import uvicorn

from kagiya.web.app import make_app
from kagiya.web.live import MOST_BYTES
from kagiya.web.security import ANY_ADDRESS, LOOPBACK, is_number
from kagiya.web.server_state import ServerState

HOST = re.compile(r"[\w-]+(\.[\w-]+)*", re.ASCII)


class PortError(ValueError):
    """The port cannot be had."""


class HostError(ValueError):
    """A name that no browser would ask for, or that is not this computer's."""


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without the protocol's number asyncio leaves Nagle's algorithm on, which holds back short answers for 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except socket.gaierror as error:
        listening.close()
        raise HostError(f"{host} is not an address of this computer ({error.args[-1]}); see --host") from None
    except (OSError, OverflowError) as error:
        listening.close()
        raise PortError(
            f"port {port} of {host} cannot be had ({error.args[-1]}); choose another with --port, 0 takes any"
        ) from None
    return listening


def address_of(listening: socket.socket, name: str = "") -> str:
    """What to type into a browser: on this computer, or where it is known by another name."""
    host, port = listening.getsockname()[:2]
    host = name or {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def names_for_others(host: str, allowed: Sequence[str]) -> list[str]:
    """By which names visitors on other computers can open the page."""
    names = list(allowed)
    if host in ANY_ADDRESS and (own := _own_address(host)):
        names.append(own)
    elif host not in LOOPBACK | ANY_ADDRESS:
        names.append(host)
    return names


def _own_address(host: str) -> str:
    """This computer's address in the network, if it is in one; nothing is sent to find it out."""
    family, other = (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((other, 9))
            return str(asking.getsockname()[0])
    except OSError:
        return ""


def checked_hosts(names: Sequence[str]) -> list[str]:
    """Names as they stand in a browser's address, without anything before and behind them."""
    for name in names:
        if not is_number(name) and not HOST.fullmatch(name):
            raise HostError(f"--allow-host takes a name such as kagiya.example or an address, not {name!r}")
    return [name.lower() for name in names]


def serve(house: ServerState, listening: socket.socket, hosts: frozenset[str], when_ready: Callable[[], None]) -> None:
    """Answer on this socket until Ctrl-C; tables are kept, searches stopped."""
    house.load()
    house.get_ready()
    server = make_server(house, hosts)
    threading.Thread(target=_when_started, args=(server, when_ready), daemon=True).start()
    server.run(sockets=[listening])


def make_server(house: ServerState, hosts: frozenset[str]) -> uvicorn.Server:
    """The server, before it is given its socket."""
    config = uvicorn.Config(
        make_app(house, LOOPBACK | frozenset(map(str.lower, hosts))),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        limit_concurrency=2_000,
    )
    return uvicorn.Server(config)


def _when_started(server: uvicorn.Server, when_ready: Callable[[], None]) -> None:
    pause = threading.Event()
    while not server.started and not server.should_exit:
        pause.wait(0.02)
    when_ready()


def open_browser(address: str) -> bool:
    """Show the page; False if there is no browser to do it."""
    return webbrowser.open(address)
