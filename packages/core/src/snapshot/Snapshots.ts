/** Finds snapshots by expression. SPEC §4.5 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import { UpToDateEnvironments } from "../environment/UpToDateEnvironments.js"
import type { AppliedPolicy } from "../policy/AppliedPolicy.js"
import { toHidden } from "../shared/Hidden.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import * as Slices from "../shared/Slices.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as FlowMask from "./FlowMask.js"
import * as CompleteSnapshots from "./internal/CompleteSnapshots.js"
import * as EvaluatedRow from "./internal/EvaluatedRow.js"
import * as MaskedFlows from "./internal/MaskedFlows.js"
import * as RowExpiries from "./internal/RowExpiries.js"
import * as ShortSnapshots from "./internal/ShortSnapshots.js"
import type * as QualifiedExpression from "./QualifiedExpression.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotComparison from "./SnapshotComparison.js"
import type * as SnapshotExpression from "./SnapshotExpression.js"
import * as SnapshotLookup from "./SnapshotLookup.js"
import * as SnapshotRange from "./SnapshotRange.js"
import type * as SnapshotRows from "./SnapshotRows.js"
import { SnapshotStore } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"

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

/** Use cases of snapshots. */
export class Snapshots extends Effect.Service<Snapshots>()("@attestry/core/Snapshots", {
  effect: Effect.gen(function* () {
    const store = yield* SnapshotStore
    const transaction = yield* Transaction
    const settled = yield* UpToDateEnvironments
    const reaches = yield* Reaches
    const hiddenOf = yield* MaskedFlows.make

    const { complete, placed, sourcesOf } = yield* CompleteSnapshots.make
    const expiries = yield* RowExpiries.make
    const inShort = yield* ShortSnapshots.make

    /** The snapshot that an expression means, with everything that is shown of it to who reads the whole org. */
    const whole = (
      granted: GrantedWithin,
      name: EnvironmentName,
      expression: SnapshotExpression.SnapshotExpression
    ) =>
      settled.read(granted, name, (environment) =>
        transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) =>
            Effect.gen(function* () {
              const found = { environment, expression, now }
              const snapshot = yield* SnapshotLookup.locate(store, granted, found)
              const all = yield* complete(environment, snapshot)
              const expiryOf = yield* expiries(environment, snapshot, { now, rows: all.rows })
              const rows = all.rows.map(EvaluatedRow.withExpiry(expiryOf))
              return { ...all, rows } satisfies CompleteSnapshots.CompleteSnapshot
            })
          )
        )
      )

    /** The policies of a snapshot; of one that the caller does not read, the text is left out. */
    const shownPolicies = (granted: GrantedWithin, policies: ReadonlyArray<AppliedPolicy>) =>
      Effect.map(
        reaches.keepReadable(granted, { kind: "policy", things: policies, idOf: ({ id }) => id }),
        (readable): ReadonlyArray<AppliedPolicy> => {
          const known = new Set(readable)
          return policies.map((policy) =>
            known.has(policy) || policy.version === 0
              ? policy
              : { ...policy, policy_dump: null, hidden: true }
          )
        }
      )

    /** The flows of a snapshot that the caller may not read. */
    const hiddenIn = (granted: GrantedWithin, found: CompleteSnapshots.CompleteSnapshot) =>
      hiddenOf(granted, found.flowNames)

    /** What the caller sees of a snapshot. */
    const shown = (
      granted: GrantedWithin,
      found: CompleteSnapshots.CompleteSnapshot
    ): Effect.Effect<CompleteSnapshots.CompleteSnapshot, StoreError> =>
      Effect.gen(function* () {
        if (granted.readable._tag === "Whole") return found
        const hidden = yield* hiddenIn(granted, found)
        const policies = yield* shownPolicies(granted, found.policies)
        const rows =
          hidden === undefined ? found.rows : yield* Slices.map(found.rows, FlowMask.rows(hidden))
        return { ...found, policies, rows }
      })

    /** The snapshot that an expression means, with everything that is shown of it. */
    const get = Effect.fn("Snapshots.get")(function* (
      org: OrgName,
      name: EnvironmentName,
      expression: SnapshotExpression.SnapshotExpression
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* shown(granted, yield* whole(granted, name, expression))
    })

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
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* settled.read(granted, name, (environment) =>
        transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            return yield* inShort({ environment, granted }, { ...asked, now })
          })
        )
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

    const rowIn = (
      granted: GrantedWithin,
      environment: Environment.Environment,
      asked: AskedRow & {
        readonly expression: SnapshotExpression.SnapshotExpression
        readonly now: Timestamp
      }
    ) =>
      Effect.gen(function* () {
        const { expression, fingerprint, now } = asked
        const snapshot = yield* SnapshotLookup.locate(store, granted, {
          environment,
          expression,
          now,
          only: [fingerprint]
        })
        const found = yield* related(environment, snapshot, fingerprint)
        const { flowNames, dumpOf } = yield* sourcesOf(environment, snapshot, { rows: found })
        const evaluated = found.map(EvaluatedRow.decider(flowNames, dumpOf))
        const row = evaluated.find(
          (each) =>
            each.fingerprint === fingerprint &&
            each.name === asked.name &&
            (asked.environment === undefined || each.environment === asked.environment)
        )
        if (row === undefined)
          return yield* new Snapshot.SnapshotRowNotFound({
            environment: environment.name,
            index: snapshot.index,
            name: asked.name,
            fingerprint
          })
        const expiryOf = yield* expiries(environment, snapshot, { now, rows: [row] })
        const hidden = yield* hiddenOf(granted, flowNames)
        const ended = EvaluatedRow.withExpiry(expiryOf)(row)
        return {
          environment,
          snapshot,
          rows: evaluated,
          flowNames,
          row: hidden === undefined ? ended : FlowMask.rows(hidden)(ended)
        } satisfies CompleteRow
      })

    /** One row of the snapshot that an expression means; nothing else of it is read. */
    const row = Effect.fn("Snapshots.row")(function* (
      org: OrgName,
      name: EnvironmentName,
      asked: AskedRow & { readonly expression: SnapshotExpression.SnapshotExpression }
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* settled.read(granted, name, (environment) =>
        transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => rowIn(granted, environment, { ...asked, now }))
        )
      )
    })

    /** One page of a range of snapshots, newest first unless reversed; a page past the end is empty. */
    const list = Effect.fn("Snapshots.list")(function* (
      org: OrgName,
      name: EnvironmentName,
      query: { readonly range: SnapshotRange.SnapshotRange; readonly window: SnapshotRange.Window }
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* settled.read(granted, name, (environment) =>
        transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const ref = Environment.ref(environment)
            const now = yield* scope.now
            const latest = yield* store.latest(ref)
            const span = Option.flatMap(latest, ({ index }) =>
              Option.flatMap(SnapshotRange.resolve(query.range, index), (all) =>
                SnapshotRange.pageOf(all, query.window)
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
          const primary = FlowMask.primaryOf(row)
          const { hidden, ...rest } = row
          return {
            ...rest,
            flow_name: primary === undefined ? null : (flowNames.get(primary.flow_id) ?? null),
            commit_url: primary?.commit_url ?? null,
            ...toHidden(hidden === "primary")
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

    return { get, whole, shown, hiddenIn, shownPolicies, rows, row, list, compare } as const
  })
}) {}

/** A snapshot with everything that is shown of it. */
export type { CompleteSnapshot } from "./internal/CompleteSnapshots.js"
/** A snapshot in short. */
export type { EvaluatedMember, ShortSnapshot } from "./internal/ShortSnapshots.js"
