/** Documents of Sigstore bundles, read far enough for tests of verification. */
import type { Subject } from "@attestry/core/EvidenceFacts"
import type { Envelope, EvidenceDocument } from "../../src/EvidenceDocument.js"
import * as Documents from "./Documents.js"

interface BundleJson {
  readonly dsseEnvelope?: {
    readonly payload: string
    readonly payloadType: string
    readonly signatures: ReadonlyArray<{ readonly sig: string; readonly keyid?: string }>
  }
  readonly messageSignature?: { readonly messageDigest?: { readonly digest?: string } }
}

const envelopeOf = ({ dsseEnvelope }: BundleJson): Envelope | null =>
  dsseEnvelope === undefined
    ? null
    : {
        payloadType: dsseEnvelope.payloadType,
        payload: Buffer.from(dsseEnvelope.payload, "base64"),
        signatures: dsseEnvelope.signatures.map(({ sig, keyid }) => ({
          keyId: keyid ?? null,
          bytes: Buffer.from(sig, "base64")
        }))
      }

const subjectsOf = (bundle: BundleJson, envelope: Envelope | null): ReadonlyArray<Subject> => {
  if (envelope !== null)
    try {
      return JSON.parse(Buffer.from(envelope.payload).toString()).subject ?? []
    } catch {
      return []
    }
  const digest = bundle.messageSignature?.messageDigest?.digest ?? ""
  return [{ name: null, digest: { sha256: Buffer.from(digest, "base64").toString("hex") } }]
}

/** The document of a bundle: provenance for an envelope, a signature for a bare file. */
export const documentOf = (bundle: object, rest: Partial<EvidenceDocument> = {}) => {
  const json: BundleJson = bundle
  const envelope = envelopeOf(json)
  const facts = envelope === null ? Documents.signature : Documents.provenance
  return Documents.documentOf(
    facts,
    { kind: "sigstore", bundle, envelope },
    { subjects: subjectsOf(json, envelope), ...rest }
  )
}
