/** `JournalStore` in memory: one list per org, in the order of the entries. */
import * as BreakGlass from "@attestry/core/BreakGlass"
import type { JournalActor, JournalDraft, JournalEntry } from "@attestry/core/JournalEntry"
import * as JournalFilter from "@attestry/core/JournalFilter"
import { JournalStore } from "@attestry/core/JournalStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { openings } from "../break-glass/BreakGlassStoreMemory.js"
import { MemoryState, table } from "../shared/MemoryState.js"

const entries = table<JournalEntry>("journal")

const bySequence = (left: JournalEntry, right: JournalEntry) => left.sequence - right.sequence

/** The actor of an entry, with its break-glass of that time. */
const marked = (
  { actor, at, org_id }: JournalDraft,
  glasses: Iterable<BreakGlass.BreakGlass>
): JournalActor => {
  if (actor.kind !== "user") return actor
  for (const glass of glasses)
    if (glass.org_id === org_id && glass.user_id === actor.id && BreakGlass.holds(glass, at))
      return { ...actor, break_glass: glass.number }
  return actor
}

/** `JournalStore` in memory. */
export const layer: Layer.Layer<JournalStore, never, MemoryState> = Layer.effect(
  JournalStore,
  Effect.map(MemoryState, (state) => {
    const select = (keep: (entry: JournalEntry) => boolean) =>
      Effect.map(state.read(entries), (rows) =>
        Array.from(HashMap.values(rows)).filter(keep).sort(bySequence)
      )
    const append = (draft: JournalDraft) =>
      Effect.flatMap(state.read(openings), (glasses) =>
        state.modify(entries, (rows) => {
          const actor = marked(draft, HashMap.values(glasses))
          const entry: JournalEntry = { ...draft, actor, sequence: HashMap.size(rows) + 1 }
          return [entry, HashMap.set(rows, String(entry.sequence), entry)]
        })
      )
    return JournalStore.of({
      append,
      appendAll: (drafts) => state.transaction(() => Effect.forEach(drafts, append)),
      listBySubject: (org, subject) => {
        const wanted = new Set("ids" in subject ? subject.ids : [subject.id])
        return select(
          (entry) =>
            entry.org_id === org &&
            entry.subject.type === subject.type &&
            wanted.has(entry.subject.id)
        )
      },
      listNearest: ({ org, subject, kind, at, limit }) =>
        Effect.map(
          select(
            (entry) =>
              entry.org_id === org &&
              entry.kind === kind &&
              entry.subject.type === subject.type &&
              entry.subject.id === subject.id
          ),
          (found) =>
            found
              .sort(
                (left, right) =>
                  Math.abs(left.at - at) - Math.abs(right.at - at) || bySequence(left, right)
              )
              .slice(0, limit)
        ),
      listAfter: ({ org, after, limit }) =>
        Effect.map(
          select((entry) => entry.org_id === org && entry.sequence > after),
          (found) => found.slice(0, limit)
        ),
      listNumbersAfter: ({ org, after, limit }) =>
        Effect.map(
          select((entry) => entry.org_id === org && entry.sequence > after),
          (found) => found.slice(0, limit).map(({ sequence }) => sequence)
        ),
      scanBack: ({ org, before = Number.POSITIVE_INFINITY, filter, limit, readMax }) =>
        Effect.map(
          select((entry) => entry.org_id === org && entry.sequence < before),
          (older) => {
            const read = older.slice(-readMax).reverse()
            const found = read.filter((entry) => JournalFilter.accepts(filter, entry))
            const entries = found.slice(0, limit)
            const isLeft = older.length > read.length
            const last = found.length > limit ? entries.at(-1) : isLeft ? read.at(-1) : undefined
            return { entries, next: Option.map(Option.fromNullable(last), (at) => at.sequence) }
          }
        )
    })
  })
)
