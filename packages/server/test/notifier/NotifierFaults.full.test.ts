/**
 * Every due notification arrives although notifiers are killed; one that arrives twice has one id (P-OUTBOX).
 *
 * Two rounds in `pnpm test:full`, twenty in `pnpm test:faults`.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Ports } from "@attestry/core/Ports"
import * as PgStore from "@attestry/sql-store/PgStore"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Database from "../shared/Database.js"
import * as Subscription from "./Subscription.js"
import * as Webhooks from "./Webhooks.js"

const ROUNDS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 2
const TARGETS = 20
const EVENTS = 10

/** Starts a notifier with this time limit of attempts; leases are 15 seconds longer. */
const startNotifier = async (databaseUrl: string, attemptMillis: number): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "notifier.mjs")], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      RECEIVER_CERTIFICATE: Webhooks.certificateFile,
      ATTEMPT_MILLIS: String(attemptMillis)
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  await once(child.stdout, "data")
  return child
}

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const ended = once(child, "exit")
  child.kill(signal)
  const [code] = await ended
  return code
}

describe("Notifiers in several processes", () => {
  let url = ""
  let drop = async () => {}
  let store: ManagedRuntime.ManagedRuntime<Ports, unknown>

  beforeAll(async () => {
    const database = await Database.create()
    url = database.url
    drop = database.drop
    store = ManagedRuntime.make(PgStore.layer({ url: Redacted.make(url) }))
    await store.runPromise(Effect.void)
  })
  afterAll(async () => {
    await store.dispose()
    await drop()
  })

  const subscribe = async (urls: ReadonlyArray<string>) => {
    const { publish } = await store.runPromise(Subscription.make(urls))
    return async (events: number) => {
      const ids = await store.runPromise(Effect.replicateEffect(publish, events))
      return ids.flat()
    }
  }

  const paths = Array.from({ length: TARGETS }, (_, index) => `hook-${index}`)

  it("deliver each notification exactly once", { timeout: 120_000 }, async () => {
    const receiver = await Webhooks.receive()
    const publish = await subscribe(paths.map(receiver.url))
    const notifiers = await Promise.all([startNotifier(url, 60_000), startNotifier(url, 60_000)])
    const ids = await publish(EVENTS * 2)
    await Webhooks.until(() => receiver.received.length >= ids.length)
    assert.deepStrictEqual(receiver.received.map(({ id }) => id).sort(), [...ids].sort())
    const codes = await Promise.all(notifiers.map((child) => end(child, "SIGTERM")))
    assert.deepStrictEqual(codes, [0, 0])
    assert.strictEqual(receiver.received.length, ids.length)
    await receiver.close()
  })

  it(`lose nothing through ${ROUNDS} times kill -9`, {
    timeout: 60_000 * (ROUNDS + 2)
  }, async () => {
    const receiver = await Webhooks.receive()
    const publish = await subscribe(paths.map(receiver.url))
    const due: Array<string> = []
    let victim = await startNotifier(url, 3_000)
    let other = await startNotifier(url, 3_000)
    for (let round = 0; round < ROUNDS; round++) {
      const before = receiver.received.length
      const published = publish(EVENTS)
      await Webhooks.until(() => receiver.received.length > before + 1 + round * 5)
      await end(victim, "SIGKILL")
      due.push(...(await published))
      victim = other
      other = await startNotifier(url, 3_000)
    }
    await Webhooks.until(() => {
      const arrived = new Set(receiver.received.map(({ id }) => id))
      return due.every((id) => arrived.has(id))
    })
    const codes = await Promise.all([victim, other].map((child) => end(child, "SIGTERM")))
    assert.deepStrictEqual(codes, [0, 0])
    const known = new Set(due)
    assert.isTrue(receiver.received.every(({ id }) => known.has(id)))
    const bodies = new Map<string, string>()
    for (const { body, id, path } of receiver.received) {
      const first = bodies.get(id) ?? `${path} ${body}`
      assert.strictEqual(`${path} ${body}`, first)
      bodies.set(id, first)
    }
    await receiver.close()
  })
})
