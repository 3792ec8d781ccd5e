/** The identity in a certificate of Sigstore's certificate authority: who signed, in which run of which repository. */
import { ASN1Obj } from "@sigstore/core"
import type { Signer } from "@sigstore/verify"
import type { SigstoreIdentity } from "./SignatureCheck.js"

const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17"
/** The arc of the extensions of the certificate authority. */
const ARC = "1.3.6.1.4.1.57264.1"
/** The issuer as bare text, which older certificates have. */
const ISSUER_AS_TEXT = `${ARC}.1`
const ISSUER = `${ARC}.8`
const BUILD_SIGNER = `${ARC}.9`
const RUNNER = `${ARC}.11`
const SOURCE_REPOSITORY = `${ARC}.12`
const SOURCE_REF = `${ARC}.14`
const SOURCE_REPOSITORY_ID = `${ARC}.15`
const TRIGGER = `${ARC}.20`

/** The tag of UTF8String. */
const UTF8_STRING = 0x0c

const utf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // WHY: bytes that are no text are no identity, so that they match no rule.
    return null
  }
}

/** The text in an extension; null if it is no UTF8String. */
const textOf = (extension: Buffer): string | null => {
  try {
    const value = ASN1Obj.parseBuffer(Buffer.from(extension))
    return value.tag.toDER() === UTF8_STRING ? utf8(value.value) : null
  } catch {
    // WHY: an extension that cannot be decoded is absent, so that it matches no rule.
    return null
  }
}

/** The identity of a signer that the library verified; null for a signer without a certificate. */
export const of = (signer: Signer): SigstoreIdentity | null => {
  if (signer.identity === undefined) return null
  const extensions = new Map<string, Buffer>()
  for (const { oid, value } of signer.identity.oids ?? [])
    if (oid !== undefined) extensions.set(oid.id.join("."), value)
  const text = (oid: string): string | null => {
    const extension = extensions.get(oid)
    return extension === undefined ? null : textOf(extension)
  }
  const legacyIssuer = extensions.get(ISSUER_AS_TEXT)
  const legacy = legacyIssuer === undefined ? null : utf8(legacyIssuer)
  return {
    kind: "sigstore",
    issuer: extensions.has(ISSUER) ? text(ISSUER) : legacy,
    san: sanOf(signer.identity.subjectAlternativeName, extensions.get(SUBJECT_ALTERNATIVE_NAME)),
    source_repository: text(SOURCE_REPOSITORY),
    source_repository_id: text(SOURCE_REPOSITORY_ID),
    source_ref: text(SOURCE_REF),
    build_signer: text(BUILD_SIGNER),
    trigger: text(TRIGGER),
    runner: text(RUNNER)
  }
}

/**
 * The name, if the certificate has exactly these bytes.
 *
 * WHY: the library drops the highest bit of every byte, so that a name of other bytes could look like an expected one.
 */
const sanOf = (san: string | undefined, extension: Buffer | undefined): string | null =>
  san !== undefined && extension?.includes(Buffer.from(san, "utf8")) === true ? san : null
