/** A bill of materials that is signed with a new key, and the trust policy that names the key. */
import { createHash, generateKeyPairSync, sign } from "node:crypto"

const IN_TOTO = "application/vnd.in-toto+json"

/** The SHA-256 of a text. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** A key with what it signs about an artifact of this name. */
export const make = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString()

  const statement = (digest: string): Buffer =>
    Buffer.from(
      JSON.stringify({
        _type: "https://in-toto.io/Statement/v1",
        subject: [{ name, digest: { sha256: digest } }],
        predicateType: "https://cyclonedx.org/bom",
        predicate: {
          bomFormat: "CycloneDX",
          specVersion: "1.6",
          components: [{ type: "library", name: "a", version: "1", purl: "pkg:npm/a@1" }]
        }
      })
    )

  /** The envelope of a payload; its signature may be over another one. */
  const envelope = (payload: Buffer, signed = payload): string => {
    const head = Buffer.from(`DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${signed.length} `)
    const sig = sign(null, Buffer.concat([head, signed]), privateKey).toString("base64")
    return JSON.stringify({
      payloadType: IN_TOTO,
      payload: payload.toString("base64"),
      signatures: [{ sig, keyid: "release" }]
    })
  }

  const trust = `_schema: https://example.com/schemas/trust-policy/v1
keys:
  - id: release
    public_key: |
${pem.trimEnd().replace(/^/gm, "      ")}
rules:
  - name: releases are signed
    kinds: [sbom]
    signer: { keys: [release] }
`
  return { statement, envelope, trust }
}
