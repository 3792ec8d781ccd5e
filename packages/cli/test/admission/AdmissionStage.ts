/** `attestry admit` in this process on real sockets: its files, its clock, and API servers that ask it over TLS. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:https"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { folder, type Machine, run } from "../shared/Run.js"
import * as Certificates from "../transport/Certificates.js"

const reviews = join(import.meta.dirname, "reviews")

type Fields = { readonly [name: string]: unknown }

/** The names of all reviews. */
export const reviewNames = (): ReadonlyArray<string> =>
  readdirSync(reviews).map((file) => file.replace(/\.json$/, ""))

/** The text of a review, in the form in which API servers send it. */
export const reviewText = (name: string): string =>
  readFileSync(join(reviews, `${name}.json`), "utf8")

/** A review, with the images that texts in it stand for. */
export const reviewOf = (name: string, images: Readonly<Record<string, string>> = {}): string =>
  Object.entries(images).reduce((text, [from, to]) => text.replaceAll(from, to), reviewText(name))

/** An answer. */
export interface Answered {
  readonly status: number
  readonly text: string
}

/** What an API server reads of an answer. */
export interface Response {
  readonly uid: string
  readonly allowed: boolean
  readonly status?: { readonly code: number; readonly message: string }
  readonly warnings?: ReadonlyArray<string>
  readonly auditAnnotations: Fields
}

/** A running command. */
export interface Admitting {
  readonly port: number
  readonly authority: Certificates.Authority
  readonly clock: { now: number }
  readonly files: { readonly cert: string; readonly key: string }
  /** What was printed so far. */
  readonly printed: () => { readonly stdout: string; readonly stderr: string }
  readonly post: (
    path: string,
    body: string | Uint8Array,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Answered>
  readonly get: (path: string) => Promise<Answered>
  /** Sends a review and reads the response; fails for an answer that is none. */
  readonly review: (text: string) => Promise<Response>
  /** Asks the process to stop, and gives its exit code. */
  readonly stop: () => Promise<number>
}

/** How a command is started. */
export interface AdmitOptions {
  readonly flags: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly rules?: string
  /** How long the sleeps of the command really are. */
  readonly sleepMs?: number
  readonly machine?: Machine
}

/** The answer to a request over TLS, which trusts the authority alone. */
const ask = (
  { port, ca, agent }: { port: number; ca: string; agent: Agent | false },
  {
    path,
    method,
    body,
    headers
  }: {
    readonly path: string
    readonly method: string
    readonly body?: string | Uint8Array
    readonly headers?: Readonly<Record<string, string>>
  }
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        ca,
        agent,
        headers: { "content-type": "application/json", ...headers }
      },
      (response) => {
        const pieces: Array<Buffer> = []
        response.on("data", (piece: Buffer) => pieces.push(piece))
        response.on("error", reject)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(pieces).toString("utf8")
          })
        )
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

const responseOf = ({ status, text }: Answered): Response => {
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return JSON.parse(text).response
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Starts the command and waits until it listens. */
export const start = async (options: AdmitOptions): Promise<Admitting> => {
  const { env, flags, rules, sleepMs = 25 } = options
  const cwd = folder()
  const authority = Certificates.authority()
  const files = { cert: join(cwd, "tls.crt"), key: join(cwd, "tls.key") }
  const pair = authority.sign("IP:127.0.0.1")
  writeFileSync(files.cert, pair.cert)
  writeFileSync(files.key, pair.key)
  if (rules !== undefined) writeFileSync(join(cwd, "rules.yaml"), rules)
  const controller = new AbortController()
  const clock = { now: Date.now() }
  const printed = { stdout: "", stderr: "" }
  const port = await freePort()
  const ended = run(
    ["admit", "--cert-file", "tls.crt", "--key-file", "tls.key", "--port", String(port), ...flags],
    {
      cwd,
      env,
      ...options.machine,
      host: {
        signal: controller.signal,
        now: () => clock.now,
        sleep: async () => {
          await new Promise((resolve) => setTimeout(resolve, sleepMs))
        },
        stdout: {
          isTerminal: false,
          columns: 100,
          write: (text) => {
            printed.stdout += text
          }
        },
        stderr: {
          isTerminal: false,
          columns: 100,
          write: (text) => {
            printed.stderr += text
          }
        }
      }
    }
  )
  const to = { port, ca: readFileSync(authority.file, "utf8"), agent: false as const }
  const agent = new Agent({ keepAlive: true, ca: to.ca, maxSockets: 64 })
  const post: Admitting["post"] = (path, body, headers = {}) =>
    ask({ ...to, agent }, { path, method: "POST", body, headers })
  const get: Admitting["get"] = (path) => ask(to, { path, method: "GET" })
  const live = async (): Promise<void> => {
    for (;;) {
      const answer = await get("/live").catch(() => undefined)
      if (answer?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const failed = ended.then(({ code }) => {
    throw new Error(`the command ended with ${code}: ${printed.stderr}`)
  })
  await Promise.race([live(), failed])
  failed.catch(() => {})
  return {
    port,
    authority,
    clock,
    files,
    printed: () => printed,
    post,
    get,
    review: async (text) => responseOf(await post("/admit?timeout=10s", text)),
    stop: async () => {
      controller.abort("SIGTERM")
      return (await ended).code
    }
  }
}
