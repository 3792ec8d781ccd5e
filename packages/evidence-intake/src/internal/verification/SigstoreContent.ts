/**
 * The signed content of a bundle: an envelope, or the digest of a bare file, in the form of the library.
 *
 * It is also compared with the document, so that facts and signature are about the same bytes.
 */
import type { Bundle } from "@sigstore/bundle"
import { HashAlgorithm } from "@sigstore/protobuf-specs"
import type { SignedEntity } from "@sigstore/verify"
import type { EvidenceDocument } from "../../EvidenceDocument.js"
import * as DigestSignature from "./DigestSignature.js"
import type { PolicyKey } from "./EnvelopeCheck.js"
import * as EnvelopeCheck from "./EnvelopeCheck.js"
import * as KeySignature from "./KeySignature.js"

type Content = SignedEntity["signature"]
type Signed = Extract<EvidenceDocument["signed"], { readonly kind: "sigstore" }>

const ALGORITHMS: ReadonlyMap<HashAlgorithm, { readonly name: string; readonly bytes: number }> =
  new Map([
    [HashAlgorithm.SHA2_256, { name: "sha256", bytes: 32 }],
    [HashAlgorithm.SHA2_384, { name: "sha384", bytes: 48 }],
    [HashAlgorithm.SHA2_512, { name: "sha512", bytes: 64 }]
  ])

/** Whether the document is what the bundle signs: its envelope, or a subject with its digest. */
export const isOf = (bundle: Bundle, document: EvidenceDocument, signed: Signed): boolean => {
  if (bundle.content.$case === "dsseEnvelope") {
    const { payload, payloadType } = bundle.content.dsseEnvelope
    return (
      signed.envelope !== null &&
      signed.envelope.payloadType === payloadType &&
      payload.equals(signed.envelope.payload)
    )
  }
  const { algorithm, digest } = bundle.content.messageSignature.messageDigest
  const known = ALGORITHMS.get(algorithm)
  if (signed.envelope !== null || known?.bytes !== digest.length) return false
  const expected = digest.toString("hex")
  return document.subjects.some(
    (subject) =>
      Object.hasOwn(subject.digest, known.name) && subject.digest[known.name] === expected
  )
}

/** Whether the signature of the bundle is by a key of the policy. */
export const isSignedBy = (bundle: Bundle, key: PolicyKey): boolean => {
  if (bundle.content.$case === "messageSignature") {
    const { signature, messageDigest } = bundle.content.messageSignature
    return DigestSignature.holds(key.key, { digest: messageDigest.digest, signature })
  }
  const { payload, payloadType, signatures } = bundle.content.dsseEnvelope
  const data = EnvelopeCheck.signedBytes({ payload, payloadType, signatures: [] })
  return signatures.every(({ sig }) => KeySignature.holds(key, { data, signature: sig }))
}

/**
 * The content of the bundle as the library compares and verifies it.
 *
 * WHY: the library verifies the signature of a bare file over its bytes, which are not at hand; the bundle has their
 * digest, which is what the signature is over.
 */
export const content = (bundle: Bundle, fromLibrary: Content): Content => {
  if (bundle.content.$case === "dsseEnvelope") return fromLibrary
  const { signature, messageDigest } = bundle.content.messageSignature
  const { digest } = messageDigest
  const isDigest = (other: Buffer): boolean => digest.equals(other)
  return {
    signature,
    compareSignature: (other) => signature.equals(other),
    compareDigest: isDigest,
    compareSignedDigest: isDigest,
    verifySignature: (key) => DigestSignature.holds(key, { digest, signature })
  }
}

/** The same content, for a signature that was already verified. */
export const verifiedContent = (unverified: Content): Content => ({
  signature: unverified.signature,
  compareSignature: (other) => unverified.compareSignature(other),
  compareDigest: (other) => unverified.compareDigest(other),
  compareSignedDigest: (other) => unverified.compareSignedDigest(other),
  verifySignature: () => true
})
