/**
 * The certificate and the key of a server, read again when their files change, so that a rotation needs no restart. A
 * pair that does not fit, such as one that is half written, leaves the old one in use.
 */
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { createSecureContext } from "node:tls"
import { unreadable } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"

/** A certificate with its chain, and its key. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
  /** When the certificate ends, in epoch milliseconds. */
  readonly endsMs: number
}

/** Reads the files; fails if they are unreadable or do not fit. */
export const read = ({ cwd }: Pick<Host, "cwd">, certFile: string, keyFile: string): TlsPair => {
  try {
    const cert = readFileSync(resolve(cwd, certFile), "utf8")
    const key = readFileSync(resolve(cwd, keyFile), "utf8")
    createSecureContext({ cert, key })
    return { cert, key, endsMs: Date.parse(new X509Certificate(cert).validTo) }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw unreadable(
      `${certFile} and ${keyFile} are no certificate and its key: ${why}`,
      undefined,
      cause
    )
  }
}

/** Whether two pairs are the same. */
export const isSame = (left: TlsPair, right: TlsPair): boolean =>
  left.cert === right.cert && left.key === right.key
