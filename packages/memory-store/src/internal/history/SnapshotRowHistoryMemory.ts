/** Rows of snapshots of `HistoryStore` in memory: a fold over whole snapshots. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { HistoryStore, RecordedRow } from "@attestry/core/HistoryStore"
import { keyOf } from "@attestry/core/RunningRow"
import type { Span } from "@attestry/core/SnapshotRange"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { key, MemoryState } from "../shared/MemoryState.js"
import { type History, histories } from "../snapshot/SnapshotStoreMemory.js"

/** The number of snapshots of a part. */
const PART = 16

type Row = History[number]["running"][number]

const isSame = (piece: RecordedRow, row: Row): boolean =>
  piece.verdict === row.verdict &&
  piece.startedIndex === row.started_index &&
  JSON.stringify(piece.decisions) === JSON.stringify(row.decisions)

const byPlace = (left: RecordedRow, right: RecordedRow): number =>
  left.name !== right.name
    ? left.name < right.name
      ? -1
      : 1
    : left.fingerprint !== right.fingerprint
      ? left.fingerprint < right.fingerprint
        ? -1
        : 1
      : left.firstIndex - right.firstIndex

const piecesOf = (history: History): ReadonlyArray<RecordedRow> => {
  const pieces: Array<RecordedRow> = []
  const open = new Map<string, number>()
  for (const { draft, running } of history)
    for (const row of running) {
      const at = open.get(keyOf(row))
      const piece = at === undefined ? undefined : pieces[at]
      const goesOn = piece?.lastIndex === draft.index - 1 && isSame(piece, row)
      if (at !== undefined && piece !== undefined && goesOn)
        pieces[at] = { ...piece, lastIndex: draft.index }
      else
        open.set(
          keyOf(row),
          pieces.push({
            name: row.name,
            fingerprint: row.fingerprint,
            firstIndex: draft.index,
            lastIndex: draft.index,
            startedIndex: row.started_index,
            verdict: row.verdict,
            decisions: row.decisions
          }) - 1
        )
    }
  return pieces.sort(byPlace)
}

/** Rows of snapshots of `HistoryStore` in memory. */
export const make: Effect.Effect<
  Pick<HistoryStore["Type"], "rowParts" | "recordedRows" | "memberIndexes">,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const historyOf = ({ environment, org }: EnvironmentRef, { first, last }: Span) =>
    Effect.map(state.read(histories), (all) =>
      Option.getOrElse(HashMap.get(all, key(org, environment)), (): History => []).slice(
        Math.max(0, first - 1),
        last
      )
    )
  return {
    rowParts: (ref, span) =>
      Effect.map(historyOf(ref, span), (history) => {
        const parts = new Map<number, Span>()
        for (const { draft } of history) {
          const at = Math.floor((draft.index - 1) / PART)
          parts.set(at, { first: parts.get(at)?.first ?? draft.index, last: draft.index })
        }
        return [...parts.values()]
      }),
    recordedRows: (ref, span) => Effect.map(historyOf(ref, span), piecesOf),
    memberIndexes: (ref, span) =>
      Effect.map(historyOf(ref, span), (history) =>
        history.map(({ draft: { index }, members }) => ({
          index,
          members: new Map(members?.map((member) => [member.environment_id, member.index]))
        }))
      )
  }
})
