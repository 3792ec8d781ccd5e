/**
 * Gets a session from a browser on this computer, in which the person is signed in or signs in.
 *
 * The browser goes on to a port of this computer with a code. Only this process has the verifier without which the code
 * is worth nothing, as with PKCE. RFC 8252, RFC 7636
 */
import { createHash, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import * as BrowserWindow from "../shared/BrowserWindow.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import type { Api } from "../transport/Api.js"

const HOST = "127.0.0.1"

/** For how long a person may take to sign in. */
const WAIT_MS = 5 * 60_000

/** A claimed session. */
export interface BrowserSession {
  readonly token: string
  /** In epoch seconds. */
  readonly expiresAt: number
}

const random = (): string => randomBytes(32).toString("base64url")

/** The code in the address at which the browser arrives; undefined where it is not an answer to this login. */
const codeOf = ({ url = "", method }: IncomingMessage, state: string): string | undefined => {
  const { searchParams } = new URL(url, `http://${HOST}`)
  const isAnswer = method === "GET" && searchParams.get("state") === state
  return isAnswer ? (searchParams.get("code") ?? undefined) : undefined
}

/** Waits for the browser; `done` is the page that it shows in the end. */
const arrival = (
  server: Server,
  expected: { readonly state: string; readonly done: string; readonly signal: AbortSignal }
): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new CommandFailure("unanswered", "the login was not allowed in the browser in time", {
            hint: "run the command again, or give a key: attestry login --key-stdin"
          })
        ),
      WAIT_MS
    )
    const stop = () => reject(expected.signal.reason)
    expected.signal.addEventListener("abort", stop, { once: true })
    server.on("request", (request, response) => {
      const code = codeOf(request, expected.state)
      if (code === undefined) {
        response.writeHead(404, { connection: "close" }).end()
        return
      }
      response.writeHead(303, { location: expected.done, connection: "close" }).end()
      clearTimeout(timer)
      expected.signal.removeEventListener("abort", stop)
      resolve(code)
    })
  })

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, HOST, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

/** The parts of a login: where the pages are, and a client that sends the code as its key. */
export interface BrowserLogin {
  readonly url: string
  readonly apiWith: (key: string) => Pick<Api, "call">
}

/** Claims a session from the browser. */
export const claim = async (
  { host, output }: CommandContext,
  { url, apiWith }: BrowserLogin
): Promise<BrowserSession> => {
  const [verifier, state] = [random(), random()]
  const challenge = createHash("sha256").update(verifier).digest("base64url")
  const page = `${url.replace(/\/(?:api\/v2\/?)?$/, "")}/_/command-line`
  const server = createServer()
  try {
    const query = new URLSearchParams({ port: String(await listen(server)), challenge, state })
    const address = new URL(`${page}?${query}`).href
    const { signal } = host
    const arrived = arrival(server, { state, done: `${page}?done=yes`, signal })
    // WHY not a note: without the address nothing goes on, in no form of output.
    host.stderr.write(`allow the login in a browser on this computer:\n  ${address}\n`)
    // WHY: the person can open the printed address.
    if (host.stdout.isTerminal) await BrowserWindow.open(host, address).catch(() => undefined)
    const code = await arrived
    output.hide(code)
    const claimed = Json.object(
      await apiWith(code).call("session.claim", { payload: { code, verifier } })
    )
    return { token: String(claimed.token), expiresAt: Number(claimed.expires_at) }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
