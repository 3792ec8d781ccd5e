/**
 * Histories with texts that easily break a line of CSV, and their events.
 *
 * They are histories of `Snapshot` with other names, other provenance and other times.
 */
import type { EnvironmentEvent } from "@attestry/core/EnvironmentEvent"
import type { FlowView } from "@attestry/core/FlowView"
import type { EnvironmentName, FlowId, FlowName } from "@attestry/core/Identifier"
import { keyOf } from "@attestry/core/RunningRow"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import { isEvent } from "@attestry/core/SnapshotAnnotation"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"
import { snapshotHistory } from "../Snapshot.js"
import { hostile } from "./Text.js"

/** The second at which a history begins: now, at the epoch, before it, and near the limits. */
const beginning = FastCheck.constantFrom(
  1_790_000_000_000_000,
  -3_600_000_000,
  -2,
  9_007_000_000_000_000 - 200 * 3_600_000_000,
  -9_007_000_000_000_000
)

/** Flows of a history: with a name, or unknown to the store. */
export interface KnownFlow {
  readonly id: FlowId
  readonly name: FlowName | undefined
}

/** A history that is given its flows later. */
export interface AuditedHistory {
  readonly drafts: (flows: ReadonlyArray<KnownFlow>) => ReadonlyArray<SnapshotDraft>
  /** The repositories of rows. */
  readonly repos: ReadonlyArray<string>
}

interface Texts {
  readonly names: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
  readonly views: ReadonlyArray<number>
}

const pick = <A>(values: ReadonlyArray<A>, at: number): A | undefined => values[at % values.length]

/** Up to three views instead of one, each of another flow, with its own texts. */
const viewsOf = (
  view: FlowView,
  { others, views }: Texts,
  { flows, at }: { readonly flows: ReadonlyArray<KnownFlow>; readonly at: number }
): ReadonlyArray<FlowView> =>
  Array.from({ length: pick(views, at) ?? 1 }, (_, number) => ({
    ...view,
    flow_id: pick(flows, at + number)?.id ?? view.flow_id,
    git_commit: view.git_commit === null ? null : (pick(others, at + number) ?? null),
    commit_url: view.commit_url === null ? null : (pick(others, at + number + 1) ?? null),
    repo: view.repo === null ? null : { ...view.repo, name: pick(others, at * 2 + number) ?? null }
  }))

const retell = (draft: SnapshotDraft, texts: Texts, flows: ReadonlyArray<KnownFlow>) => {
  // INVARIANT: the ten names stay distinct, so rows stay distinct.
  const rename = <R extends { readonly name: string }>(row: R): R => ({
    ...row,
    name: texts.names[row.name === "__proto__" ? 0 : Number(row.name.slice(4))] ?? row.name
  })
  return {
    ...draft,
    ended: draft.ended.map(rename),
    events: draft.events.map(rename),
    begun: draft.begun.map((row, at) => ({
      ...rename(row),
      flows: row.flows.flatMap((view) => viewsOf(view, texts, { flows, at: draft.index + at }))
    }))
  }
}

/** A history of so many snapshots, with these names of rows. */
export const auditedHistory = (
  length: number,
  name: FastCheck.Arbitrary<string> = hostile
): FastCheck.Arbitrary<AuditedHistory> =>
  FastCheck.record({
    history: snapshotHistory(length),
    names: FastCheck.uniqueArray(name, { minLength: 10, maxLength: 10, size: "max" }),
    others: FastCheck.array(hostile, { minLength: 4, maxLength: 9, size: "max" }),
    views: FastCheck.array(FastCheck.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 5 }),
    beginning
  }).map(({ history, beginning: first, ...texts }) => {
    const [begin = 0] = history.map(({ draft }) => draft.timestamp)
    return {
      repos: texts.others,
      drafts: (flows) =>
        history.map(({ draft }) => ({
          ...retell(draft, texts, flows),
          timestamp: Timestamp.fromMicros(draft.timestamp - begin + first)
        }))
    }
  })

/** The events of snapshots, in the order of the log. */
export const eventsOf = (
  environment: EnvironmentName,
  drafts: ReadonlyArray<SnapshotDraft>,
  flows: ReadonlyArray<KnownFlow>
): ReadonlyArray<EnvironmentEvent> => {
  const names = new Map(flows.map(({ id, name }) => [id, name]))
  const running = new Map<string, SnapshotRow>()
  return drafts.flatMap(({ index, timestamp, verdict, ended, begun, events }) => {
    const before = new Map(running)
    for (const row of ended) running.delete(keyOf(row))
    for (const row of begun) running.set(keyOf(row), row)
    return events.flatMap(({ annotation: { type, was, now }, ...identity }) => {
      const row = (type === "exited" ? before : running).get(keyOf(identity))
      if (row === undefined || !isEvent(type)) return []
      const [primary] = row.flows
      const repos = row.flows.flatMap(({ repo }) => repo?.name ?? [])
      return {
        environment,
        snapshotIndex: index,
        at: timestamp,
        kind: type,
        name: row.name,
        fingerprint: row.fingerprint,
        was,
        now,
        verdict: row.verdict,
        snapshotVerdict: verdict,
        flowNames: row.flows.map(({ flow_id }) => names.get(flow_id) ?? ""),
        repoNames: repos.filter((name, at) => repos.indexOf(name) === at),
        gitCommit: primary?.git_commit ?? null,
        commitUrl: primary?.commit_url ?? null,
        diffUrl: null
      }
    })
  })
}
