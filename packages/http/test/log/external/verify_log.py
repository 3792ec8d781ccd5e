"""Verifies a log that was stored as files in the layout of C2SP tlog-tiles, with proofs and receipts of its entries.

Written from RFC 6962, RFC 8032, RFC 9162, RFC 9901 and the texts of C2SP alone, with Python's standard library, so that
it shares nothing with the program that made the log. Ends with 0 when everything fits, and with 1 and a reason when
something does not.
"""

import base64
import json
import pathlib
import struct
import sys

from merkle import is_consistent, is_included, leaf_of, root_of
from notes import Refused, check, open_note, read_key
from receipts import check_receipt


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


def decoded(texts):
    return [base64.b64decode(each, validate=True) for each in texts]


def check_proofs(folder, leaves):
    proofs = json.loads((folder / "proofs.json").read_text())
    for proof in proofs["inclusion"]:
        index, size = proof["index"], proof["size"]
        root = root_of(leaves[:size])
        fits = is_included(index, size, leaves[index], decoded(proof["hashes"]), root)
        told = decoded([proof["leaf_hash"], proof["root"]])
        check(fits and told == [leaves[index], root], "the proof of leaf %d differs" % index)
    for proof in proofs["consistency"]:
        first, second = proof["from"], proof["to"]
        roots = [root_of(leaves[:first]), root_of(leaves[:second])]
        fits = is_consistent(first, second, roots[0], roots[1], decoded(proof["hashes"]))
        check(fits, "the proof of growth from %d to %d differs" % (first, second))
        told = decoded([proof["from_root"], proof["to_root"]])
        check(told == roots, "a proof of growth has another root")


def main(folder):
    log = read_key((folder / "vkey").read_text())
    witnesses = [read_key(line) for line in (folder / "witnesses").read_text().splitlines()]
    size, root = open_note((folder / "checkpoint").read_text(), log, witnesses)
    entries = read_entries(folder, size)
    check(len(entries) == size, "there are %d entries of %d" % (len(entries), size))
    leaves = [leaf_of(entry) for entry in entries]
    check(root_of(leaves) == root, "the entries give another root")
    check_tiles(folder, leaves)
    check_proofs(folder, leaves)
    told = json.loads((folder / "receipts.json").read_text())
    for name, each in told.items():
        text = (folder / "receipts" / name).read_text()
        index, leaf = check_receipt(text, log, witnesses, each)
        check(leaves[index] == leaf, "the receipt %s is of another log" % name)
    print("verified %d entries and %d receipts" % (size, len(told)))


try:
    main(pathlib.Path(sys.argv[1]))
except (Refused, ValueError, KeyError, IndexError, AttributeError, TypeError) as problem:
    print("refused: %s" % problem)
    sys.exit(1)
