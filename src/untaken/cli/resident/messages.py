"""What goes through the socket: a request with descriptors, then signals in one direction and a status in the other.

A request is its size (8 bytes), the umask and the number of words (4 bytes each), then words and variables of the
environment, each with a zero behind it. `client.c` writes the same.
"""

from __future__ import annotations

import os
from _socket import CMSG_SPACE, MSG_CMSG_CLOEXEC, SCM_RIGHTS, SOL_SOCKET, socket

STREAMS = 3
_SIZE, _NUMBER = 8, 4  # bytes
_MOST = 64 << 20  # bytes of a request: kernels allow far less for words and environment

CompilerCall = tuple[int, list[bytes], dict[bytes, bytes]]  # umask, words with the command's name, environment


class Broken(Exception):
    """The other side has left, or is not one of ours."""


def send_request(connection: socket, words: list[str]) -> None:
    """Asks for a call as this process would make it: its environment, streams, folder and umask."""
    umask = os.umask(0o077)
    os.umask(umask)
    texts = [*map(os.fsencode, words), *(b"%s=%s" % item for item in os.environb.items())]
    body = _number(umask) + _number(len(words)) + b"".join(text + b"\0" for text in texts)
    folder = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        descriptors = b"".join(map(_number, (*range(STREAMS), folder)))
        data = len(body).to_bytes(_SIZE, "little") + body
        sent = connection.sendmsg([data], [(SOL_SOCKET, SCM_RIGHTS, descriptors)])
        connection.sendall(data[sent:])
    finally:
        os.close(folder)


def receive_request(connection: socket) -> tuple[CompilerCall, list[int]]:
    """The request, with descriptors of the streams and the folder, which are the receiver's to close."""
    data, ancillary, _, _ = connection.recvmsg(_SIZE, CMSG_SPACE((STREAMS + 1) * _NUMBER), MSG_CMSG_CLOEXEC)
    descriptors = [
        _read_number(numbers, at)
        for level, kind, numbers in ancillary
        if (level, kind) == (SOL_SOCKET, SCM_RIGHTS)
        for at in range(0, len(numbers), _NUMBER)
    ]
    try:
        size = int.from_bytes(data, "little")
        if len(data) != _SIZE or len(descriptors) != STREAMS + 1 or not 2 * _NUMBER <= size <= _MOST:
            raise Broken
        return _read(_received(connection, size)), descriptors
    except BaseException:
        close_all(descriptors)
        raise


def close_all(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def send_status(connection: socket, status: int) -> None:
    """How the process ended, as `waitpid` says."""
    connection.sendall(_number(status))


def receive_status(connection: socket) -> int:
    return _read_number(_received(connection, _NUMBER), 0)


def _read(body: bytes) -> CompilerCall:
    umask, count = _read_number(body, 0), _read_number(body, _NUMBER)
    texts = body[2 * _NUMBER :].split(b"\0")[:-1]
    variables = (text.partition(b"=") for text in texts[count:])
    return umask, texts[:count], {name: value for name, sign, value in variables if name and sign}


def _number(value: int) -> bytes:
    return value.to_bytes(_NUMBER, "little")


def _read_number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + _NUMBER], "little")


def _received(connection: socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise Broken
        data += part
    return bytes(data)
