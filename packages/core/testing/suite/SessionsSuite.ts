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

const CHALLENGE = "c".repeat(43)

/** An offer of a new session, and what claims it. */
const newOffer = (claimSeconds: number) =>
  Effect.gen(function* () {
    const store = yield* CredentialStore
    const source = yield* store.insertSession(yield* newSession(60))
    const id = SessionId.make(yield* Fixture.freshId)
    const digest = "e".repeat(64)
    const offer = { id, source: source.id, digest, challenge: CHALLENGE, claimSeconds }
    const claim = { id, digest, challenge: CHALLENGE, newDigest: "f".repeat(64) }
    return { source, offer, claim }
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

    it.effect("offers a session that is found once it is claimed, with the end of its source", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const { source, offer, claim } = yield* newOffer(60)
        assert.isTrue(Option.isSome(yield* store.offerSession(offer)))
        deepStrictEqual(yield* store.findSession(offer.id), Option.none())
        const claimed = { ...source, id: offer.id, digest: claim.newDigest }
        deepStrictEqual(yield* store.claimSession(claim), Option.some(claimed))
        deepStrictEqual(yield* store.findSession(offer.id), Option.some(claimed))
        deepStrictEqual(yield* store.findSession(source.id), Option.some(source))
        yield* store.removeSession(source.id)
        deepStrictEqual(yield* store.findSession(offer.id), Option.some(claimed))
      })
    )

    it.effect("lets one of concurrent claims have a session", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const { offer, claim } = yield* newOffer(60)
        yield* store.offerSession(offer)
        const claims = ["1", "2", "3"].map((digit) =>
          store.claimSession({ ...claim, newDigest: digit.repeat(64) })
        )
        const claimed = yield* Effect.all(claims, { concurrency: "unbounded" })
        assert.lengthOf(claimed.filter(Option.isSome), 1)
      })
    )

    it.effect(
      "refuses another digest or challenge, an old offer, and one whose source has ended",
      () =>
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const { offer, claim } = yield* newOffer(60)
          yield* store.offerSession(offer)
          for (const other of [{ digest: "0".repeat(64) }, { challenge: "d".repeat(43) }])
            deepStrictEqual(yield* store.claimSession({ ...claim, ...other }), Option.none())
          yield* store.removeSession(offer.source)
          deepStrictEqual(yield* store.claimSession(claim), Option.none())
          deepStrictEqual(yield* store.offerSession(offer), Option.none())
          const old = yield* newOffer(0)
          yield* store.offerSession(old.offer)
          deepStrictEqual(yield* store.claimSession(old.claim), Option.none())
        })
    )
  })
