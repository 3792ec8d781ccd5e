"""Verifies a log that was stored as files in the layout of C2SP tlog-tiles.

Written from RFC 6962, RFC 8032 and the texts of C2SP alone, with Python's standard library, so that it shares nothing
with the program that made the log. Ends with 0 when everything fits, and with 1 and a reason when something does not.
"""

import base64
import hashlib
import json
import pathlib
import struct
import sys

# Ed25519 (RFC 8032 section 5.1).
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if y >= P or (x * x - xx) % P or (x == 0 and sign):
        return None
    return P - x if x % 2 != sign else x


def add(p, q):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = p, q
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def read_point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def is_signed(public, message, signature):
    key, commitment = read_point(public), read_point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or key is None or commitment is None or scalar >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    challenge = int.from_bytes(digest, "little") % L
    left, right = multiply(scalar, BASE), add(commitment, multiply(challenge, key))
    same_x = (left[0] * right[2] - right[0] * left[2]) % P == 0
    return same_x and (left[1] * right[2] - right[1] * left[2]) % P == 0


# Merkle trees (RFC 6962 section 2.1).
def sha256(data):
    return hashlib.sha256(data).digest()


def node(left, right):
    return sha256(b"\x01" + left + right)


def root_of(hashes):
    if not hashes:
        return sha256(b"")
    if len(hashes) == 1:
        return hashes[0]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return node(root_of(hashes[:half]), root_of(hashes[half:]))


def path(index, hashes):
    if len(hashes) <= 1:
        return []
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    if index < half:
        return path(index, hashes[:half]) + [root_of(hashes[half:])]
    return path(index - half, hashes[half:]) + [root_of(hashes[:half])]


def growth(size, hashes, whole=True):
    if size == len(hashes) or size == 0:
        return [] if whole else [root_of(hashes)]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    if size <= half:
        return growth(size, hashes[:half], whole) + [root_of(hashes[half:])]
    return growth(size - half, hashes[half:], False) + [root_of(hashes[:half])]


def check(condition, reason):
    if not condition:
        print(reason)
        sys.exit(1)


def open_note(note, vkey):
    name, key_id, rest = vkey.split("+", 2)
    key = base64.b64decode(rest)
    check(sha256(name.encode() + b"\n" + key)[:4].hex() == key_id, "the key does not fit its id")
    text, signatures = note.rsplit("\n\n", 1)
    text += "\n"
    for line in signatures.splitlines():
        dash, signer, blob = line.split(" ")
        data = base64.b64decode(blob)
        if dash == "\u2014" and signer == name and data[:4].hex() == key_id:
            check(is_signed(key[1:], text.encode(), data[4:]), "the checkpoint is not signed")
            origin, size, root = text.splitlines()
            check(origin == name and str(int(size)) == size, "the checkpoint has another form")
            return int(size), base64.b64decode(root)
    check(False, "the checkpoint has no signature by the key")


def name_of(index, width):
    groups = ["%03d" % (index % 1000)]
    while index >= 1000:
        index //= 1000
        groups.insert(0, "x%03d" % (index % 1000))
    return "/".join(groups) + ("" if width == 256 else ".p/%d" % width)


def read_entries(folder, size):
    entries = []
    for index in range((size + 255) // 256):
        width = min(256, size - index * 256)
        data = (folder / "tile/entries" / name_of(index, width)).read_bytes()
        while data:
            (length,) = struct.unpack(">H", data[:2])
            check(len(data) >= 2 + length, "an entry is cut off")
            entries.append(data[2 : 2 + length])
            data = data[2 + length :]
    return entries


def check_tiles(folder, leaves):
    level, hashes = 0, leaves
    while hashes:
        for index in range((len(hashes) + 255) // 256):
            part = hashes[index * 256 : index * 256 + 256]
            data = (folder / "tile" / str(level) / name_of(index, len(part))).read_bytes()
            check(data == b"".join(part), "tile %d of level %d differs" % (index, level))
        full = len(hashes) // 256
        hashes = [root_of(hashes[index * 256 : index * 256 + 256]) for index in range(full)]
        level += 1


def main(folder):
    vkey = (folder / "vkey").read_text()
    size, root = open_note((folder / "checkpoint").read_text(), vkey)
    entries = read_entries(folder, size)
    check(len(entries) == size, "there are %d entries of %d" % (len(entries), size))
    leaves = [sha256(b"\x00" + entry) for entry in entries]
    check(root_of(leaves) == root, "the entries give another root")
    check_tiles(folder, leaves)
    proofs = json.loads((folder / "proofs.json").read_text())
    for proof in proofs["inclusion"]:
        part = leaves[: proof["size"]]
        told = [base64.b64decode(each) for each in proof["hashes"]]
        check(told == path(proof["index"], part), "the proof of leaf %d differs" % proof["index"])
        check(base64.b64decode(proof["root"]) == root_of(part), "a proof has another root")
    for proof in proofs["consistency"]:
        told = [base64.b64decode(each) for each in proof["hashes"]]
        check(told == growth(proof["from"], leaves[: proof["to"]]), "a proof of growth differs")
    print("verified %d entries" % size)


main(pathlib.Path(sys.argv[1]))
