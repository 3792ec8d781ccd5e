/**
 * The snapshots of logical environments: the index of each member's snapshot. DECISIONS.md, "Logical environments refer
 * to member snapshots"
 *
 * A logical environment has no rows of its own; its rows are those of its members, with their decisions. Of its
 * own policies it stores the versions, and the rows that they fail.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { isKnown } from "../../artifact/Fingerprint.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { Journals } from "../../journal/Journals.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import { type PolicySet, PolicySets } from "../../policy/PolicySets.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import type { EnvironmentId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as Verdict from "../../shared/Verdict.js"
import * as RowDecision from "../RowDecision.js"
import { decide, RowEvidence } from "../RowEvidence.js"
import type { EvaluatingPolicy, SnapshotHead, SnapshotRow } from "../Snapshot.js"
import type { SnapshotCounts } from "../SnapshotCounts.js"
import { type LogicalDraft, SnapshotStore } from "../SnapshotStore.js"
import * as SnapshotTimeline from "../SnapshotTimeline.js"
import { SnapshotListener } from "./SnapshotListener.js"

const sum = (heads: ReadonlyArray<SnapshotHead>): SnapshotCounts =>
  heads.reduce(
    (total, { counts }) => ({
      true: total.true + counts.true,
      false: total.false + counts.false,
      null: total.null + counts.null
    }),
    { true: 0, false: 0, null: 0 }
  )

/** A snapshot as the journal tells it. */
type LogicalSnapshot = Omit<LogicalDraft, "semantics">

/** A member and its current snapshot. */
interface Member {
  readonly id: EnvironmentId
  readonly head: SnapshotHead
}

/** The result of the environment's own policies. */
interface OwnEvaluatement {
  /** None without own policies that count. */
  readonly verdict: Option.Option<Verdict.Verdict>
  readonly policies: ReadonlyArray<EvaluatingPolicy>
}

/** A row, and the decisions of the environment's own policies about it. */
interface OwnDecision {
  readonly fingerprint: string
  readonly isAllowed: boolean
  readonly decisions: ReadonlyArray<RowDecision.RowDecision>
}

const evaluatementOf = (set: PolicySet, rows: ReadonlyArray<OwnDecision>): OwnEvaluatement => ({
  verdict: set.versions.some(isEnforced)
    ? Option.some(
        rows.every(
          ({ decisions, isAllowed }) =>
            isAllowed || RowDecision.verdictOf(decisions) === "Compliant"
        )
          ? "Compliant"
          : "NonCompliant"
      )
    : Option.none(),
  policies: set.versions.map((version, index) => ({
    ...version,
    failing: [
      ...new Set(
        rows.flatMap(({ decisions, fingerprint }) =>
          decisions[index]?.status === "NON-COMPLIANT" ? [fingerprint] : []
        )
      )
    ].sort()
  }))
})

/** Appends snapshots of logical environments. */
export class LogicalSnapshots extends Effect.Service<LogicalSnapshots>()(
  "@attestry/core/LogicalSnapshots",
  {
    effect: Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environments = yield* EnvironmentStore
      const journals = yield* Journals
      const sets = yield* PolicySets
      const evidence = yield* RowEvidence
      const listener = yield* SnapshotListener

      /** The latest snapshot of each active member that has one. */
      const membersOf = ({ org_id: org, included }: Environment.Environment) =>
        Effect.gen(function* () {
          const present = new Set((yield* environments.list(org)).map(({ id }) => id))
          const found = yield* Effect.forEach(
            (included ?? []).filter((id) => present.has(id)),
            (id) =>
              Effect.map(
                store.latest({ org, environment: id }),
                Option.map((head): Member => ({ id, head }))
              )
          )
          return found.flatMap(Option.toArray)
        })

      /** The running rows of a member, and whether each is allowed there. */
      const runningIn = (org: Environment.Environment["org_id"], { id }: Member) =>
        Effect.gen(function* () {
          const ref = { org, environment: id }
          const allowed = new Set<string>(
            (yield* environments.listAllowed(ref)).map(({ fingerprint }) => fingerprint)
          )
          const running = yield* store.running(ref)
          return running.map((row): readonly [SnapshotRow, boolean] => [
            row,
            allowed.has(row.fingerprint)
          ])
        })

      /** Evaluates the environment's own policies; without any nothing is read. */
      const evaluate = (
        environment: Environment.Environment,
        members: ReadonlyArray<Member>
      ): Effect.Effect<OwnEvaluatement, StoreError> =>
        Effect.gen(function* () {
          const { org_id: org } = environment
          const set = yield* sets.latest(org, Environment.selectionOf(environment))
          if (set.versions.length === 0) return { verdict: Option.none(), policies: [] }
          const rows = (yield* Effect.forEach(members, (member) => runningIn(org, member))).flat()
          const known = [...new Set(rows.map(([{ fingerprint }]) => fingerprint))].filter(isKnown)
          const knownOf = yield* evidence.gather(org, known.sort(), {
            withAttestations: set.readsAttestations
          })
          return evaluatementOf(
            set,
            rows.map(([row, isAllowed]) => ({
              fingerprint: row.fingerprint,
              isAllowed,
              decisions: decide(set, row, knownOf)
            }))
          )
        })

      const draftOf = (
        writer: WriteContext,
        environment: Environment.Environment,
        latest: Option.Option<SnapshotHead>
      ) =>
        Effect.gen(function* () {
          const members = yield* membersOf(environment)
          const { policies, verdict } = yield* evaluate(environment, members)
          const heads = members.map(({ head }) => head)
          const own = members.length === 0 ? [] : Option.toArray(verdict)
          return {
            index: Option.match(latest, { onNone: () => 1, onSome: ({ index }) => index + 1 }),
            timestamp: SnapshotTimeline.nextTimestamp(
              writer.at,
              Option.map(latest, ({ timestamp }) => timestamp)
            ),
            verdict: Verdict.minimum([...heads.map((head) => head.verdict), ...own]),
            counts: sum(heads),
            policies,
            members: members.map(({ id, head }) => ({ environment_id: id, index: head.index }))
          } satisfies LogicalSnapshot
        })

      const write = (
        writer: WriteContext,
        environment: Environment.Environment,
        { warned = 0, ...draft }: LogicalSnapshot & { readonly warned?: number }
      ) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          yield* store.appendLogical(ref, { ...draft, semantics: SEMANTICS })
          yield* environments.change(ref, { at: draft.timestamp, verdict: draft.verdict })
          const recorded = yield* journals.record({
            ...writer,
            kind: "snapshot_created",
            subject: { type: "environment", id: environment.id },
            content: draft
          })
          yield* listener.appended({ writer, environment, head: draft, warned, recorded })
        })

      /** Appends the next snapshot of a logical environment; the caller holds its lock. */
      const append = (writer: WriteContext, environment: Environment.Environment, warned = 0) =>
        Effect.gen(function* () {
          const latest = yield* store.latest(Environment.ref(environment))
          const draft = yield* draftOf(writer, environment, latest)
          yield* write(writer, environment, { ...draft, warned })
        })

      /**
       * Evaluates the environment's own policies. With `always` appends a snapshot unless there is none yet,
       * otherwise only when the verdict or a decision differs.
       */
      const reevaluate = (
        writer: WriteContext,
        environment: Environment.Environment,
        { always }: { readonly always: boolean }
      ) =>
        Effect.gen(function* () {
          const latest = yield* store.latest(Environment.ref(environment))
          if (Option.isNone(latest)) return
          const draft = yield* draftOf(writer, environment, latest)
          const { policies, verdict } = latest.value
          const isSame = verdict === draft.verdict && CanonicalJson.equals(policies, draft.policies)
          if (always || !isSame) return yield* write(writer, environment, draft)
          const { index } = latest.value
          yield* store.recordUnchangedEvaluation(Environment.ref(environment), {
            at: writer.at,
            index
          })
        })

      /** Appends a snapshot of every logical environment that contains this one, after its new snapshot. */
      const memberChanged = (
        writer: WriteContext,
        member: Environment.Environment,
        warned: number
      ) =>
        Effect.flatMap(environments.lockGroupsOf(Environment.ref(member)), (groups) =>
          Effect.forEach(groups, (group) => append(writer, group, warned), { discard: true })
        )

      /** Evaluates every logical environment with policies that contains this one. */
      const memberReevaluated = (writer: WriteContext, member: Environment.Environment) =>
        Effect.flatMap(environments.lockGroupsOf(Environment.ref(member)), (groups) =>
          Effect.forEach(
            groups.filter(
              ({ policies, require_provenance }) => policies.length > 0 || require_provenance
            ),
            (group) => reevaluate(writer, group, { always: false }),
            { discard: true }
          )
        )

      return { append, reevaluate, memberChanged, memberReevaluated } as const
    })
  }
) {}
