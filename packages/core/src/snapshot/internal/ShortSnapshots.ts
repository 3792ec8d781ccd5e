/** Snapshots in short, with one page of rows: those of a large snapshot are read alone. SPEC §4.5 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GrantedWithin } from "../../access/Reaches.js"
import * as Environment from "../../environment/Environment.js"
import { keyOf } from "../../environment/RunningRow.js"
import { type Page, type Paged, slice } from "../../shared/Page.js"
import * as Slices from "../../shared/Slices.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Verdict } from "../../shared/Verdict.js"
import * as FlowMask from "../FlowMask.js"
import type * as LogicalRows from "../LogicalRows.js"
import { ReadModels } from "../ReadModels.js"
import type * as Snapshot from "../Snapshot.js"
import type * as SnapshotExpression from "../SnapshotExpression.js"
import * as SnapshotLookup from "../SnapshotLookup.js"
import * as SnapshotRows from "../SnapshotRows.js"
import { SnapshotStore } from "../SnapshotStore.js"
import * as CompleteSnapshots from "./CompleteSnapshots.js"
import * as MaskedFlows from "./MaskedFlows.js"
import * as RowExpiries from "./RowExpiries.js"

/** A member of a logical environment, the index of its snapshot, and the verdict of that. */
export interface EvaluatedMember {
  readonly environment: string
  readonly index: number
  readonly verdict: Verdict
}

/** A snapshot in short, with one page of the rows that pass a query. */
export interface ShortSnapshot extends Paged<SnapshotRows.ShortRow> {
  readonly environment: Environment.Environment
  readonly snapshot: Snapshot.Snapshot
  readonly policies: ReadonlyArray<{
    readonly name: string
    readonly version: number
    readonly rows_failing: number
    readonly mode?: "warn"
  }>
  readonly rules: ReadonlyArray<SnapshotRows.SnapshotRule>
  /** Null for a physical environment. */
  readonly members: ReadonlyArray<EvaluatedMember> | null
  /** How many rows exited in it. */
  readonly exited: number
  /** How many running rows have a result that a waiver turned. */
  readonly waived: number
}

/** The environment that is read, and by whom. */
export interface Reading {
  readonly environment: Environment.Environment
  readonly granted: GrantedWithin
}

/** Which snapshot is asked for, and which of its rows. */
export interface AskedRows {
  readonly expression: SnapshotExpression.SnapshotExpression
  readonly query: SnapshotRows.RowQuery
  readonly page: Page
  readonly now: Timestamp
}

/** A page is small where a snapshot has at least so many times its rows. */
const OUTLINED_FROM = 2

/** A page of more rows is read with the whole snapshot. */
const OUTLINED_MAX = 1_000

/** Makes the reader, which runs in the transaction of its caller. */
export const make = Effect.gen(function* () {
  const models = yield* ReadModels
  const store = yield* SnapshotStore
  const { placed, sourcesOf } = yield* CompleteSnapshots.make
  const expiries = yield* RowExpiries.make
  const hiddenOf = yield* MaskedFlows.make

  /** What rows in short need beside themselves; `decided` are all rows, of which `rows` may be a part. */
  const shortSources = (
    environment: Environment.Environment,
    snapshot: Snapshot.Snapshot,
    parts: Parameters<typeof sourcesOf>[2]
  ) =>
    Effect.map(
      sourcesOf(environment, snapshot, parts),
      ({ flowNames, versions, dumpOf }): SnapshotRows.ShortSources => ({
        versions: versions.map((version) => ({ ...version, dump: dumpOf(version) })),
        flowNames,
        isLogical: snapshot.members !== null
      })
    )

  /** Rows without the flows that the caller may not read. */
  const maskFlows = (
    granted: GrantedWithin,
    { flowNames }: SnapshotRows.ShortSources,
    rows: ReadonlyArray<LogicalRows.PlacedRow>
  ) =>
    Effect.map(hiddenOf(granted, flowNames), (hidden) =>
      hidden === undefined ? rows : rows.map((row) => FlowMask.flows(hidden, row))
    )

  /** A snapshot in short, with one page of the rows that pass a query. */
  const shorten = (
    { environment, granted }: Reading,
    snapshot: Snapshot.Snapshot,
    asked: {
      readonly query: SnapshotRows.RowQuery
      readonly page: Page
      readonly now: Timestamp
    }
  ) =>
    Effect.gen(function* () {
      const { changes, rows } = yield* placed(environment, snapshot)
      const sources = yield* shortSources(environment, snapshot, { rows })
      const masked = yield* maskFlows(granted, sources, rows)
      const evaluated = yield* Slices.map(masked, SnapshotRows.evaluated<LogicalRows.PlacedRow>())
      const numbered = SnapshotRows.rulesOf(sources, evaluated)
      const expiryOf = yield* expiries(environment, snapshot, { now: asked.now, rows })
      const short = yield* Slices.map(evaluated, SnapshotRows.shorten(sources, numbered, expiryOf))
      return {
        environment,
        snapshot,
        ...SnapshotRows.summaryOf(snapshot.policies, numbered, evaluated),
        members:
          changes?.flatMap(({ environment: name, now, verdict }) =>
            now === null ? [] : [{ environment: name, index: now, verdict }]
          ) ?? null,
        ...slice(SnapshotRows.select(short, numbered.rules, asked.query), asked.page)
      } satisfies ShortSnapshot
    })

  /** One page of all rows of a large snapshot: only the rows of the page are read in full. */
  const outlined = (
    { environment, granted }: Reading,
    snapshot: Snapshot.Snapshot,
    { now, page }: { readonly now: Timestamp; readonly page: Page }
  ) =>
    Effect.gen(function* () {
      const ref = Environment.ref(environment)
      const { page: items, groups } = yield* models.groupedRows(ref, snapshot.index, page)
      const only = [...new Set(items.map(({ fingerprint }) => fingerprint))]
      const found = yield* store.find(ref, { _tag: "AtIndex", index: snapshot.index }, only)
      const { rows: full } = yield* placed(
        environment,
        Option.getOrElse(found, () => snapshot)
      )
      const known = new Map(full.map((row) => [keyOf(row), row]))
      const rows = items.flatMap((item) => known.get(keyOf(item)) ?? [])
      const sources = yield* shortSources(environment, snapshot, { rows, decided: groups })
      const evaluated = groups.map(SnapshotRows.evaluated<Snapshot.RowGroup>())
      const numbered = SnapshotRows.rulesOf(sources, evaluated)
      const masked = yield* maskFlows(granted, sources, rows)
      const ofPage = masked.map(SnapshotRows.evaluated<LogicalRows.PlacedRow>())
      const expiryOf = yield* expiries(environment, snapshot, { now, rows })
      return {
        environment,
        snapshot,
        total: groups.reduce((sum, group) => sum + group.rows, 0),
        ...SnapshotRows.summaryOf(snapshot.policies, numbered, evaluated),
        members: null,
        items: ofPage.map(SnapshotRows.shorten(sources, numbered, expiryOf))
      } satisfies ShortSnapshot
    })

  /** Whether a page is a small part of a snapshot that has no rows of members. */
  const isSmallPart = ({ counts, members }: Snapshot.Snapshot, { perPage }: Page): boolean =>
    members === null && perPage * OUTLINED_FROM <= counts.true + counts.false + counts.null

  /** The snapshot that an expression means, in short. */
  return (reading: Reading, asked: AskedRows) =>
    Effect.gen(function* () {
      const { environment, granted } = reading
      const { expression, now, page, query } = asked
      const found = { environment, expression, now }
      const isPlain = Object.keys(query).length === 0 && page.perPage <= OUTLINED_MAX
      if (isPlain) {
        const head = yield* SnapshotLookup.locate(store, granted, { ...found, only: [] })
        if (isSmallPart(head, page)) return yield* outlined(reading, head, { now, page })
      }
      const snapshot = yield* SnapshotLookup.locate(store, granted, found)
      return yield* shorten(reading, snapshot, asked)
    })
})
