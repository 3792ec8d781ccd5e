/** The notifier on every store and over sockets: deliveries and their records. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CurrentActor } from "@attestry/core/Actor"
import { TeamId } from "@attestry/core/Identifier"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import { SigningSecrets } from "@attestry/core/SigningSecrets"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as Channels from "@attestry/notifier/Channels"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as HmacNode from "@attestry/notifier/HmacNode"
import * as Mailer from "@attestry/notifier/Mailer"
import * as Notifier from "@attestry/notifier/Notifier"
import * as WebhookVerification from "@attestry/notifier/WebhookVerification"
import * as PgStore from "@attestry/sql-store/PgStore"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Layer, Logger, TestServices } from "effect"
import * as Subscription from "./Subscription.js"
import * as Webhooks from "./Webhooks.js"

const embedded = Layer.unwrapScoped(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "attestry-deliveries-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const { url } = yield* EmbeddedPostgres.EmbeddedPostgres.pipe(
      Effect.provide(yield* Layer.build(EmbeddedPostgres.layer({ dataDir: join(folder, "data") })))
    )
    return PgStore.layer({ url })
  })
)

const quiet = Logger.remove(Logger.defaultLogger)

const services = <E>(ports: Layer.Layer<Ports, E>) =>
  UseCases.layer.pipe(Layer.provideMerge(ports), Layer.provideMerge(SecretsWebCrypto.layer))

const notifier = (options: Notifier.Options = {}) =>
  Notifier.layer({ pollMillis: 20, backoffMillis: 50, attemptsMax: 2, ...options }).pipe(
    Layer.provide(Channels.layer({ publicUrl: "https://attestry.example", timeoutMs: 10_000 })),
    Layer.provide(
      GuardedHttpClientNode.layerWithResolver({
        allow: ["127.0.0.1"],
        extraCa: readFileSync(Webhooks.certificateFile, "utf8")
      })
    ),
    Layer.provide([HmacNode.layer, Mailer.layerNone]),
    Layer.provide(quiet)
  )

const receive = (answer?: Webhooks.Answer) =>
  Effect.acquireRelease(
    Effect.promise(() => Webhooks.receive(answer)),
    ({ close }) => Effect.promise(close)
  )

const until = (condition: () => boolean) => Effect.promise(() => Webhooks.until(condition))

/** Reads until the value is as expected. */
const eventually = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  isExpected: (answer: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(ask, (answer) =>
    isExpected(answer)
      ? Effect.succeed(answer)
      : Effect.zipRight(Effect.sleep("20 millis"), eventually(ask, isExpected))
  )

const listDead = (org: Parameters<typeof OutboxStore.Service.listDead>[0]) =>
  Effect.flatMap(OutboxStore, (outbox) => outbox.listDead(org, { page: 1, perPage: 100 })).pipe(
    Effect.map(({ items }) => items)
  )

// WHY `provideLive`: sockets and databases use the real clock.
const suite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  describe(`Deliveries (${name})`, () => {
    it.layer(services(ports), { timeout: 120_000 })((it) => {
      it.scoped("arrive once with a valid signature", () =>
        Effect.gen(function* () {
          const receiver = yield* receive()
          const { org, publish } = yield* Subscription.make([receiver.url("a"), receiver.url("b")])
          yield* Layer.build(notifier())
          const ids = yield* publish
          yield* until(() => receiver.received.length >= 2)
          deepStrictEqual(receiver.received.map(({ id }) => id).sort(), [...ids].sort())
          const [secret] = yield* Effect.flatMap(SigningSecrets, ({ forDelivery }) =>
            forDelivery(org.id)
          )
          for (const { body, headers, id } of receiver.received) {
            const verified = yield* WebhookVerification.verify({ body, headers, secret })
            deepStrictEqual(
              [verified.id, verified.payload.event_type, verified.payload.org],
              [id, "ENVIRONMENT_NON_COMPLIANT", org.name]
            )
          }
        }).pipe(TestServices.provideLive)
      )

      it.scoped("to a team that does not read what they are about are dropped (AC-11)", () =>
        Effect.gen(function* () {
          const receiver = yield* receive()
          const { org, publish, publishTo, stored } = yield* Subscription.make([receiver.url("t")])
          yield* publishTo({
            audience: { team: TeamId.make("none"), about: { kind: "environment", id: "prod" } }
          })
          yield* Layer.build(notifier())
          const outbox = yield* OutboxStore
          yield* eventually(outbox.depth, ({ due }) => due === 0)
          const before = yield* stored
          deepStrictEqual(
            before.map(({ last_failure_at, last_success_at }) => [
              last_failure_at,
              last_success_at
            ]),
            [[null, null]]
          )
          const [id] = yield* publish
          yield* until(() => receiver.received.length > 0)
          deepStrictEqual(
            receiver.received.map((each) => each.id),
            id === undefined ? [] : [id]
          )
          deepStrictEqual(yield* listDead(org.id), [])
        }).pipe(TestServices.provideLive)
      )

      it.scoped("are signed with both secrets from the moment of a rotation", () =>
        Effect.gen(function* () {
          const receiver = yield* receive()
          const { org, publish } = yield* Subscription.make([receiver.url("rotated")])
          yield* Layer.build(notifier())
          const secrets = yield* SigningSecrets
          const actor = Fixture.actor([org, "admin"])
          yield* publish
          yield* until(() => receiver.received.length >= 1)
          const before = yield* secrets.forDelivery(org.id)
          const rotated = yield* Effect.provideService(
            secrets.rotate(org.name),
            CurrentActor,
            actor
          )
          yield* publish
          yield* until(() => receiver.received.length >= 2)
          const { body = "", headers = {} } = receiver.received[1] ?? {}
          for (const secret of [rotated.secret, before[0]]) {
            const verified = yield* WebhookVerification.verify({ body, headers, secret })
            assert.strictEqual(verified.payload.org, org.name)
          }
        }).pipe(TestServices.provideLive)
      )

      it.scoped("are repeated under the same id, become dead letters, and can be replayed", () =>
        Effect.gen(function* () {
          let isUp = false
          const receiver = yield* receive((path, turn) =>
            path === "/late" ? (turn === 0 ? 503 : 204) : isUp ? 204 : 500
          )
          const { org, publish, stored } = yield* Subscription.make([
            receiver.url("late"),
            receiver.url("down")
          ])
          yield* Layer.build(notifier())
          yield* publish
          yield* until(
            () => receiver.idsAt("late").length >= 2 && receiver.idsAt("down").length >= 2
          )
          assert.strictEqual(new Set(receiver.idsAt("late")).size, 1)
          assert.strictEqual(new Set(receiver.idsAt("down")).size, 1)
          const dead = yield* eventually(listDead(org.id), (letters) => letters.length > 0)
          deepStrictEqual(
            dead.map(({ attempts, error, id }) => [id, attempts, error]),
            [[receiver.idsAt("down")[0] ?? "", 2, "status 500"]]
          )
          isUp = true
          yield* Effect.flatMap(OutboxStore, (outbox) => outbox.replay(org.id, "all"))
          yield* until(() => receiver.idsAt("down").length >= 3)
          assert.strictEqual(new Set(receiver.idsAt("down")).size, 1)
          const times = yield* eventually(stored, (all) =>
            all.every(({ last_success_at }) => last_success_at !== null)
          )
          assert.isTrue(times.every(({ last_failure_at }) => last_failure_at !== null))
        }).pipe(TestServices.provideLive)
      )

      it.scoped("stop for a target that is gone", () =>
        Effect.gen(function* () {
          const receiver = yield* receive(() => 410)
          const { org, publish, stored } = yield* Subscription.make([receiver.url("gone")])
          yield* Layer.build(notifier())
          yield* publish
          yield* eventually(stored, ([target]) => target?.disabled_at !== null)
          assert.strictEqual((yield* listDead(org.id)).length, 1)
          assert.strictEqual(receiver.received.length, 1)
        }).pipe(TestServices.provideLive)
      )

      it.scoped("do not wait for a target that hangs, and neither does the stop", () =>
        Effect.gen(function* () {
          const receiver = yield* receive((path) => (path === "/hang" ? undefined : 204))
          const urls = ["hang", ...Array.from({ length: 30 }, (_, index) => `ok-${index}`)]
          const { publish } = yield* Subscription.make(urls.map(receiver.url))
          const worker = Effect.gen(function* () {
            yield* Layer.build(notifier({ graceMillis: 200 }))
            const [elapsed] = yield* Effect.timed(
              Effect.gen(function* () {
                yield* Effect.repeatN(publish, 9)
                yield* until(
                  () => receiver.received.filter(({ path }) => path !== "/hang").length >= 300
                )
              })
            )
            return elapsed
          })
          const [total, elapsed] = yield* Effect.timed(Effect.scoped(worker))
          assert.isAtMost(receiver.idsAt("hang").length, 300)
          assert.isBelow(Duration.toMillis(total) - Duration.toMillis(elapsed), 4_000)
        }).pipe(TestServices.provideLive)
      )
    })
  })

suite("memory", MemoryStore.layer)
suite("PostgreSQL", embedded)
