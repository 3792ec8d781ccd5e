/**
 * What is one kept TLS connection to one checked address?
 *
 * An HTTP client of undici that carries one request at a time. It dials the address that it was told,
 * so there is nothing to look up; the URL's name is used for SNI, the certificate and `Host`.
 */
import { connect, type SecureContext, type TLSSocket } from "node:tls"
import { Client } from "undici"

/** What two requests must have in common to share a connection. */
export interface Destination {
  readonly tenant: string
  readonly address: string
  readonly port: number
  /** The host as it stands in a URL. */
  readonly host: string
  /** The name for SNI; nothing when the URL names an address. */
  readonly serverName: string
}

/** How connections are made. */
export interface Settings {
  readonly secureContext: SecureContext
  /** How long an unused connection is kept, in milliseconds. */
  readonly idleMsMax: number
}

/** The TLS session that was agreed on last with a destination, so that shaking hands costs less. */
export interface Resumption {
  session: Buffer | undefined
}

/** One connection, which is opened by its first request. */
export interface Connection {
  readonly client: Client
  /** Whether the handshake is done. */
  readonly isOpen: () => boolean
  /** Calls back once, when the handshake is done. */
  readonly whenOpen: (tell: () => void) => void
  /** Closes the socket at once, whatever it carries. */
  readonly close: () => void
}

const HEADER_BYTES_MAX = 16_384

const refuseLookup = (
  _name: string,
  _options: object,
  callback: (error: Error, address: string, family: number) => void
) => callback(Object.assign(new Error("lookup refused"), { code: "ENOTFOUND" }), "", 4)

const dial = (
  { address, port, serverName }: Destination,
  { secureContext }: Settings,
  { session }: Resumption
): TLSSocket =>
  connect({
    host: address,
    port,
    // WHY: an empty SNI makes Node match an address literal against the certificate's addresses.
    servername: serverName,
    secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    lookup: refuseLookup,
    ...(session === undefined ? {} : { session })
  })

/** The options that let one client carry one request at a time, however long that takes. */
const clientOptions = ({ idleMsMax }: Settings) => ({
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: HEADER_BYTES_MAX,
  // The times are kept by the exchange.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: idleMsMax,
  keepAliveMaxTimeout: idleMsMax
})

/** Prepares a connection; nothing is dialled yet. */
export const make = (
  destination: Destination,
  settings: Settings,
  resumption: Resumption
): Connection => {
  let socket: TLSSocket | undefined
  let isOpen = false
  let tellOpen: (() => void) | undefined
  const client = new Client(`https://${destination.host}:${destination.port}`, {
    ...clientOptions(settings),
    connect: (_, callback) => {
      isOpen = false
      socket = dial(destination, settings, resumption)
      socket.setNoDelay(true)
      socket.on("session", (session) => {
        resumption.session = session
      })
      socket.once("secureConnect", function (this: TLSSocket) {
        this.removeListener("error", refuse)
        isOpen = true
        tellOpen?.()
        tellOpen = undefined
        callback(null, this)
      })
      const refuse = (error: Error) => {
        resumption.session = undefined
        callback(error, null)
      }
      socket.once("error", refuse)
    }
  })
  return {
    client,
    isOpen: () => isOpen,
    whenOpen: (tell) => {
      tellOpen = tell
    },
    close: () => {
      // WHY: a client does not know the socket that it waits for, so that one is closed beside it.
      socket?.on("error", () => {}).destroy()
      client.destroy(() => {})
    }
  }
}
