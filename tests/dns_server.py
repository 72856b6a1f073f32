"""A DNS server on loopback with the records that a test gives it; it answers in the real protocol over UDP."""

import socketserver
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

Records = Mapping[tuple[str, str], Sequence[str]]


@dataclass
class DnsServer:
    """Answers from `records` by name and type; NXDOMAIN for other names, nothing at all once it is `silent`."""

    records: Records
    silent: bool = False
    port: int = 0
    asked: list[str] = field(default_factory=list[str])

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def answer(self, wire: bytes) -> bytes | None:
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name, kind = question.name.to_text(), question.rdtype.name
        self.asked.append(name)
        if self.silent:
            return None
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        found = self.records.get((name, kind))
        if found is not None:
            response.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
        elif not any(known == name for known, _ in self.records):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response.to_wire()


@contextmanager
def dns_server(records: Records) -> Generator[DnsServer]:
    """Serve records until the block ends."""
    server = DnsServer(records)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            wire, sender = self.request
            answered = server.answer(wire)
            if answered is not None:
                sender.sendto(answered, self.client_address)

    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Handler) as listening:
        server.port = listening.server_address[1]
        thread = Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()
