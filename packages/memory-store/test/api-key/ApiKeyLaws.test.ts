/**
 * The laws of keys (KEY-1 to KEY-4) on whole lives: generated sequences of creating, rotating, revoking and
 * waiting, against a model that knows nothing but the instant at which each key ends.
 */
import { CurrentActor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { type ApiKeyId, ServiceAccountName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { ServiceAccountKeys } from "@attestry/core/ServiceAccountKeys"
import { ServiceAccounts } from "@attestry/core/ServiceAccounts"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Either, FastCheck, Layer, type Redacted, TestClock } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

type Command =
  | { readonly _tag: "create"; readonly lifetime: number | null }
  | {
      readonly _tag: "rotate"
      readonly place: number
      readonly graceHours: number
      readonly lifetime: number | null
    }
  | { readonly _tag: "revoke"; readonly place: number }
  | { readonly _tag: "wait"; readonly seconds: number }

interface Modelled {
  readonly id: ApiKeyId
  readonly text: Redacted.Redacted<string>
  end: number
  rotated: boolean
}

const HOUR = 3600

const lifetime = FastCheck.option(FastCheck.integer({ min: 1, max: 5 * HOUR }), { nil: null })
const place = FastCheck.nat(5)

const commands = FastCheck.array(
  FastCheck.oneof(
    FastCheck.record({ _tag: FastCheck.constant("create" as const), lifetime }),
    FastCheck.record({
      _tag: FastCheck.constant("rotate" as const),
      place,
      graceHours: FastCheck.integer({ min: 1, max: 3 }),
      lifetime
    }),
    FastCheck.record({ _tag: FastCheck.constant("revoke" as const), place }),
    FastCheck.record({
      _tag: FastCheck.constant("wait" as const),
      seconds: FastCheck.integer({ min: 1, max: 3 * HOUR })
    })
  ),
  { minLength: 1, maxLength: 12 }
)

const Store = UseCases.layer.pipe(
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1000)

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.either(effect), (result) =>
    Either.isLeft(result) ? result.left._tag : ("" as const)
  )

const live = (org: Org) =>
  Effect.gen(function* () {
    const account = { org: org.name, name: ServiceAccountName.make("ci") }
    yield* (yield* ServiceAccounts).create(org.name, { name: account.name, privilege: "reader" })
    const keys = yield* ServiceAccountKeys
    const authentication = yield* ApiKeys
    const model: Array<Modelled> = []

    const endOf = (now: number, of: number | null) =>
      of === null ? Number.POSITIVE_INFINITY : now + of
    const instantOf = (now: number, of: number | null) =>
      of === null ? null : Timestamp.fromSeconds(now + of)

    const apply = (command: Command) =>
      Effect.gen(function* () {
        const now = yield* nowSeconds
        if (command._tag === "wait") return yield* TestClock.adjust(`${command.seconds} seconds`)
        if (command._tag === "create") {
          const expiresAt = instantOf(now, command.lifetime)
          const { key, text } = yield* keys.create(account, { description: "d", expiresAt })
          model.push({ id: key.id, text, end: endOf(now, command.lifetime), rotated: false })
          return
        }
        const target = model[command.place]
        if (target === undefined) return
        const path = { ...account, id: target.id }
        if (command._tag === "revoke") {
          const tag = yield* tagOf(keys.revoke(path))
          assert.strictEqual(tag, now < target.end ? "" : "ApiKeyNotFound")
          target.end = Math.min(target.end, now)
          return
        }
        const { graceHours } = command
        const request = { graceHours, expiresAt: instantOf(now, command.lifetime) }
        const rotated = yield* Effect.either(keys.rotate(path, request))
        if (now >= target.end || target.rotated) {
          const expected = now >= target.end ? "ApiKeyNotFound" : "ApiKeyInGrace"
          assert.strictEqual(Either.isLeft(rotated) ? rotated.left._tag : "", expected)
          return
        }
        const { key, text, graceEndsAt } = yield* rotated
        target.end = Math.min(target.end, now + graceHours * HOUR)
        target.rotated = true
        assert.strictEqual(Timestamp.toSeconds(graceEndsAt), target.end)
        model.push({ id: key.id, text, end: endOf(now, command.lifetime), rotated: false })
      })

    const check = Effect.gen(function* () {
      const now = yield* nowSeconds
      for (const { text, end } of model) {
        const tag = yield* tagOf(authentication.authenticate(text))
        assert.strictEqual(tag, now < end ? "" : "InvalidCredential")
      }
      const valid = model.filter(({ end }) => now < end).map(({ id }) => id)
      const listed = (yield* keys.list(account)).map(({ id }) => id)
      assert.deepStrictEqual([...listed].sort(), [...valid].sort())
    })

    return { apply, check }
  })

it.effect.prop(
  "a key opens exactly until it ends, and rotating adds exactly one (KEY-1 to KEY-4)",
  { commands },
  ({ commands }) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_790_000_000_000)
      const org = yield* Fixture.org
      yield* Effect.gen(function* () {
        const { apply, check } = yield* live(org)
        for (const command of commands) {
          yield* apply(command)
          yield* check
        }
      }).pipe(Effect.provideService(CurrentActor, Fixture.actor([org, "admin"])))
    }).pipe(Effect.provide(Store)),
  { fastCheck: { numRuns: lengthForRun({ quick: 8, full: 50, deep: 2_000 }) } }
)
