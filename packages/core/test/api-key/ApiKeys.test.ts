/** Issuing personal keys and authenticating with them, on a store that counts its queries. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import { CredentialLife } from "../../src/access/CredentialLife.js"
import { AccessEpoch } from "../../src/access/internal/AccessEpoch.js"
import type { ApiKey } from "../../src/api-key/ApiKey.js"
import * as ApiKeySecret from "../../src/api-key/ApiKeySecret.js"
import { ApiKeys } from "../../src/api-key/ApiKeys.js"
import { CredentialStore } from "../../src/api-key/CredentialStore.js"
import type { JournalDraft } from "../../src/journal/JournalEntry.js"
import { JournalStore } from "../../src/journal/JournalStore.js"
import { Journals } from "../../src/journal/Journals.js"
import { ApiKeyId, OrgId, UserId } from "../../src/shared/Identifier.js"
import { StoreError } from "../../src/shared/StoreError.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { Transaction } from "../../src/shared/Transaction.js"
import { SignInStore } from "../../src/sign-in/SignInStore.js"
import * as Fixture from "../../testing/Fixture.js"
import * as SecretsWebCrypto from "../../webcrypto/SecretsWebCrypto.js"

const actor = Fixture.actor()

const request = {
  org: OrgId.make("org-1"),
  user: UserId.make("user-1"),
  by: { kind: "system" as const, id: "system", name: "system" },
  description: "laptop",
  lifetimeSeconds: null
}

/** A store in two lists, and the number of its credential queries. */
const world = () => {
  const keys = new Map<string, ApiKey>()
  const entries: Array<JournalDraft> = []
  const state = { asked: 0, away: false }
  const ports = Layer.mergeAll(
    Layer.mock(CredentialStore, {
      insertKey: (key) => Effect.sync(() => void keys.set(key.id, key)),
      markKeyUsed: () => Effect.void,
      findCredential: (id) =>
        Effect.suspend(() => {
          state.asked += 1
          return state.away
            ? new StoreError({ operation: "CredentialStore.findCredential", cause: "away" })
            : Effect.succeed(
                Option.map(Option.fromNullable(keys.get(id)), (key) => ({
                  key,
                  actor,
                  now: Fixture.AT,
                  sessionsAfter: new Map()
                }))
              )
        })
    }),
    Layer.mock(SignInStore, {}),
    Layer.mock(JournalStore, {
      append: (draft) => Effect.sync(() => ({ ...draft, sequence: entries.push(draft) }))
    }),
    Layer.mock(Transaction, { run: (_, work) => work({ now: Effect.succeed(Fixture.AT) }) }),
    SecretsWebCrypto.layer
  )
  const layer = ApiKeys.Default.pipe(
    Layer.provide(Layer.merge(Journals.Default, AccessEpoch.Default)),
    Layer.provide(ports)
  )
  return { keys, entries, state, layer }
}

const issue = Effect.flatMap(ApiKeys, (keys) => keys.issue(request))

const authenticate = (text: Redacted.Redacted<string>) =>
  Effect.flatMap(ApiKeys, (keys) => keys.authenticate(text))

const refusal = (text: Redacted.Redacted<string>) =>
  Effect.map(Effect.flip(authenticate(text)), ({ _tag }) => _tag)

/** A key text with the same id and another secret. */
const forged = (id: ApiKeyId) =>
  Option.getOrThrow(ApiKeySecret.make({ id, kind: "user" }, new Uint8Array(64).fill(9)))

describe("ApiKeys", () => {
  it.effect("issues a key whose text is in the result and nowhere else", () => {
    const { keys, entries, layer } = world()
    return Effect.gen(function* () {
      const { id, key } = yield* issue
      const text = Redacted.value(key)
      deepStrictEqual(ApiKeySecret.parse(text), Option.some(id))
      assert.strictEqual(
        keys.get(id)?.digest,
        createHash("sha256").update(text, "utf8").digest("hex")
      )
      assert.strictEqual(entries.length, 1)
      const kept = JSON.stringify([...keys.values(), ...entries])
      assert.strictEqual(kept.includes(text.slice(43)), false)
    }).pipe(Effect.provide(layer))
  })

  it.effect("finds the owner of a key", () =>
    Effect.gen(function* () {
      const { key } = yield* issue
      deepStrictEqual(yield* authenticate(key), actor)
    }).pipe(Effect.provide(world().layer))
  )

  it.effect("refuses a text that is no key without a query", () => {
    const { state, layer } = world()
    return Effect.gen(function* () {
      const text = Redacted.value((yield* issue).key)
      const wrong = ["", "x", `${text}0`, text.slice(0, -1), text.replace("user", "admin")]
      for (const each of wrong) {
        assert.strictEqual(yield* refusal(Redacted.make(each)), "InvalidCredential")
      }
      assert.strictEqual(state.asked, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses an unknown key and a wrong secret alike", () =>
    Effect.gen(function* () {
      const { id } = yield* issue
      assert.strictEqual(yield* refusal(forged(id)), "InvalidCredential")
      const unknown = ApiKeyId.make("00000000-0000-0000-0000-00000000")
      assert.strictEqual(yield* refusal(forged(unknown)), "InvalidCredential")
    }).pipe(Effect.provide(world().layer))
  )

  const { AT } = Fixture
  const after = Timestamp.fromMicros(AT + 1)
  const lives: ReadonlyArray<readonly [string, Partial<ApiKey>, boolean]> = [
    ["has no end", {}, true],
    ["ends later", { expires_at: after }, true],
    ["ends now", { expires_at: AT }, false],
    ["is revoked", { revoked_at: AT }, false]
  ]

  for (const [situation, life, opens] of lives) {
    it.effect(
      `a key that ${situation} ${opens ? "authenticates" : "does not authenticate"}`,
      () => {
        const { keys, layer } = world()
        return Effect.gen(function* () {
          const { id, key } = yield* issue
          const issued = keys.get(id)
          if (issued !== undefined) keys.set(id, { ...issued, ...life })
          const answer = yield* Effect.either(authenticate(key))
          assert.strictEqual(answer._tag, opens ? "Right" : "Left")
        }).pipe(Effect.provide(layer))
      }
    )
  }

  it.effect("queries the store once while a credential is cached, and again afterwards", () => {
    const { state, layer } = world()
    return Effect.gen(function* () {
      const { key } = yield* issue
      const often = Array.from({ length: 20 }, () => authenticate(key))
      yield* Effect.all(often, { concurrency: "unbounded" })
      yield* TestClock.adjust("500 millis")
      yield* authenticate(key)
      assert.strictEqual(state.asked, 1)
      yield* TestClock.adjust(yield* CredentialLife)
      yield* authenticate(key)
      assert.strictEqual(state.asked, 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("caches neither a failure nor an unknown key", () => {
    const { keys, state, layer } = world()
    return Effect.gen(function* () {
      const { id, key } = yield* issue
      const issued = keys.get(id)
      keys.delete(id)
      assert.strictEqual(yield* refusal(key), "InvalidCredential")
      state.away = true
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* refusal(key), "StoreError")
      state.away = false
      yield* TestClock.adjust("1 millis")
      if (issued !== undefined) keys.set(id, issued)
      deepStrictEqual(yield* authenticate(key), actor)
    }).pipe(Effect.provide(layer))
  })
})
