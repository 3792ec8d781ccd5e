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
import * as AllowListEntry from "../../allow-list/AllowListEntry.js"
import { distinctKnown } from "../../artifact/Fingerprint.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { Journals } from "../../journal/Journals.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import { type PolicySet, PolicySets, readingOf } from "../../policy/PolicySets.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import type { EnvironmentId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as Verdict from "../../shared/Verdict.js"
import * as DueInstant from "../DueInstant.js"
import * as RowDecision from "../RowDecision.js"
import { decide, nextChange, RowEvidence } from "../RowEvidence.js"
import type { EvaluatingPolicy, SnapshotHead, SnapshotRow } from "../Snapshot.js"
import type { SnapshotCounts } from "../SnapshotCounts.js"
import { type LogicalDraft, SnapshotStore } from "../SnapshotStore.js"
import * as SnapshotTimeline from "../SnapshotTimeline.js"
import { Moments } from "./Moments.js"
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
type LogicalSnapshot = Omit<LogicalDraft, "semantics" | "is_decay">

/** The field of an evaluation that time alone causes; absent for every other one. */
export const decayField = (isDecay: boolean): { readonly is_decay?: true } =>
  isDecay ? { is_decay: true } : {}

/** The instant of an evaluation, and whether time alone is its cause. */
export interface EvaluationInstant {
  readonly at: Timestamp
  readonly isDecay: boolean
}

/** A new snapshot of a member: its instant, and the number of its rows that gained a warning. */
export interface MemberChange extends EvaluationInstant {
  readonly warned: number
}

/** An evaluation of a logical environment's own policies. */
interface Reevaluation extends EvaluationInstant {
  /** Whether a snapshot is appended even if nothing changed. */
  readonly always: boolean
}

/** An evaluation that a write causes at its instant. */
const instantOf = ({ at }: WriteContext): EvaluationInstant => ({ at, isDecay: false })

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
  /** The next due instant; null without one. */
  readonly due: Timestamp | null
}

/** A row, and the decisions of the environment's own policies about it. */
interface OwnDecision {
  readonly fingerprint: string
  readonly isAllowed: boolean
  readonly decisions: ReadonlyArray<RowDecision.RowDecision>
}

const evaluatementOf = (
  set: PolicySet,
  rows: ReadonlyArray<OwnDecision>
): Omit<OwnEvaluatement, "due"> => ({
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
      const moments = yield* Moments
      const sets = yield* PolicySets
      const evidence = yield* RowEvidence
      const listener = yield* SnapshotListener

      /** The latest snapshot of each active member that has one. */
      const membersOf = ({ org_id: org, included }: Environment.Environment) =>
        Effect.gen(function* () {
          const present = yield* environments.names(org, included ?? [], { active: true })
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

      /** The running rows of a member, and whether each is allowed there at an instant. */
      const runningIn = (
        org: Environment.Environment["org_id"],
        { id }: Member,
        now: WriteContext["at"]
      ) =>
        Effect.gen(function* () {
          const ref = { org, environment: id }
          const allowed = new Set<string>(
            AllowListEntry.inForce(yield* environments.listAllowed(ref), now).map(
              ({ fingerprint }) => fingerprint
            )
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
        members: ReadonlyArray<Member>,
        { at, isDecay }: EvaluationInstant
      ): Effect.Effect<OwnEvaluatement, StoreError> =>
        Effect.gen(function* () {
          const { org_id: org } = environment
          const set = yield* sets.latest(org, Environment.selectionOf(environment))
          if (set.versions.length === 0) return { verdict: Option.none(), policies: [], due: null }
          const rows = (yield* Effect.forEach(members, (member) =>
            runningIn(org, member, at)
          )).flat()
          const known = distinctKnown(rows.map(([{ fingerprint }]) => fingerprint))
          const knownOf = yield* evidence.gather(org, known, {
            ...readingOf(set),
            asOf: isDecay ? at : undefined
          })
          const input = { knownOf, moment: yield* moments.of(environment, at) }
          const isTimed = set.compiled.isTimed || input.moment.waivers.length > 0
          const decided = rows.map(([row, isAllowed]) => ({
            fingerprint: row.fingerprint,
            isAllowed,
            decisions: decide(set, row, input)
          }))
          const due = DueInstant.dueAfter(at, {
            rows: isTimed ? rows.map(([row]) => nextChange(set, row, input)) : [],
            kept: null,
            allowed: null
          })
          return { ...evaluatementOf(set, decided), due }
        })

      const draftOf = (
        { at, isDecay }: EvaluationInstant,
        environment: Environment.Environment,
        latest: Option.Option<SnapshotHead>
      ) =>
        Effect.gen(function* () {
          const members = yield* membersOf(environment)
          const timestamp = SnapshotTimeline.nextTimestamp(
            at,
            Option.map(latest, (head) => head.timestamp)
          )
          const { due, policies, verdict } = yield* evaluate(environment, members, {
            at: timestamp,
            isDecay
          })
          if (due !== (environment.due_at ?? null))
            yield* environments.setDue(Environment.ref(environment), due)
          const heads = members.map(({ head }) => head)
          const own = members.length === 0 ? [] : Option.toArray(verdict)
          return {
            index: Option.match(latest, { onNone: () => 1, onSome: ({ index }) => index + 1 }),
            timestamp,
            verdict: Verdict.minimum([...heads.map((head) => head.verdict), ...own]),
            counts: sum(heads),
            policies,
            members: members.map(({ id, head }) => ({ environment_id: id, index: head.index }))
          } satisfies LogicalSnapshot
        })

      const write = (
        writer: WriteContext,
        environment: Environment.Environment,
        {
          warned = 0,
          isDecay,
          ...draft
        }: LogicalSnapshot & { readonly warned?: number; readonly isDecay: boolean }
      ) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          yield* store.appendLogical(ref, {
            ...draft,
            semantics: SEMANTICS,
            ...decayField(isDecay)
          })
          yield* environments.change(ref, { at: draft.timestamp, verdict: draft.verdict })
          const recorded = yield* journals.record({
            ...writer,
            kind: "snapshot_created",
            subject: { type: "environment", id: environment.id },
            content: { ...(isDecay ? { cause: "decay" } : {}), ...draft, evaluator: SEMANTICS }
          })
          yield* listener.appended({ writer, environment, head: draft, warned, recorded })
        })

      /** Appends the next snapshot of a logical environment; the caller holds its lock. */
      const append = (
        writer: WriteContext,
        environment: Environment.Environment,
        { warned, ...instant }: MemberChange = { ...instantOf(writer), warned: 0 }
      ) =>
        Effect.gen(function* () {
          const latest = yield* store.latest(Environment.ref(environment))
          const draft = yield* draftOf(instant, environment, latest)
          yield* write(writer, environment, { ...draft, warned, isDecay: instant.isDecay })
        })

      /**
       * Evaluates the environment's own policies. With `always` appends a snapshot unless there is none yet,
       * otherwise only when the verdict or a decision differs.
       */
      const reevaluate = (
        writer: WriteContext,
        environment: Environment.Environment,
        { always, ...instant }: Reevaluation
      ) =>
        Effect.gen(function* () {
          const latest = yield* store.latest(Environment.ref(environment))
          if (Option.isNone(latest)) return
          const { isDecay } = instant
          const draft = yield* draftOf(instant, environment, latest)
          const { policies, verdict } = latest.value
          const isSame = verdict === draft.verdict && CanonicalJson.equals(policies, draft.policies)
          if (always || !isSame) return yield* write(writer, environment, { ...draft, isDecay })
          const { index } = latest.value
          yield* store.recordUnchangedEvaluation(Environment.ref(environment), {
            at: draft.timestamp,
            index,
            ...decayField(isDecay)
          })
        })

      /** Appends a snapshot of every logical environment that contains this one, after its new snapshot. */
      const memberChanged = (
        writer: WriteContext,
        member: Environment.Environment,
        change: MemberChange
      ) =>
        Effect.flatMap(environments.lockGroupsOf(Environment.ref(member)), (groups) =>
          Effect.forEach(groups, (group) => append(writer, group, change), { discard: true })
        )

      /** Evaluates every logical environment with policies that contains this one. */
      const memberReevaluated = (
        writer: WriteContext,
        member: Environment.Environment,
        instant: EvaluationInstant = instantOf(writer)
      ) =>
        Effect.flatMap(environments.lockGroupsOf(Environment.ref(member)), (groups) =>
          Effect.forEach(
            groups.filter(
              ({ policies, require_provenance }) => policies.length > 0 || require_provenance
            ),
            (group) => reevaluate(writer, group, { always: false, ...instant }),
            { discard: true }
          )
        )

      return { append, reevaluate, memberChanged, memberReevaluated } as const
    })
  }
) {}
