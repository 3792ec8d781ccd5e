"""Verifies a receipt of a decision: an in-toto statement in an envelope of DSSE, by a key of a JWK set.

Written from the texts of DSSE 1.0, in-toto Statement v1, SLSA 1.2 (Verification Summary), in-toto (Simple Verification
Result 0.2), RFC 7517 and RFC 7638 alone, with Python's standard library. Ends with 0 when the receipt says that the
artifact is compliant, and with 1 and a reason when it does not or cannot be trusted.

    verify_decision.py KEYS RECEIPT SHA256 RESOURCE [NOW]
"""

import base64
import datetime
import hashlib
import json
import pathlib
import sys

from ed25519 import is_signed
from notes import Refused, check

STATEMENT = "https://in-toto.io/Statement/v1"
SUMMARY = "https://slsa.dev/verification_summary/v1"
SIMPLE = "https://in-toto.io/attestation/svr/v0.2"
PAYLOAD = "application/vnd.in-toto+json"
OURS = "urn:attestry:receipt:1"
LEVEL = "ATTESTRY_COMPLIANT"


def base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def thumbprint(jwk):
    members = {name: jwk[name] for name in ("crv", "kty", "x")}
    text = json.dumps(members, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def signed_bytes(kind, payload):
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)


def open_envelope(envelope, keys):
    """The payload, and the key that signed it."""
    check(envelope["payloadType"] == PAYLOAD, "the payload is no statement")
    payload = base64.b64decode(envelope["payload"], validate=True)
    for line in envelope["signatures"]:
        for jwk in keys:
            if jwk["kid"] != line["keyid"]:
                continue
            check(thumbprint(jwk) == jwk["kid"], "a key has another thumbprint")
            signature = base64.b64decode(line["sig"], validate=True)
            message = signed_bytes(PAYLOAD, payload)
            check(is_signed(base64url(jwk["x"]), message, signature), "the signature is false")
            return payload, jwk
    raise Refused("no known key signed it")


def instant(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()


def passed(kind, predicate):
    if kind == SUMMARY:
        return predicate["verificationResult"] == "PASSED" and LEVEL in predicate["verifiedLevels"]
    return LEVEL in predicate["properties"]


def policies_of(kind, predicate):
    if kind == SUMMARY:
        return predicate["policy"]["digest"]["sha256"]
    return predicate["verifier"]["policies"][0]["digest"]["sha256"]


def main(keys, receipt, sha256, resource, now):
    payload, jwk = open_envelope(json.loads(receipt), json.loads(keys)["keys"])
    statement = json.loads(payload)
    kind, predicate = statement["predicateType"], statement["predicate"]
    check(statement["_type"] == STATEMENT and kind in (SUMMARY, SIMPLE), "another statement")
    more = predicate[OURS]
    host = jwk["attestry:origin"].split("/api/v2/log/")[0]
    verifier = predicate["verifier"]["id"].split("://", 1)[1]
    check(verifier == "%s/orgs/%s" % (host, jwk["attestry:org"]), "the key is of another org")
    check(more["log"]["origin"] == jwk["attestry:origin"], "the key is of another log")
    digests = [each["digest"]["sha256"] for each in statement["subject"]]
    check(sha256 in digests, "it is about another artifact")
    about = predicate["resourceUri"] if kind == SUMMARY else more["resource_uri"]
    check(about == resource, "it was decided for another resource")
    text = json.dumps(more["policies"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    check(digest == policies_of(kind, predicate), "the policies have another digest")
    at = instant(predicate["timeVerified" if kind == SUMMARY else "timeCreated"])
    check(at <= now + 300, "it was made in the future")
    if "expires_at" in more:
        check(now < instant(more["expires_at"]), "it has ended")
    check(passed(kind, predicate) and more["verdict"] == "Compliant", "it is not compliant")
    print("verified %s for %s" % (sha256, resource))


try:
    paths = [pathlib.Path(each) for each in sys.argv[1:3]]
    moment = float(sys.argv[5]) if len(sys.argv) > 5 else datetime.datetime.now().timestamp()
    main(paths[0].read_text(), paths[1].read_text(), sys.argv[3], sys.argv[4], moment)
except (Refused, ValueError, KeyError, IndexError, AttributeError, TypeError) as problem:
    print("refused: %s" % problem)
    sys.exit(1)
