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

/** The end of a chain, with its log. */
type PlacedEnd = DecisionReceipt.ChainEnd & { readonly origin: string }

/** The ends as a receipt of a log names them: only those of other logs say which. */
export const within = (
  ends: ReadonlyArray<PlacedEnd>,
  log: string
): ReadonlyArray<DecisionReceipt.ChainEnd> =>
  ends.map(({ origin, ...end }) => (origin === log ? end : { ...end, origin }))

const ATTESTED: ReadonlySet<string> = new Set([
  "artifact_attestation_reported",
  "trail_attestation_for_artifact_reported",
  "trail_attestation_reported"
])

/** An entry with its place. */
interface Placed {
  readonly entry: JournalEntry
  readonly place: EntryPlace
}

/** The newest entry of each subject. */
const newestOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<JournalEntry> => {
  const newest = new Map<string, JournalEntry>()
  for (const entry of entries)
    if ((newest.get(entry.subject.id)?.sequence ?? -1) < entry.sequence)
      newest.set(entry.subject.id, entry)
  return [...newest.values()]
}

/** The number of the epoch of a log. */
const epochOf = (origin: string): number => Number(/\/epochs\/(\d+)$/.exec(origin)?.[1] ?? 1)

/** The newest entry of each subject in each epoch, by subject: an epoch begins the chains of its entries anew. */
const endsOf = (placed: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const newest = new Map<string, Placed>()
  for (const each of placed) {
    const { entry, place } = each
    const key = `${entry.subject.id} ${place.origin}`
    const known = newest.get(key)
    if (known === undefined || known.entry.sequence < entry.sequence) newest.set(key, each)
  }
  return [...newest.values()].sort(
    (left, right) =>
      compareTexts(left.entry.subject.id, right.entry.subject.id) ||
      left.entry.sequence - right.entry.sequence
  )
}

const compareTexts = (left: string, right: string): number =>
  left === right ? 0 : left < right ? -1 : 1

/** Makes the reads of chains. */
export const make = Effect.gen(function* () {
  const [journal, store, log] = [yield* JournalStore, yield* LogStore, yield* LogReferences]

  /** Every entry about trails. */
  const entriesOf = (org: OrgId, trails: ReadonlyArray<string>) =>
    trails.length === 0
      ? Effect.succeed([])
      : journal.listBySubject(org, { type: "trail", ids: trails })

  /** Whether an entry of a log with several epochs has a place before another one. */
  const isBefore = (place: EntryPlace, before: NonNullable<TrailsAsked["before"]>): boolean => {
    const [one, other] = [epochOf(place.origin), epochOf(before.origin)]
    return one < other || (one === other && place.index < before.index)
  }

  /** The entries that count: those that the log had at the given place. */
  const counted = (question: LogQuestion, org: OrgId, { before, entries }: TrailsAsked) =>
    Effect.gen(function* () {
      if (before === undefined || entries.length === 0) return entries
      const sequences = entries.map(({ sequence }) => sequence)
      if ((yield* store.listTrees(org)).length > 1) {
        const places = yield* log.places(question, sequences)
        return entries.filter((_, at) =>
          Option.exists(places[at] ?? Option.none(), (place) => isBefore(place, before))
        )
      }
      // WHY another way where there is one epoch: it needs one read for all entries.
      const places = yield* store.listPlaces(org, sequences)
      return entries.filter(
        ({ sequence }) => (places.get(sequence)?.index ?? before.index) < before.index
      )
    })

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

  /** The ends of the chains, the attestations, and the entries that count; fails while the log lacks an end. */
  const read = (question: LogQuestion, org: OrgId, asked: TrailsAsked) =>
    Effect.gen(function* () {
      const entries = yield* counted(question, org, asked)
      const several = (yield* store.listTrees(org)).length > 1
      const candidates = several ? entries : newestOf(entries)
      const places = Option.all(
        yield* log.places(
          question,
          candidates.map(({ sequence }) => sequence)
        )
      )
      if (Option.isNone(places)) return yield* new ReceiptPending({ org: question.org })
      const placed = candidates.flatMap((entry, at): ReadonlyArray<Placed> => {
        const place = places.value[at]
        return place === undefined ? [] : [{ entry, place }]
      })
      const lookedAt = entries.filter(({ subject }) => asked.lookedAt.includes(subject.id))
      const inputs = yield* inputsOf(question, lookedAt)
      const chain = endsOf(placed).map(
        ({ entry: { subject }, place: { entry, index, origin } }): PlacedEnd => ({
          subject,
          entry,
          index,
          origin
        })
      )
      return { chain, counted: lookedAt, ...(inputs === undefined ? {} : { inputs }) }
    })

  return { entriesOf, read } as const
})
