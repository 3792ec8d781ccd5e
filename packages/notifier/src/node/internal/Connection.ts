/**
 * One TLS connection to one permitted address: an undici client with one request at a time.
 *
 * It dials the address without DNS; the URL's name is used for SNI, the certificate and `Host`.
 */
import { connect, type SecureContext, type TLSSocket } from "node:tls"
import { Client } from "undici"

/** The properties that requests on one connection share. */
export interface Destination {
  readonly tenant: string
  readonly address: string
  readonly port: number
  /** The host as in a URL. */
  readonly host: string
  /** The name for SNI; empty when the URL has an address. */
  readonly serverName: string
}

/** How connections are made. */
export interface Settings {
  readonly secureContext: SecureContext
  /** How long an unused connection is kept, in milliseconds. */
  readonly idleMsMax: number
}

/** The last TLS session with a destination, which makes the next handshake cheaper. */
export interface Resumption {
  session: Buffer | undefined
}

/** One connection, which its first request opens. */
export interface Connection {
  readonly client: Client
  /** Whether the handshake is done. */
  readonly isOpen: () => boolean
  /** Calls back once, when the handshake is done. */
  readonly whenOpen: (callback: () => void) => void
  /** Closes the socket immediately, also during a request. */
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

/** One request at a time, without undici's own timeouts. */
const clientOptions = ({ idleMsMax }: Settings) => ({
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: HEADER_BYTES_MAX,
  // WHY: `HttpsExchange` has the timeouts.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: idleMsMax,
  keepAliveMaxTimeout: idleMsMax
})

/** Prepares a connection without dialling. */
export const make = (
  destination: Destination,
  settings: Settings,
  resumption: Resumption
): Connection => {
  let socket: TLSSocket | undefined
  let isOpen = false
  let onOpen: (() => void) | undefined
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
        onOpen?.()
        onOpen = undefined
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
    whenOpen: (callback) => {
      onOpen = callback
    },
    close: () => {
      // WHY: undici does not know a socket whose handshake is not done, so it is closed separately.
      socket?.on("error", () => {}).destroy()
      client.destroy(() => {})
    }
  }
}
