/** The newest entries of trails that a decision looked at, and the attestations among the entries before them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import { JournalStore } from "../../journal/JournalStore.js"
import { type EntryPlace, LogReferences } from "../../log/LogReferences.js"
import { LogStore } from "../../log/LogStore.js"
import type { LogQuestion } from "../../log/LogViews.js"
import type { OrgId } from "../../shared/Identifier.js"
import type * as DecisionReceipt from "../DecisionReceipt.js"
import { ReceiptPending } from "../ReceiptFailure.js"
import { INPUTS_MAX } from "../ReceiptLimits.js"

/** Trails, and where to end: at the place of a snapshot, or at the newest of the given entries. */
export interface TrailsAsked {
  readonly entries: ReadonlyArray<JournalEntry>
  /** Only entries of this log below this index count; all without one, and each must have a place. */
  readonly before?: Pick<EntryPlace, "origin" | "index">
  /** The trails whose attestations were looked at. */
  readonly lookedAt: ReadonlyArray<string>
}

const ATTESTED: ReadonlySet<string> = new Set([
  "artifact_attestation_reported",
  "trail_attestation_for_artifact_reported",
  "trail_attestation_reported"
])

/** Entries by their subject, each group oldest first. */
const bySubject = (
  entries: ReadonlyArray<JournalEntry>
): ReadonlyMap<string, ReadonlyArray<JournalEntry>> => {
  const groups = new Map<string, Array<JournalEntry>>()
  for (const entry of [...entries].sort((left, right) => left.sequence - right.sequence)) {
    const group = groups.get(entry.subject.id)
    if (group === undefined) groups.set(entry.subject.id, [entry])
    else group.push(entry)
  }
  return groups
}

/** Makes the reads of chains. */
export const make = Effect.gen(function* () {
  const [journal, store, log] = [yield* JournalStore, yield* LogStore, yield* LogReferences]

  /** Every entry about trails. */
  const entriesOf = (org: OrgId, trails: ReadonlyArray<string>) =>
    trails.length === 0
      ? Effect.succeed([])
      : journal.listBySubject(org, { type: "trail", ids: trails })

  /** The entries that count: those that the log had at the given place. */
  const counted = (org: OrgId, { before, entries }: TrailsAsked) =>
    before === undefined
      ? Effect.succeed(entries)
      : Effect.map(
          store.listPlaces(
            org,
            entries.map(({ sequence }) => sequence)
          ),
          (places) =>
            entries.filter(
              ({ sequence }) => (places.get(sequence)?.index ?? before.index) < before.index
            )
        )

  const inputsOf = (question: LogQuestion, entries: ReadonlyArray<JournalEntry>) =>
    Effect.gen(function* () {
      const attested = entries.filter(({ kind }) => ATTESTED.has(kind))
      if (attested.length > INPUTS_MAX) return undefined
      const places = yield* log.places(
        question,
        attested.map(({ sequence }) => sequence)
      )
      return Option.getOrUndefined(Option.all(places))?.map(({ entry, sha256 }) => ({
        entry,
        sha256
      }))
    })

  /** The ends of the chains, by trail, and the attestations; fails while the log lacks an end. */
  const read = (question: LogQuestion, org: OrgId, asked: TrailsAsked) =>
    Effect.gen(function* () {
      const entries = yield* counted(org, asked)
      const newest = [...bySubject(entries)]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .flatMap(([, group]) => group.slice(-1))
      const places = Option.all(
        yield* log.places(
          question,
          newest.map(({ sequence }) => sequence)
        )
      )
      if (Option.isNone(places)) return yield* new ReceiptPending({ org: question.org })
      const inputs = yield* inputsOf(
        question,
        entries.filter(({ subject }) => asked.lookedAt.includes(subject.id))
      )
      const chain = newest.flatMap(({ subject }, at): ReadonlyArray<DecisionReceipt.ChainEnd> => {
        const place = places.value[at]
        return place === undefined || (asked.before?.origin ?? place.origin) !== place.origin
          ? []
          : [{ subject, entry: place.entry, index: place.index }]
      })
      return { chain, ...(inputs === undefined ? {} : { inputs }) }
    })

  return { entriesOf, read } as const
})
