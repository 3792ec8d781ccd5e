/** The contract of `EnvironmentEventExport`: byte for byte the lines that core prints. */

import { ref } from "@attestry/core/Environment"
import { EventClass } from "@attestry/core/EnvironmentEvent"
import { type AuditLogQuery, EnvironmentEventExport } from "@attestry/core/EnvironmentEventExport"
import {
  type AuditLogFilter,
  matches,
  NO_PROVENANCE,
  printEvent
} from "@attestry/core/EnvironmentEvents"
import { FlowId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type AuditedHistory, auditedHistory, eventsOf } from "../arbitrary/AuditedHistory.js"
import * as Fixture from "../Fixture.js"
import { suite } from "../Suite.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

const lines = (...[environment, query]: Parameters<Read>) =>
  Effect.flatMap(EnvironmentEventExport, (store) =>
    Stream.mkString(Stream.decodeText(store.lines(environment, query)))
  )

type Read = (typeof EnvironmentEventExport.Service)["lines"]

/** Filters of every kind, alone and together; some select nothing. */
const filtersOf = (repos: ReadonlyArray<string>): ReadonlyArray<AuditLogQuery["filter"]> => {
  const set = <A extends string>(...values: ReadonlyArray<A>): ReadonlySet<A> => new Set(values)
  const repoNames = set(repos[0] ?? "", "nowhere")
  return [
    {},
    ...EventClass.literals.map((one) => ({ eventClasses: set(one) })),
    { eventClasses: set("started", "changed") },
    { flowNames: set("build") },
    { flowNames: set(NO_PROVENANCE) },
    { flowNames: set("build", NO_PROVENANCE, "unheard of") },
    { flowNames: set("'; select '", "\0", "\ud800") },
    { repoNames },
    { repoNames: set("{a,b}", '"') },
    { eventClasses: set("exited"), flowNames: set("release", "build"), repoNames }
  ]
}

/** An environment with a history, and the expected log of a part of it. */
const tell = (history: AuditedHistory) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const [build, release] = [
      yield* Fixture.flow(org, "build"),
      yield* Fixture.flow(org, "release")
    ]
    const environment = yield* Fixture.environment(org)
    const flows = [build, release, { id: FlowId.make("flow-unknown"), name: undefined }]
    const drafts = history.drafts(flows)
    const store = yield* SnapshotStore
    for (const draft of drafts) yield* store.append(ref(environment), draft)
    const events = eventsOf(environment.name, drafts, flows)
    const expected = (first: number, last: number, filter: AuditLogFilter) =>
      events
        .filter(({ snapshotIndex }) => snapshotIndex >= first && snapshotIndex <= last)
        .filter(matches(filter))
        .map(printEvent)
        .join("")
    return { environment, expected, length: drafts.length }
  })

/** States the contract of `EnvironmentEventExport`. */
export const auditLogStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 40, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`EnvironmentEventExport (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns the lines that core prints, for any texts and filters",
      { history: auditedHistory(snapshots) },
      ({ history }) =>
        Effect.gen(function* () {
          const { environment, expected, length } = yield* tell(history)
          const spans = [[1, length] as const, [3, length >> 1] as const, [length, length] as const]
          for (const filter of filtersOf(history.repos)) {
            for (const [first, last] of spans) {
              const span = { first, last }
              const query = { environment: environment.name, span, filter }
              assert.strictEqual(
                yield* lines(ref(environment), query),
                expected(first, last, filter)
              )
            }
          }
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect.prop(
      "returns nothing of other environments and orgs, nor before the first snapshot",
      { history: auditedHistory(3) },
      ({ history }) =>
        Effect.gen(function* () {
          const { environment } = yield* tell(history)
          const foreign = yield* Fixture.org
          const query = {
            environment: environment.name,
            span: { first: 1, last: 2_000_000_000 },
            filter: {}
          }
          const strangers = [
            ref(yield* Fixture.environment(foreign)),
            { org: foreign.id, environment: environment.id }
          ]
          for (const stranger of strangers) {
            assert.strictEqual(yield* lines(stranger, query), "")
          }
        }),
      { fastCheck: { numRuns: 3 } }
    )
  })
