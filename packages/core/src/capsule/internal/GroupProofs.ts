/**
 * Proves the snapshots of a logical environment: its members by the entries before it, its counts and verdict by the
 * proved snapshots of the members, and the rows that its own policies fail by deciding them again. Pure.
 *
 * A member whose snapshot is not proved makes the snapshot of the group *not proved*.
 */
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import * as Verdict from "../../shared/Verdict.js"
import type { CreatedSnapshot, SnapshotMembers } from "./CapsuleHistory.js"
import type { RowRecomputation } from "./RowRecomputation.js"
import {
  claimOf,
  type Doubting,
  type JudgedSnapshot,
  type ProvedEnvironment,
  type Standing
} from "./SnapshotProofs.js"

/** Finds the judged snapshot of a physical environment; undefined if it is not shown. */
export type MemberSnapshots = (environment: string, index: number) => JudgedSnapshot | undefined

/** The members of a snapshot, as far as they are shown, and what is missing about them. */
interface Members {
  readonly shown: ReadonlyArray<{ readonly id: string; readonly judged: JudgedSnapshot }>
  readonly doubts: ReadonlyArray<string>
}

/** The failing rows of each own policy, whether the own policies are met, and what is missing about them. */
interface OwnDecisions {
  readonly failing: ReadonlyArray<ReadonlyArray<string>>
  readonly isMet: boolean
  readonly doubts: ReadonlyArray<string>
}

/** The doubts about a member's snapshot. What is wrong with it is told with itself, and proves nothing here. */
const doubtsOf = ({ claim, doubts, errors }: JudgedSnapshot): ReadonlyArray<string> => {
  const name = claim.type === "snapshot" ? `${claim.environment}#${claim.index}` : ""
  return [
    ...doubts.map((doubt) => `member ${name}: ${doubt}`),
    ...(errors.length === 0 ? [] : [`member ${name} is wrong`])
  ]
}

const membersOf = (
  { counted, recorded, unknown }: SnapshotMembers,
  snapshots: MemberSnapshots
): Members => {
  const found = counted.map(({ environment_id: id, index }) => ({
    id,
    index,
    judged: snapshots(id, index)
  }))
  const shown = found.flatMap(({ id, judged }) => (judged === undefined ? [] : [{ id, judged }]))
  return {
    shown,
    doubts: [
      ...found.flatMap(({ id, index, judged }) =>
        judged === undefined ? [`snapshot ${index} of member ${id} is not shown`] : doubtsOf(judged)
      ),
      ...unknown.map((id) => `nothing about environment ${id}, which belonged to it, is shown`),
      // WHY no error: a member may have got a snapshot while this one was made.
      ...(unknown.length > 0 || CanonicalJson.equals(recorded, counted)
        ? []
        : ["its members are not those that were recorded before it"])
    ]
  }
}

/** Proves the snapshots of one logical environment. */
export class GroupProofs {
  constructor(
    readonly environment: ProvedEnvironment,
    readonly by: {
      readonly rows: RowRecomputation
      readonly doubting: Doubting
      readonly snapshots: MemberSnapshots
    }
  ) {}

  /** Decides the rows of the members by the policies of the group. */
  #decide(
    snapshot: CreatedSnapshot,
    { shown }: Members,
    unseen: ReadonlySet<number>
  ): OwnDecisions {
    const { policies } = snapshot
    const { readsFacts, unknown } = this.by.rows.policiesOf(snapshot)
    const doubts = new Set(
      unknown === undefined ? [] : [`the text of policy ${unknown} is not shown`]
    )
    const failing = policies.map(() => new Set<string>())
    let isMet = true
    for (const { id, judged } of policies.length === 0 ? [] : shown)
      for (const row of judged.running) {
        const { fingerprint } = row
        for (const doubt of this.by.doubting.ofArtifact(fingerprint, readsFacts)) doubts.add(doubt)
        for (const doubt of this.by.doubting.unseenOf(fingerprint, unseen)) doubts.add(doubt)
        const again = this.by.rows.decide(this.environment.id, snapshot, { ...row, runsIn: id })
        if (again.verdict !== "Compliant") isMet = false
        for (const [at, { status }] of again.decisions.entries())
          if (status === "NON-COMPLIANT") failing[at]?.add(fingerprint)
      }
    return { failing: failing.map((each) => [...each].sort()), isMet, doubts: [...doubts] }
  }

  /** What of a snapshot does not follow from its members and its own decisions. */
  #differences(
    { counts, policies, verdict }: CreatedSnapshot,
    { shown }: Members,
    { failing, isMet }: OwnDecisions
  ): ReadonlyArray<string> {
    const heads = shown.map(({ judged }) => judged.snapshot)
    const summed = { true: 0, false: 0, null: 0 }
    for (const head of heads)
      for (const key of ["true", "false", "null"] as const) summed[key] += head.counts[key]
    const own: ReadonlyArray<Verdict.Verdict> =
      heads.length > 0 && policies.some(isEnforced) ? [isMet ? "Compliant" : "NonCompliant"] : []
    const again = Verdict.minimum([...heads.map((head) => head.verdict), ...own])
    return [
      ...(CanonicalJson.equals(summed, counts) ? [] : ["its counts are not those of its members"]),
      ...policies.flatMap((policy, at) =>
        CanonicalJson.equals(policy.failing ?? [], failing[at] ?? [])
          ? []
          : [`other artifacts fail policy ${policy.name}`]
      ),
      ...(again === verdict ? [] : [`its verdict was ${verdict}, and comes out ${again}`])
    ]
  }

  #standingOf(snapshot: CreatedSnapshot, members: Members, unseen: ReadonlySet<number>): Standing {
    const general = [
      ...this.by.doubting.ofSnapshot(this.environment.id, snapshot),
      ...members.doubts,
      ...(snapshot.semantics === SEMANTICS ? [] : ["it was decided by other semantics"])
    ]
    const isRepeatable =
      snapshot.semantics === SEMANTICS && members.shown.length === snapshot.members?.counted.length
    if (!isRepeatable) return { doubts: [...new Set(general)], errors: [] }
    const decided = this.#decide(snapshot, members, unseen)
    const doubts = [...new Set([...general, ...decided.doubts])]
    const different = this.#differences(snapshot, members, decided)
    return doubts.length > 0 || !this.by.doubting.isWhole
      ? { doubts: [...doubts, ...different], errors: [] }
      : { doubts, errors: different }
  }

  /** Judges a snapshot; `unseen` are the earlier entries that its evaluation did not see. */
  judge(snapshot: CreatedSnapshot, unseen: ReadonlySet<number>): JudgedSnapshot {
    const { members: said } = snapshot
    const members: Members =
      said === null
        ? { shown: [], doubts: ["it has no members"] }
        : membersOf(said, this.by.snapshots)
    const running = members.shown.flatMap(({ judged }) => judged.running)
    return {
      claim: claimOf(this.environment, snapshot, running.length),
      snapshot,
      running,
      arrived: [],
      hasRows: false,
      ...this.#standingOf(snapshot, members, unseen)
    }
  }
}
