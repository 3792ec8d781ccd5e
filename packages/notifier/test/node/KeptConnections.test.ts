/** Reuse and closing of kept connections. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Fiber } from "effect"
import { client, name, post, reasonOf, scripted } from "./Posting.js"
import * as Receiver from "./Receiver.js"

const allow = ["127.0.0.0/8"]

/** A receiver that delays responses to `url` until each of `held` is called. */
const holding = Effect.gen(function* () {
  const held: Array<() => void> = []
  const receiver = yield* Receiver.https((response, { request }) => {
    if (request.url === "/held") held.push(() => response.end())
    else response.end()
  })
  return { held, receiver, url: `https://${name}:${receiver.port}/held` }
})

describe("Kept connections", () => {
  it.scopedLive("are used for the next request of the same tenant", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => response.end("read to the end"))
      for (let count = 0; count < 5; count++) yield* post(receiver)
      assert.strictEqual(receiver.received.length, 5)
      assert.strictEqual(receiver.connections.opened, 1)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are not shared between tenants", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      for (const tenant of ["acme", "globex", "acme", "globex"]) yield* post(receiver, { tenant })
      assert.strictEqual(receiver.connections.opened, 2)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are not shared between names for one address", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      for (const host of [name, "127.0.0.1", name, "127.0.0.1"]) {
        yield* post(receiver, { url: `https://${host}:${receiver.port}/` })
      }
      assert.strictEqual(receiver.connections.opened, 2)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive(
    "are not used while the name has another address, and used after it has the first again",
    () => {
      const { layer, queries } = scripted(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"])
      return Effect.gen(function* () {
        const first = yield* Receiver.https()
        const second = yield* Receiver.https(undefined, { host: "127.0.0.2", port: first.port })
        for (let count = 0; count < 3; count++) yield* post(first)
        deepStrictEqual([first.received.length, second.received.length], [2, 1])
        deepStrictEqual([first.connections.opened, second.connections.opened], [1, 1])
        assert.strictEqual(queries.length, 3)
      }).pipe(Effect.provide(client({ allow }, layer)))
    }
  )

  it.scopedLive("are replaced once when the receiver has closed them", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response, { turn }) => {
        if (turn === 1) response.end()
        else response.destroy()
      })
      yield* post(receiver)
      assert.strictEqual((yield* post(receiver)).status, 200)
      assert.strictEqual(receiver.connections.opened, 2)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are not replaced after the receiver has begun its response", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response, { turn }) => {
        if (turn === 1) response.end()
        else response.write("half", () => response.destroy())
      })
      yield* post(receiver)
      assert.strictEqual(yield* reasonOf(post(receiver)), "connection")
      assert.strictEqual(receiver.received.length, 2)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are not replaced when the connection was new", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => response.destroy())
      assert.strictEqual(yield* reasonOf(post(receiver)), "connection")
      assert.strictEqual(receiver.received.length, 1)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are not used after a response that was too large", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => response.end(Buffer.alloc(100_000)))
      yield* reasonOf(post(receiver))
      yield* reasonOf(post(receiver))
      assert.strictEqual(receiver.connections.opened, 2)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are closed when they have been idle", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      yield* post(receiver)
      yield* receiver.until(() => receiver.connections.open === 0)
    }).pipe(Effect.provide(client({ idleMsMax: 50 })))
  )

  it.scopedLive("are not closed while a request waits for its response", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => setTimeout(() => response.end(), 200))
      assert.strictEqual((yield* post(receiver)).status, 200)
      assert.strictEqual(receiver.connections.opened, 1)
    }).pipe(Effect.provide(client({ idleMsMax: 50 })))
  )

  it.scopedLive("are bounded, and the least recently used destination is evicted", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      for (const tenant of ["a", "b", "a", "c"]) yield* post(receiver, { tenant })
      yield* receiver.until(() => receiver.connections.open === 2)
      yield* post(receiver, { tenant: "a" })
      assert.strictEqual(receiver.connections.opened, 3)
      yield* post(receiver, { tenant: "b" })
      assert.strictEqual(receiver.connections.opened, 4)
    }).pipe(Effect.provide(client({ destinationsMax: 2 })))
  )

  it.scopedLive("finish their request after their destination is evicted", () =>
    Effect.gen(function* () {
      const { held, receiver, url } = yield* holding
      const slow = yield* Effect.fork(post(receiver, { tenant: "a", url }))
      yield* receiver.until(() => held.length === 1)
      yield* post(receiver, { tenant: "b" })
      yield* Effect.sync(() => held[0]?.())
      assert.strictEqual((yield* Fiber.join(slow)).status, 200)
      yield* receiver.until(() => receiver.connections.open === 1)
    }).pipe(Effect.provide(client({ destinationsMax: 1 })))
  )

  it.scopedLive("are waited for when `socketsMax` are in use", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => setTimeout(() => response.end(), 50))
      yield* Effect.all(Effect.replicate(post(receiver), 6), { concurrency: "unbounded" })
      assert.strictEqual(receiver.received.length, 6)
      assert.strictEqual(receiver.connections.opened, 2)
    }).pipe(Effect.provide(client({ socketsMax: 2 })))
  )

  it.scopedLive(
    "are not waited for when those in use hang, and at most `socketsMax` are kept",
    () =>
      Effect.gen(function* () {
        const { held, receiver, url } = yield* holding
        const hanging = yield* Effect.fork(
          Effect.all(Effect.replicate(post(receiver, { url, timeoutMs: 20_000 }), 5), {
            concurrency: "unbounded"
          })
        )
        yield* receiver.until(() => receiver.received.length === 2)
        const [elapsed] = yield* Effect.timed(post(receiver))
        assert.isBelow(Duration.toMillis(elapsed), 2_000)
        yield* receiver.until(() => receiver.received.length === 6)
        for (const answer of held) answer()
        yield* Fiber.join(hanging)
        yield* receiver.until(() => receiver.connections.open === 2)
      }).pipe(Effect.provide(client({ socketsMax: 2 })))
  )

  it.scopedLive("are closed when their request is interrupted", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https(() => {})
      const waiting = yield* Effect.fork(post(receiver))
      yield* receiver.until(() => receiver.received.length === 1)
      yield* Fiber.interrupt(waiting)
      yield* receiver.until(() => receiver.connections.open === 0)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are closed when their request is interrupted during the handshake", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.silent()
      const waiting = yield* Effect.fork(post(receiver))
      yield* receiver.until(() => receiver.connections.open === 1)
      yield* Fiber.interrupt(waiting)
      yield* receiver.until(() => receiver.connections.open === 0)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are not used again after `connection: close`", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) =>
        response.writeHead(200, { connection: "close" }).end("bye")
      )
      for (let count = 0; count < 2; count++) yield* post(receiver)
      assert.strictEqual(receiver.connections.opened, 2)
    }).pipe(Effect.provide(client()))
  )

  it.scopedLive("are closed with the client", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      yield* Effect.provide(
        Effect.zipRight(
          post(receiver),
          Effect.sync(() => assert.strictEqual(receiver.connections.open, 1))
        ),
        client({ idleMsMax: 3_600_000 })
      )
      yield* receiver.until(() => receiver.connections.open === 0)
    })
  )
})

describe("Several addresses", () => {
  it.scopedLive("are not tried when a slow request was sent", () => {
    const { layer } = scripted(["127.0.0.1", "127.0.0.2", "127.0.0.3"])
    return Effect.gen(function* () {
      const receiver = yield* Receiver.https((response) => setTimeout(() => response.end(), 1_500))
      for (let count = 0; count < 2; count++) {
        assert.strictEqual((yield* post(receiver, { timeoutMs: 3_000 })).status, 200)
      }
      assert.strictEqual(receiver.received.length, 2)
      assert.strictEqual(receiver.connections.opened, 1)
    }).pipe(Effect.provide(client({ allow }, layer)))
  })

  it.scopedLive("are tried in order until one is reached", () => {
    const { layer } = scripted(["127.0.0.3", "127.0.0.2", "127.0.0.1"])
    return Effect.gen(function* () {
      const receiver = yield* Receiver.https(undefined, { host: "127.0.0.2" })
      assert.strictEqual((yield* post(receiver)).status, 204)
    }).pipe(Effect.provide(client({ allow }, layer)))
  })

  it.scopedLive("share the time, so that a silent one leaves time for the next", () => {
    const { layer } = scripted(["127.0.0.2", "127.0.0.1"])
    return Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      const silent = yield* Receiver.silent("127.0.0.2", receiver.port)
      assert.strictEqual((yield* post(receiver, { timeoutMs: 2_000 })).status, 204)
      assert.strictEqual(silent.connections.opened, 1)
    }).pipe(Effect.provide(client({ allow }, layer)))
  })

  it.scopedLive("are not tried after the request was sent to one", () => {
    const { layer } = scripted(["127.0.0.2", "127.0.0.1"])
    return Effect.gen(function* () {
      const receiver = yield* Receiver.https()
      yield* Receiver.https((response) => response.destroy(), {
        host: "127.0.0.2",
        port: receiver.port
      })
      assert.strictEqual(yield* reasonOf(post(receiver)), "connection")
      assert.strictEqual(receiver.connections.opened, 0)
    }).pipe(Effect.provide(client({ allow }, layer)))
  })
})
