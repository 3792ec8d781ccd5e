"""Signed notes, checkpoints and cosignatures (C2SP signed-note, tlog-checkpoint and tlog-cosignature)."""

import base64

from ed25519 import is_signed
from merkle import sha256

ED25519, COSIGNATURE = 1, 4


class Refused(Exception):
    """Something does not fit."""


def check(condition, reason):
    if not condition:
        raise Refused(reason)


def read_key(vkey):
    name, key_id, rest = vkey.strip().split("+", 2)
    key = base64.b64decode(rest, validate=True)
    told = sha256(name.encode() + b"\n" + key)[:4].hex()
    check(told == key_id, "the key of %s does not fit its id" % name)
    return {"name": name, "id": key_id, "type": key[0], "public": key[1:]}


def signed_by(key, text, blob):
    """Whether what follows the id of a key is its signature of a text."""
    if key["type"] == ED25519:
        return is_signed(key["public"], text.encode(), blob)
    time = int.from_bytes(blob[:8], "big")
    message = "cosignature/v1\ntime %d\n%s" % (time, text)
    return len(blob) == 72 and is_signed(key["public"], message.encode(), blob[8:])


def open_note(note, log, witnesses):
    """The size and the root that the log has signed; every witness must have cosigned them."""
    text, signatures = note.rsplit("\n\n", 1)
    text += "\n"
    found = set()
    for line in signatures.splitlines():
        dash, signer, blob = line.split(" ")
        check(dash == "\u2014", "a signature has another form")
        data = base64.b64decode(blob, validate=True)
        for key in [log] + witnesses:
            if signer == key["name"] and data[:4].hex() == key["id"]:
                check(signed_by(key, text, data[4:]), "%s has not signed the checkpoint" % signer)
                found.add(key["id"])
    for key in [log] + witnesses:
        check(key["id"] in found, "the checkpoint has no signature by %s" % key["name"])
    origin, size, root = text.splitlines()
    check(origin == log["name"] and str(int(size)) == size, "the checkpoint has another form")
    return int(size), base64.b64decode(root, validate=True)
