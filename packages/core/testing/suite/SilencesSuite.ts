/** The contract of silences in `EnvironmentStore`. */
import { archive, type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { Ports } from "@attestry/core/Ports"
import { plusSeconds, type Timestamp } from "@attestry/core/Timestamp"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const MARK = { bodyDigest: "1".repeat(64), rowsDigest: "2".repeat(64) }

const stored = Effect.flatMap(Fixture.org, (org) => Fixture.environment(org))

const look = ({ org_id, name }: Environment) =>
  Effect.flatMap(EnvironmentStore, (store) =>
    Effect.map(store.findByName({ org: org_id, name }), Option.getOrThrow)
  )

/** Whether an org has something due, by each read that tells it. */
const dueOf = (environment: Environment) =>
  Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const { isOrgDue } = yield* look(environment)
    const { orgs } = yield* store.listDueOrgs
    const pending = yield* store.listPending(environment.org_id)
    assert.strictEqual(
      isOrgDue,
      orgs.some(({ id }) => id === environment.org_id)
    )
    return { isOrgDue, pending }
  })

/** States the contract of silences in `EnvironmentStore`. */
export const silencesSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`EnvironmentStore, silences (${name})`, ports, options, (it) => {
    it.effect("keeps when each began and ended, and clears the digests when one begins", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const environment = yield* stored
        const at = ref(environment)
        const other = yield* stored
        deepStrictEqual(yield* store.listSilences(at), [])
        yield* store.setReportDigests(at, MARK, Option.none())
        yield* store.openSilence(at, Fixture.AT)
        const silent = yield* look(environment)
        assert.strictEqual(silent.environment.silent_since, Fixture.AT)
        assert.isTrue(Option.isNone(silent.reportDigests))
        yield* store.closeSilence(at, Fixture.LATER)
        deepStrictEqual((yield* look(environment)).environment, environment)
        const next = plusSeconds(Fixture.LATER, 60)
        yield* store.openSilence(at, next)
        deepStrictEqual(yield* store.listSilences(at), [
          { from_at: Fixture.AT, to_at: Fixture.LATER },
          { from_at: next, to_at: null }
        ])
        deepStrictEqual(yield* store.listSilences(ref(other)), [])
        deepStrictEqual((yield* look(other)).environment, other)
      })
    )

    it.effect("opens a silence of the same beginning again, and closes none that is not open", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const environment = yield* stored
        const at = ref(environment)
        yield* store.closeSilence(at, Fixture.LATER)
        deepStrictEqual(yield* store.listSilences(at), [])
        yield* store.openSilence(at, Fixture.AT)
        yield* store.closeSilence(at, Fixture.AT)
        yield* store.openSilence(at, Fixture.AT)
        deepStrictEqual(yield* store.listSilences(at), [{ from_at: Fixture.AT, to_at: null }])
      })
    )

    it.effect("is due from the instant of the next look on, unless it is archived", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const environment = yield* stored
        const at = ref(environment)
        const { now } = yield* look(environment)
        const lookAt = (instant: Timestamp | null) =>
          Effect.zipRight(store.setSilenceDue(at, instant), dueOf(environment))
        const nothing = { isOrgDue: false, pending: [] }
        deepStrictEqual(yield* dueOf(environment), nothing)
        deepStrictEqual(yield* lookAt(plusSeconds(now, 600)), nothing)
        const past = plusSeconds(now, -1)
        deepStrictEqual(yield* lookAt(past), {
          isOrgDue: true,
          pending: [{ ref: at, dueAt: past }]
        })
        // The earlier of both instants counts.
        yield* store.setDue(at, plusSeconds(past, -1))
        deepStrictEqual((yield* dueOf(environment)).pending, [
          { ref: at, dueAt: plusSeconds(past, -1) }
        ])
        yield* store.setDue(at, null)
        deepStrictEqual(yield* lookAt(null), nothing)
        yield* lookAt(past)
        yield* store.rename(archive(environment, Fixture.LATER), environment.name)
        deepStrictEqual(yield* store.listPending(environment.org_id), [])
      })
    )
  })
