/** Finds snapshots by expression. SPEC §4.5 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import { keyOf } from "../environment/RunningRow.js"
import { UpToDateEnvironments } from "../environment/UpToDateEnvironments.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { type Page, type Paged, slice } from "../shared/Page.js"
import * as Slices from "../shared/Slices.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { Verdict } from "../shared/Verdict.js"
import * as CompleteSnapshots from "./internal/CompleteSnapshots.js"
import * as EvaluatedRow from "./internal/EvaluatedRow.js"
import * as RowExpiries from "./internal/RowExpiries.js"
import type * as LogicalRows from "./LogicalRows.js"
import type * as QualifiedExpression from "./QualifiedExpression.js"
import { ReadModels } from "./ReadModels.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotComparison from "./SnapshotComparison.js"
import type * as SnapshotExpression from "./SnapshotExpression.js"
import * as SnapshotLookup from "./SnapshotLookup.js"
import * as SnapshotRange from "./SnapshotRange.js"
import * as SnapshotRows from "./SnapshotRows.js"
import { SnapshotStore } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"

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

/** One row of a snapshot with everything that is shown of it. */
export interface CompleteRow extends Omit<CompleteSnapshots.CompleteSnapshot, "policies"> {
  readonly row: EvaluatedRow.EvaluatedRow
}

/** One row of a snapshot; `environment` is the member of a logical environment in which it runs. */
export interface AskedRow {
  readonly name: string
  readonly fingerprint: ReportedFingerprint
  readonly environment?: string
}

/** One side of a comparison, with the text that named it where there is one. */
export interface ComparedSide extends QualifiedExpression.QualifiedExpression {
  readonly text?: string
}

/** A page is small where a snapshot has at least so many times its rows. */
const OUTLINED_FROM = 2

/** A page of more rows is read with the whole snapshot. */
const OUTLINED_MAX = 1_000

/** Use cases of snapshots. */
export class Snapshots extends Effect.Service<Snapshots>()("@attestry/core/Snapshots", {
  effect: Effect.gen(function* () {
    const models = yield* ReadModels
    const store = yield* SnapshotStore
    const transaction = yield* Transaction
    const settled = yield* UpToDateEnvironments

    const { complete, placed, sourcesOf } = yield* CompleteSnapshots.make
    const expiries = yield* RowExpiries.make

    /** The snapshot that an expression means, with everything that is shown of it. */
    const get = Effect.fn("Snapshots.get")(function* (
      org: OrgName,
      name: EnvironmentName,
      expression: SnapshotExpression.SnapshotExpression
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.flatMap(scope.now, (now) =>
          Effect.gen(function* () {
            const found = { environment, expression, now }
            const snapshot = yield* SnapshotLookup.locate(store, granted, found)
            const whole = yield* complete(environment, snapshot)
            const expiryOf = yield* expiries(environment, snapshot, { now, rows: whole.rows })
            const rows = whole.rows.map(EvaluatedRow.withExpiry(expiryOf))
            return { ...whole, rows } satisfies CompleteSnapshots.CompleteSnapshot
          })
        )
      )
    })

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

    /** A snapshot in short, with one page of the rows that pass a query. */
    const shorten = (
      environment: Environment.Environment,
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
        const evaluated = yield* Slices.map(rows, SnapshotRows.evaluated<LogicalRows.PlacedRow>())
        const numbered = SnapshotRows.rulesOf(sources, evaluated)
        const expiryOf = yield* expiries(environment, snapshot, { now: asked.now, rows })
        const short = yield* Slices.map(
          evaluated,
          SnapshotRows.shorten(sources, numbered, expiryOf)
        )
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
      environment: Environment.Environment,
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
        const ofPage = rows.map(SnapshotRows.evaluated<LogicalRows.PlacedRow>())
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
    const rows = Effect.fn("Snapshots.rows")(function* (
      org: OrgName,
      name: EnvironmentName,
      asked: {
        readonly expression: SnapshotExpression.SnapshotExpression
        readonly query: SnapshotRows.RowQuery
        readonly page: Page
      }
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const { expression, page, query } = asked
          const now = yield* scope.now
          const found = { environment, expression, now }
          const isPlain = Object.keys(query).length === 0 && page.perPage <= OUTLINED_MAX
          if (isPlain) {
            const head = yield* SnapshotLookup.locate(store, granted, { ...found, only: [] })
            if (isSmallPart(head, page)) return yield* outlined(environment, head, { now, page })
          }
          const snapshot = yield* SnapshotLookup.locate(store, granted, found)
          return yield* shorten(environment, snapshot, { ...asked, now })
        })
      )
    })

    /** The rows of a fingerprint and of those that it replaced, which decide what is shown of it. */
    const related = (
      environment: Environment.Environment,
      snapshot: Snapshot.Snapshot,
      fingerprint: ReportedFingerprint
    ) =>
      Effect.gen(function* () {
        const { rows: own } = yield* placed(environment, snapshot, {
          only: [fingerprint]
        })
        const before = new Set<ReportedFingerprint>(
          own.flatMap(({ flows }) =>
            flows.flatMap(({ previous }) => (previous === null ? [] : [previous.fingerprint]))
          )
        )
        before.delete(fingerprint)
        if (before.size === 0) return own
        const ref = Environment.ref(environment)
        const only = [...before]
        const again = yield* store.find(ref, { _tag: "AtIndex", index: snapshot.index }, only)
        if (Option.isNone(again)) return own
        return [...own, ...(yield* placed(environment, again.value, { only })).rows]
      })

    /** One row of the snapshot that an expression means; nothing else of it is read. */
    const row = Effect.fn("Snapshots.row")(function* (
      org: OrgName,
      name: EnvironmentName,
      asked: AskedRow & { readonly expression: SnapshotExpression.SnapshotExpression }
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const only = [asked.fingerprint]
          const snapshot = yield* SnapshotLookup.locate(store, granted, {
            environment,
            expression: asked.expression,
            now,
            only
          })
          const found = yield* related(environment, snapshot, asked.fingerprint)
          const { flowNames, dumpOf } = yield* sourcesOf(environment, snapshot, {
            rows: found
          })
          const evaluated = found.map(EvaluatedRow.decider(flowNames, dumpOf))
          const row = evaluated.find(
            (each) =>
              each.fingerprint === asked.fingerprint &&
              each.name === asked.name &&
              (asked.environment === undefined || each.environment === asked.environment)
          )
          if (row === undefined)
            return yield* new Snapshot.SnapshotRowNotFound({
              environment: environment.name,
              index: snapshot.index,
              name: asked.name,
              fingerprint: asked.fingerprint
            })
          const expiryOf = yield* expiries(environment, snapshot, { now, rows: [row] })
          return {
            environment,
            snapshot,
            rows: evaluated,
            flowNames,
            row: EvaluatedRow.withExpiry(expiryOf)(row)
          } satisfies CompleteRow
        })
      )
    })

    /** One page of a range of snapshots, newest first unless reversed; a page past the end is empty. */
    const list = Effect.fn("Snapshots.list")(function* (
      org: OrgName,
      name: EnvironmentName,
      query: { readonly range: SnapshotRange.SnapshotRange; readonly window: SnapshotRange.Window }
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      const ref = Environment.ref(environment)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const latest = yield* store.latest(ref)
          const span = Option.flatMap(latest, ({ index }) =>
            Option.flatMap(SnapshotRange.resolve(query.range, index), (whole) =>
              SnapshotRange.pageOf(whole, query.window)
            )
          )
          if (Option.isNone(span)) return []
          const heads = yield* store.heads(ref, span.value)
          const lines = heads.map((head) =>
            SnapshotTimeline.summarize(head, {
              next: Option.fromNullable(head.next_timestamp),
              now
            })
          )
          return query.window.reverse ? lines.reverse() : lines
        })
      )
    })

    const comparable = ({
      environment,
      snapshot,
      rows,
      flowNames
    }: CompleteSnapshots.CompleteSnapshot): SnapshotComparison.ComparableSnapshot => ({
      environment: environment.name,
      index: snapshot.index,
      running: rows
        .filter(({ annotation }) => annotation.type !== "exited")
        .map((row) => {
          const [primary] = row.flows
          return {
            ...row,
            flow_name: primary === undefined ? null : (flowNames.get(primary.flow_id) ?? null),
            commit_url: primary?.commit_url ?? null
          }
        })
    })

    const side = (org: OrgName, { environment, expression, text }: ComparedSide) =>
      Effect.catchTag(get(org, environment, expression), "SnapshotNotFound", (missing) =>
        Effect.fail(
          text === undefined ? missing : new Snapshot.SnapshotNotFound({ ...missing, asked: text })
        )
      )

    /** Two snapshots side by side, of one environment or of two. */
    const compare = Effect.fn("Snapshots.compare")(function* (
      org: OrgName,
      first: ComparedSide,
      second: ComparedSide
    ) {
      const one = yield* side(org, first)
      const two = yield* side(org, second)
      return SnapshotComparison.compare(comparable(one), comparable(two))
    })

    return { get, rows, row, list, compare } as const
  })
}) {}

/** A snapshot with everything that is shown of it. */
export type { CompleteSnapshot } from "./internal/CompleteSnapshots.js"
