/** The contract of `CredentialStore` about sessions. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { SessionId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const newSession = (lifetimeSeconds: number) =>
  Effect.gen(function* () {
    const key = yield* Fixture.newKey(Fixture.userOwner(yield* Fixture.user))
    yield* (yield* CredentialStore).insertKey(key)
    const id = SessionId.make(yield* Fixture.freshId)
    return { id, key_id: key.id, digest: "d".repeat(64), lifetimeSeconds }
  })

/** States the contract of `CredentialStore` about sessions. */
export const sessionsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`CredentialStore, sessions (${name})`, ports, options, (it) => {
    it.effect("finds a session that begins now and has its lifetime", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const draft = yield* newSession(60)
        deepStrictEqual(yield* store.findSession(draft.id), Option.none())
        const session = yield* store.insertSession(draft)
        assert.strictEqual(session.expires_at - session.created_at, 60_000_000)
        deepStrictEqual(yield* store.findSession(draft.id), Option.some(session))
      })
    )

    it.effect("does not find one that has expired or was removed", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const [short, long] = [yield* newSession(0), yield* newSession(60)]
        yield* store.insertSession(short)
        yield* store.insertSession(long)
        deepStrictEqual(yield* store.findSession(short.id), Option.none())
        yield* store.removeSession(long.id)
        deepStrictEqual(yield* store.findSession(long.id), Option.none())
        yield* store.removeSession(long.id)
      })
    )
  })
