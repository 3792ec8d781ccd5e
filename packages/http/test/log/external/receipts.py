"""Receipts of entries (C2SP tlog-proof) and what they disclose (RFC 9901 sections 4.2 and 7.1)."""

import base64
import json

from merkle import is_included, leaf_of, sha256
from notes import check, open_note


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read_disclosure(text):
    salt, name, value = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    check(isinstance(salt, str) and name not in ("_sd", "..."), "a disclosure has another form")
    return name, value


def reveal(value, known, used):
    """A value with disclosures in the place of their digests."""
    if isinstance(value, list):
        return [reveal(each, known, used) for each in value]
    if not isinstance(value, dict):
        return value
    shown = {name: reveal(each, known, used) for name, each in value.items() if name != "_sd"}
    for digest in value.get("_sd", []):
        check(digest not in used, "a digest occurs twice")
        used.add(digest)
        if digest in known:
            name, member = known[digest]
            check(name not in shown, "a member is there twice")
            shown[name] = reveal(member, known, used)
    return shown


def read_entry(entry, disclosures):
    """What an entry says with its disclosures; each of them must be of it."""
    known = {base64url(sha256(each.encode())): read_disclosure(each) for each in disclosures}
    used = set()
    said = json.loads(entry)
    check(said["v"] == "attestry-leaf/1" and said["_sd_alg"] == "sha-256", "another format")
    shown = reveal(said, known, used)
    check(set(known) <= used, "a disclosure is of another entry")
    return shown


def check_receipt(text, log, witnesses, told):
    head, note = text.split("\n\n", 1)
    header, extra, index, *path = head.split("\n")
    check(header == "c2sp.org/tlog-proof@v1", "the receipt has another form")
    check(extra.startswith("extra ") and index.startswith("index "), "the receipt has another form")
    size, root = open_note(note, log, witnesses)
    place = int(index[6:])
    content = json.loads(base64.b64decode(extra[6:], validate=True))
    entry = base64.b64decode(content["entry"], validate=True)
    hashes = [base64.b64decode(each, validate=True) for each in path]
    check(is_included(place, size, leaf_of(entry), hashes, root), "the entry is not included")
    shown = read_entry(entry, content["disclosures"])
    check(place == told["index"] and said_of(shown) == told["said"], "the entry says other things")
    return place, leaf_of(entry)


def said_of(shown):
    facts = shown["facts"]
    return {
        "kind": facts["kind"],
        "subject": facts["subject"],
        "actor": facts["actor"]["name"],
        "details": {name: each for name, each in shown.items() if name in ("body", "report")},
    }
