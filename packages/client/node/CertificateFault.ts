/**
 * The reason why the certificate of a server is not accepted: the fault, and the names and dates of the certificate.
 *
 * The certificate is looked at on a connection of its own, over which nothing is sent.
 */
import type { Duplex } from "node:stream"
import type { PeerCertificate } from "node:tls"

/** The fault of a certificate. */
export type Fault = "early" | "expired" | "other-name" | "untrusted"

const FAULTS: ReadonlyMap<string, Fault> = new Map([
  ["CERT_NOT_YET_VALID", "early"],
  ["CERT_HAS_EXPIRED", "expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "other-name"]
])

const UNTRUSTED = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** The fault of an error; undefined for one that is not about a certificate. */
export const faultOf = (error: unknown): Fault | undefined => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return FAULTS.get(code) ?? (UNTRUSTED.test(code) ? "untrusted" : undefined)
}

/** The server whose certificate is looked at. */
export interface Server {
  readonly host: string
  readonly port: number
  readonly servername: string
  /** A connection to it, where it is reached through a proxy. */
  readonly socket: Duplex | undefined
}

const LOOK_MS_MAX = 5_000

/** The certificate that a server shows; undefined where it shows none in time. */
export const look = async (server: Server): Promise<PeerCertificate | undefined> => {
  const { connect } = await import("node:tls")
  const { socket: through, ...target } = server
  return new Promise((resolve) => {
    const socket = connect({
      ...target,
      ...(through === undefined ? {} : { socket: through }),
      // WHY: the request has failed; this connection reads the certificate and carries nothing.
      rejectUnauthorized: false
    })
    const end = (found: PeerCertificate | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(found)
    }
    const timer = setTimeout(() => end(undefined), LOOK_MS_MAX)
    socket.once("secureConnect", () => end(socket.getPeerCertificate()))
    socket.once("error", () => end(undefined))
  })
}

/** WHY both: a private authority often has no common name. */
const nameOf = (name: PeerCertificate["subject"] | undefined): string => {
  const parts = [name?.CN, name?.O].flat().filter((part) => part !== undefined && part !== "")
  return parts.length === 0 ? "no name" : `\`${parts.join(", ")}\``
}

const sentenceOf = (fault: Fault, host: string, found: PeerCertificate): string => {
  const subject = nameOf(found.subject)
  switch (fault) {
    case "early":
      return `the certificate of ${host} is valid from ${found.valid_from} on`
    case "expired":
      return `the certificate of ${host} was valid until ${found.valid_to}`
    case "other-name":
      return `the certificate is for ${found.subjectaltname ?? subject}, not for ${host}`
    case "untrusted":
      return `the certificate of ${host} is signed by an authority that is not trusted`
  }
}

/** A certificate that is not accepted. */
export class CertificateFault extends Error {
  readonly code: string
  readonly fault: Fault

  constructor(cause: Error, host: string, found: PeerCertificate | undefined) {
    const fault = faultOf(cause) ?? "untrusted"
    const by =
      found === undefined
        ? cause.message
        : `${sentenceOf(fault, host, found)} (subject ${nameOf(found.subject)}, issuer ${nameOf(found.issuer)})`
    // WHY without the cause: callers show the innermost message, which has fewer details.
    super(by)
    this.name = "CertificateFault"
    this.code = "code" in cause ? String(cause.code) : ""
    this.fault = fault
  }
}
