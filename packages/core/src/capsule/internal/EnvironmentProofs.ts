/** Proves the selected snapshots of all environments: physical ones first, then groups by their members. Pure. */
import * as Timestamp from "../../shared/Timestamp.js"
import type * as Capsule from "../Capsule.js"
import type { Claim } from "../CapsuleReport.js"
import type { CreatedSnapshot } from "./CapsuleHistory.js"
import { GroupProofs } from "./GroupProofs.js"
import type { RowRecomputation } from "./RowRecomputation.js"
import {
  type Doubting,
  type Judged,
  type JudgedSnapshot,
  type ProvedEnvironment,
  SnapshotProofs
} from "./SnapshotProofs.js"

/** The answers of a capsule about snapshots. */
export interface SnapshotAnswers {
  readonly manifest: Capsule.Manifest
  readonly expected: Capsule.Expected
}

/** What decides snapshots again, and what is missing for it. */
interface Recomputing {
  readonly rows: RowRecomputation
  readonly doubting: Doubting
}

/** The judged snapshots of an environment, by index. */
export type BySnapshot = ReadonlyMap<number, JudgedSnapshot>

/** The claims about the selected snapshots, and the judged snapshots of each environment. */
export interface JudgedEnvironments {
  readonly judged: ReadonlyArray<Judged>
  readonly snapshots: ReadonlyMap<string, BySnapshot>
}

/** The snapshots to judge of each environment: the selected ones, and those of members. */
const wantedOf = ({ manifest }: SnapshotAnswers, { rows }: Recomputing) => {
  const wanted = new Map<string, Set<number>>()
  const want = (id: string, index: number) =>
    wanted.set(id, (wanted.get(id) ?? new Set()).add(index))
  for (const { from, id, to } of manifest.selection.environments)
    for (const { index, members } of rows.history.snapshots(id)) {
      if (index < from || index > to) continue
      want(id, index)
      for (const { environment_id, index: of } of members?.counted ?? []) want(environment_id, of)
    }
  return wanted
}

const isGroup = (created: ReadonlyArray<CreatedSnapshot>): boolean =>
  created.some(({ members }) => members !== null)

/** The judged snapshots of an environment, by index. */
const judgeAll = (
  environment: ProvedEnvironment,
  answered: ReadonlyArray<Capsule.ExpectedSnapshot>,
  {
    doubting,
    rows,
    members,
    wanted
  }: Recomputing & {
    readonly members: ReadonlyMap<string, BySnapshot>
    readonly wanted: ReadonlySet<number>
  }
): BySnapshot => {
  const { id } = environment
  const created = new Map(rows.history.snapshots(id).map((each) => [each.index, each]))
  const digests = rows.history.rowDigests(id)
  const proofs = new SnapshotProofs(environment, rows, doubting)
  const groups = new GroupProofs(environment, {
    rows,
    doubting,
    snapshots: (member, index) => members.get(member)?.get(index)
  })
  const judged = new Map<number, JudgedSnapshot>()
  for (const [place, each] of answered.entries()) {
    const { index } = each
    if (index !== place + 1) continue
    const snapshot = created.get(index)
    const isWanted = wanted.has(index)
    if (snapshot?.members) {
      if (isWanted) judged.set(index, groups.judge(snapshot, new Set(each.unseen)))
      continue
    }
    const found = proofs.accept(each, { snapshot, digest: digests.get(index) }, isWanted)
    if (found !== undefined) judged.set(index, found)
  }
  return judged
}

/** The selected snapshots of an environment, and one claim for all that are not shown. */
const selectedOf = (
  { from, name, to }: Capsule.SelectedEnvironment,
  judged: BySnapshot | undefined,
  { made_at }: Capsule.Manifest
): ReadonlyArray<Judged> => {
  const found = [...(judged ?? [])].flatMap(([index, each]) =>
    index < from || index > to ? [] : [each]
  )
  const missing = to - from + 1 - found.length
  if (missing === 0) return found
  const claim: Claim = {
    type: "snapshot",
    environment: name,
    index: to,
    verdict: "Unknown",
    at: Timestamp.fromMicros(made_at),
    rows: 0
  }
  return [...found, { claim, doubts: [`${missing} snapshots are not shown`], errors: [] }]
}

/** Judges the selected snapshots of all environments. */
export const judge = (given: SnapshotAnswers, by: Recomputing): JudgedEnvironments => {
  const { expected, manifest } = given
  const { environments: selected } = manifest.selection
  const names = new Map(selected.map(({ id, name }) => [id, name]))
  const wanted = wantedOf(given, by)
  const judged = new Map<string, BySnapshot>()
  const members = new Map<string, BySnapshot>()
  const isOfGroup = ({ id }: { readonly id: string }) => isGroup(by.rows.history.snapshots(id))
  const physical = expected.environments.filter((each) => !isOfGroup(each))
  for (const { id, snapshots } of [...physical, ...expected.environments.filter(isOfGroup)]) {
    if (judged.has(id)) continue
    const environment = { id, name: names.get(id) ?? id }
    const of = { ...by, members, wanted: wanted.get(id) ?? new Set() }
    const found = judgeAll(environment, snapshots, of)
    judged.set(id, found)
    if (!isOfGroup({ id })) members.set(id, found)
  }
  return {
    judged: selected.flatMap((each) => selectedOf(each, judged.get(each.id), manifest)),
    snapshots: judged
  }
}
