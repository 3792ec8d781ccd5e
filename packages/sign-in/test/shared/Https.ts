/** HTTPS on loopback, with the certificate of the test receivers, and a browser that keeps cookies. */
import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, request } from "node:https"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { GuardedHttpClient } from "@attestry/notifier/GuardedHttpClient"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import { Effect, Layer, Logger } from "effect"
import * as Outbound from "../../src/Outbound.js"

const fixture = (name: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../../notifier/test/fixture/${name}`, import.meta.url)),
    "utf8"
  )

const certificate = fixture("receiver.cert.pem")

/** Answers a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server on a free port, until the scope closes; the answer is made when its address is known. */
export const serve = (answerAt: (origin: string) => Answer) =>
  Effect.acquireRelease(
    Effect.async<{ readonly origin: string; readonly close: () => void }>((resume) => {
      let answer: Answer = (_, response) => response.end()
      const server = createServer(
        { cert: certificate, key: fixture("receiver.key.pem") },
        (incoming, response) => answer(incoming, response)
      )
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const { port } = address as AddressInfo
        const origin = `https://127.0.0.1:${port}`
        answer = answerAt(origin)
        resume(
          Effect.succeed({
            origin,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ origin }) => origin))

/** The guard of a host, which may dial these blocks; and every URL that it was asked for. */
export const guard = (allow: ReadonlyArray<string> = ["127.0.0.1"]) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      GuardedHttpClientNode.layerWithResolver({
        allow,
        extraCa: certificate,
        maxResponseBytes: Outbound.ANSWER_BYTES_MAX
      }).pipe(Layer.provide(Logger.remove(Logger.defaultLogger)))
    )
    const send = Outbound.through(yield* Effect.provide(GuardedHttpClient, context))
    const urls: Array<string> = []
    const outbound: Outbound.Outbound = (sent) => {
      urls.push(sent.url)
      return send(sent)
    }
    return { outbound, urls }
  })

/** What a server answered. */
interface Answered {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: ReadonlyArray<string>
}

const get = (url: string, cookie: string) =>
  Effect.async<Answered>((resume) => {
    request(url, { ca: certificate, headers: { cookie } }, (response) => {
      response.resume()
      resume(
        Effect.succeed({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          cookies: response.headers["set-cookie"] ?? []
        })
      )
    }).end()
  })

/** Follows redirects from an address with cookies, until one leads to another host; that address. */
export const browse = (from: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const jar = new Map<string, string>()
    const { origin } = new URL(from)
    let url = from
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
      const answered = yield* get(url, cookie)
      for (const each of answered.cookies) {
        const [pair = ""] = each.split(";")
        const at = pair.indexOf("=")
        jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      if (answered.location === undefined) return yield* Effect.dieMessage(`no redirect: ${url}`)
      url = new URL(answered.location, url).href
      if (new URL(url).origin !== origin) return url
    }
    return yield* Effect.dieMessage("too many redirects")
  })
