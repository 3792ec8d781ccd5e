/** Events and lines of logical environments on every store: those of a fold over snapshots. */

import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import { EnvironmentEventExport } from "@attestry/core/EnvironmentEventExport"
import * as EnvironmentEvents from "@attestry/core/EnvironmentEvents"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import * as PrintedEnvironmentEvents from "@attestry/core/PrintedEnvironmentEvents"
import type { SnapshotMember } from "@attestry/core/Snapshot"
import { type EventQuery, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type AuditedHistory, auditedHistory } from "../arbitrary/AuditedHistory.js"
import { nonEmptyText } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import * as Model from "../internal/model/LogicalEventsModel.js"
import { suite } from "../Suite.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

const MEMBERS = [0, 1, 2] as const

/** A step: a member has a new snapshot, or the members change. */
type Step =
  | { readonly _tag: "Move"; readonly member: number }
  | { readonly _tag: "Include"; readonly members: ReadonlyArray<number> }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Move" as const),
      member: FastCheck.constantFrom(...MEMBERS)
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Include" as const),
      members: FastCheck.subarray([...MEMBERS])
    })
  }
)

interface Run {
  readonly group: EnvironmentRef
  readonly snapshots: ReadonlyArray<Model.ModelSnapshot>
}

/** Applies steps: each appends a snapshot of the logical environment from the latest ones of its members. */
const play = (steps: ReadonlyArray<Step>, histories: ReadonlyArray<AuditedHistory>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const org = yield* Fixture.org
    const flows = [yield* Fixture.flow(org, "build"), yield* Fixture.flow(org, "release")]
    const places = yield* Effect.forEach(MEMBERS, (at) => Fixture.environment(org, `member-${at}`))
    const drafts = histories.map((history) => history.drafts(flows))
    const group = { ...(yield* Fixture.newEnvironment(org, "all")), type: "logical" as const }
    yield* (yield* EnvironmentStore).insert({ ...group, included: [] })
    const latest = MEMBERS.map(() => 0)
    let included: ReadonlyArray<number> = []
    const snapshots: Array<Model.ModelSnapshot> = []
    for (const [at, next] of steps.entries()) {
      if (next._tag === "Include") included = next.members
      else {
        const draft = drafts[next.member]?.[latest[next.member] ?? 0]
        const place = places[next.member]
        if (draft === undefined || place === undefined) continue
        yield* store.append(ref(place), draft)
        latest[next.member] = draft.index
      }
      const members = included.flatMap((member): ReadonlyArray<SnapshotMember> => {
        const [place, index] = [places[member], latest[member] ?? 0]
        return place === undefined || index === 0 ? [] : [{ environment_id: place.id, index }]
      })
      const index = snapshots.length + 1
      yield* store.appendLogical(ref(group), {
        index,
        timestamp: Timestamp.plusSeconds(Fixture.AT, at),
        verdict: "Unknown",
        counts: { true: 0, false: 0, null: 0 },
        policies: [],
        members,
        semantics: 1
      })
      snapshots.push(yield* readSnapshot(org.id, index, members))
    }
    return { group: ref(group), snapshots } satisfies Run
  })

/** The running rows of the members, from their snapshots. */
const readSnapshot = (
  org: EnvironmentRef["org"],
  index: number,
  members: ReadonlyArray<SnapshotMember>
) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const running = yield* Effect.forEach(members, ({ environment_id: environment, index: at }) =>
      Effect.map(store.find({ org, environment }, { _tag: "AtIndex", index: at }), (found) =>
        Option.match(found, { onNone: () => [], onSome: ({ rows }) => rows })
          .filter(({ annotation }) => annotation.type !== "exited")
          .map(
            ({ annotation, creationTimestamp, fingerprint, name, verdict }): Model.ModelRow => ({
              member: environment,
              name,
              fingerprint,
              verdict,
              instances: creationTimestamp.length,
              annotation
            })
          )
      )
    )
    return {
      index,
      members: Object.fromEntries(
        members.map(({ environment_id, index: at }) => [environment_id, at])
      ),
      running: running.flat()
    } satisfies Model.ModelSnapshot
  })

const readEvents = (group: EnvironmentRef, query: EventQuery) =>
  Effect.map(
    Effect.flatMap(SnapshotStore, (store) => store.events(group, query)),
    (found) =>
      found.map(({ annotation, arrived, index, position, row }) => {
        assert.isFalse(arrived)
        return { index, position, name: row.name, fingerprint: row.fingerprint, annotation }
      })
  )

const checkEvents = ({ group, snapshots }: Run) =>
  Effect.gen(function* () {
    const all = Model.fold(snapshots).map(({ member: _, ...event }) => event)
    const spans = [
      { first: 1, last: snapshots.length },
      { first: 3, last: Math.max(3, snapshots.length - 2) }
    ]
    for (const span of spans)
      for (const newestFirst of [false, true]) {
        const log = all.filter(({ index }) => index >= span.first && index <= span.last)
        if (newestFirst) log.reverse()
        for (const skip of [0, 1, log.length >> 1, log.length]) {
          const query = { span, skip, limit: 50, newestFirst }
          const found = yield* readEvents(group, { ...query, after: Option.none() })
          deepStrictEqual(found, log.slice(skip, skip + 50))
          const [first, ...rest] = found
          if (first === undefined || rest.length === 0) continue
          const after = Option.some({ index: first.index, position: first.position })
          const next = { ...query, skip: 0, limit: rest.length, after }
          deepStrictEqual(yield* readEvents(group, next), rest)
        }
      }
  })

const FILTERS: ReadonlyArray<EnvironmentEvents.AuditLogFilter> = [
  {},
  { eventClasses: new Set(["exited"]) },
  { flowNames: new Set(["build"]) },
  { flowNames: new Set([EnvironmentEvents.NO_PROVENANCE]) }
]

/** The bytes of the port, and those that core prints. */
const checkLines = ({ group, snapshots }: Run) =>
  Effect.gen(function* () {
    const read = (
      audit: typeof EnvironmentEventExport.Service,
      filter: EnvironmentEvents.AuditLogFilter
    ) =>
      Stream.mkString(
        Stream.decodeText(
          audit.lines(group, {
            environment: EnvironmentName.make("all"),
            span: { first: 1, last: snapshots.length },
            filter
          })
        )
      )
    const own = yield* EnvironmentEventExport
    const printed = yield* Effect.provide(EnvironmentEventExport, PrintedEnvironmentEvents.layer)
    for (const filter of FILTERS)
      assert.strictEqual(yield* read(own, filter), yield* read(printed, filter))
    const lines = (yield* read(own, {})).split("\r\n").length - 1
    assert.isAtLeast(lines, Model.fold(snapshots).length)
  })

/** States the contract of the events of logical environments. */
export const logicalEventsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 40, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`events of logical environments (${name})`, ports, options, (it) => {
    const history = auditedHistory(
      snapshots,
      // Names beyond the basic plane distinguish the order of code points from that of code units.
      FastCheck.oneof(nonEmptyText, FastCheck.constantFrom("\uffee", "\u{1f989}", "\ue000"))
    )
    it.effect.prop(
      "are those of a fold over its snapshots, in every part of the log and in CSV",
      {
        steps: FastCheck.array(step, { minLength: 10, maxLength: 3 * snapshots, size: "max" }),
        members: FastCheck.tuple(history, history, history)
      },
      ({ members, steps }) =>
        Effect.gen(function* () {
          const run = yield* play(steps, members)
          yield* checkEvents(run)
          yield* checkLines(run)
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )
  })
