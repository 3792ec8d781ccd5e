/** Checks envelopes of receipts by Sigstore's own library, with the keys that a deployment publishes. */
import { createPublicKey, type JsonWebKey } from "node:crypto"
import { crypto, dsse } from "@sigstore/core"

interface Envelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>
}

type Key = JsonWebKey & { readonly kid: string }

/** What an envelope says, if every signature of it is true, by a key of the set; undefined otherwise. */
export const statementOf = (envelope: string, keySet: string): unknown => {
  const { payload, payloadType, signatures }: Envelope = JSON.parse(envelope)
  const { keys }: { readonly keys: ReadonlyArray<Key> } = JSON.parse(keySet)
  const bytes = dsse.preAuthEncoding(payloadType, Buffer.from(payload, "base64"))
  const isTrue = ({ keyid, sig }: Envelope["signatures"][number]) => {
    const key = keys.find(({ kid }) => kid === keyid)
    return (
      key !== undefined &&
      crypto.verify(bytes, createPublicKey({ key, format: "jwk" }), Buffer.from(sig, "base64"))
    )
  }
  return signatures.length > 0 && signatures.every(isTrue)
    ? JSON.parse(Buffer.from(payload, "base64").toString("utf8"))
    : undefined
}
