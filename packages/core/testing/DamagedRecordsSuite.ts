/**
 * The contract of `DamagedRecords` and `UnreadableRows`: who reads for display gets a list without its damaged records,
 * with their positions; who verifies gets their names; everyone else fails.
 */
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationStore } from "@attestry/core/AttestationStore"
import { type Damage, DamagedRecords, noting, strictly } from "@attestry/core/DamagedRecords"
import { FlowStore } from "@attestry/core/FlowStore"
import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { RepoStore } from "@attestry/core/RepoStore"
import type { StoreError } from "@attestry/core/StoreError"
import { TrailStore } from "@attestry/core/TrailStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

const KINDS = ["flow", "trail", "artifact", "attestation", "repo", "entry"] as const

/** A stored record that the suite wants damaged. */
export interface RecordToDamage {
  readonly kind: (typeof KINDS)[number]
  readonly org: OrgId
  /** Its id; the sequence number of an entry. */
  readonly id: string
}

/** Options of the suite. */
export interface DamagedRecordsSuiteOptions extends SuiteOptions {
  /**
   * Gives one member of a stored record a value that it can never have. Absent for a store whose records cannot be
   * damaged: its lists are then read without damage.
   */
  readonly damage?: (record: RecordToDamage) => Effect.Effect<void, unknown>
}

/** A list of three records: their ids in order, and the total where the list has one. */
interface Listed {
  readonly ids: ReadonlyArray<string>
  readonly total: number
}

type Read = (org: Org) => Effect.Effect<Listed, StoreError, Ports>

interface Case {
  /** Stores three records of a new org. */
  readonly fill: (org: Org) => Effect.Effect<unknown, StoreError, Ports>
  readonly read: Read
}

/** A store logs each damaged record. */
const QUIET = Logger.remove(Logger.defaultLogger)

const PAGE = { page: 1, perPage: 10 }

const three = <A, E, R>(make: (n: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach([1, 2, 3], (n) => make(n))

const idsOf = (items: ReadonlyArray<{ readonly id: string }>) => items.map(({ id }) => id)

const trailOf = (org: Org) => Effect.flatMap(Fixture.flow(org), (flow) => Fixture.trail(flow))

const entryOf = (org: OrgId, n: number) => ({
  org_id: org,
  kind: `kind-${n}`,
  subject: { type: "flow", id: "flow-1" },
  actor: { kind: "system" as const, id: "system", name: "system" },
  at: Fixture.AT,
  content: "{}",
  digest: "0".repeat(64)
})

const sequencesOf = (entries: ReadonlyArray<{ readonly sequence: number }>) =>
  entries.map(({ sequence }) => `${sequence}`)

const CASES: { readonly [kind in RecordToDamage["kind"]]: Case } = {
  flow: {
    fill: (org) => three((n) => Fixture.flow(org, `flow-${n}`)),
    read: ({ id }) =>
      Effect.gen(function* () {
        const query = { sort: "name", direction: "asc" } as const
        const { items, total } = yield* (yield* FlowStore).list(id, query, Option.some(PAGE))
        return { ids: idsOf(items.map(({ flow }) => flow)), total }
      })
  },
  trail: {
    fill: (org) =>
      Effect.flatMap(Fixture.flow(org), (flow) => three((n) => Fixture.trail(flow, `trail-${n}`))),
    read: ({ id }) =>
      Effect.gen(function* () {
        const { items, total } = yield* (yield* TrailStore).list(id, {}, PAGE)
        return { ids: idsOf(items), total }
      })
  },
  artifact: {
    fill: (org) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const trail = yield* trailOf(org)
        yield* three((n) => Effect.flatMap(Fixture.newArtifact(trail, n), store.append))
      }),
    read: (org) =>
      Effect.gen(function* () {
        const items = yield* (yield* ArtifactStore).list({ org: org.id }, PAGE)
        return { ids: idsOf(items), total: 3 }
      })
  },
  attestation: {
    fill: (org) =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trail = yield* trailOf(org)
        yield* three((n) => Effect.flatMap(Fixture.newAttestation(trail, n), store.append))
      }),
    read: ({ id }) =>
      Effect.gen(function* () {
        const { items, total } = yield* (yield* AttestationStore).list(id, {}, PAGE)
        return { ids: idsOf(items), total }
      })
  },
  repo: {
    fill: (org) =>
      Effect.gen(function* () {
        const store = yield* RepoStore
        yield* three((n) => Effect.flatMap(Fixture.newRepo(org, `${n}`), store.insert))
      }),
    read: ({ id }) =>
      Effect.gen(function* () {
        const query = { tags: [], direction: "asc" } as const
        const { items, total } = yield* (yield* RepoStore).list(id, query, PAGE)
        return { ids: idsOf(items), total }
      })
  },
  entry: {
    fill: ({ id }) =>
      Effect.flatMap(JournalStore, (store) => three((n) => store.append(entryOf(id, n)))),
    read: ({ id }) =>
      Effect.gen(function* () {
        const subject = { type: "flow", id: "flow-1" }
        const entries = yield* (yield* JournalStore).listBySubject(id, subject)
        return { ids: sequencesOf(entries), total: 3 }
      })
  }
}

/** A list as it is shown, and the positions of its damaged records. */
const shown = (read: ReturnType<Read>) =>
  Effect.suspend(() => {
    const noted: Array<Damage> = []
    return Effect.map(Effect.provideService(read, DamagedRecords, noted), (listed) => ({
      listed,
      positions: noted.map(({ position }) => position)
    }))
  })

/** States the contract of `DamagedRecords` and `UnreadableRows`. */
export const damagedRecordsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { damage, ...options }: DamagedRecordsSuiteOptions = {}
): void =>
  suite(`DamagedRecords (${name})`, ports, options, (it) => {
    for (const kind of KINDS) {
      const { fill, read } = CASES[kind]
      it.effect(`shows a list without a damaged ${kind}, which fails every other read`, () =>
        Effect.gen(function* () {
          const org = yield* Fixture.org
          yield* fill(org)
          const whole = yield* read(org)
          const [first = "", second = "", third = ""] = whole.ids
          assert.deepStrictEqual([whole.ids.length, whole.total], [3, 3])
          assert.deepStrictEqual(yield* shown(read(org)), { listed: whole, positions: [] })
          if (damage === undefined) return
          yield* damage({ kind, org: org.id, id: second })
          const listed = { ids: [first, third], total: 3 }
          deepStrictEqual(yield* shown(read(org)), { listed, positions: [1] })
          assert.isTrue(Either.isLeft(yield* Effect.either(read(org))))
          assert.isTrue(Either.isLeft(yield* Effect.either(shown(strictly(read(org))))))
        }).pipe(Effect.provide(QUIET))
      )
    }

    it.effect("names an entry that verification cannot read, and lists the others", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const org = yield* Fixture.org
        yield* CASES.entry.fill(org)
        const list = store.listAfter({ org: org.id, after: 0, limit: 9 })
        const [first = "", second = "", third = ""] = sequencesOf(yield* list)
        const [whole, none] = yield* noting(list)
        assert.deepStrictEqual([sequencesOf(whole), none], [[first, second, third], []])
        if (damage === undefined) return
        yield* damage({ kind: "entry", org: org.id, id: second })
        const [found, unreadable] = yield* noting(list)
        assert.deepStrictEqual(sequencesOf(found), [first, third])
        assert.deepStrictEqual(
          unreadable.map(({ key }) => key),
          [second]
        )
        assert.isTrue(Either.isLeft(yield* Effect.either(list)))
      }).pipe(Effect.provide(QUIET))
    )
  })
