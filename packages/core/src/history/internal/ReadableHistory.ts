/**
 * The history of a trail for who reads some environments alone: an artifact starts and stops in those, and an approval
 * for another one names it as its reporter did, like one that does not exist.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import * as Slices from "../../shared/Slices.js"

/** Entries that an environment makes on a trail. */
const RUNNING: ReadonlySet<string> = new Set([
  "artifact_started_running",
  "artifact_stopped_running"
])

const APPROVED = "artifact_approval_reported"

/** The contents of entries with an environment; an approval may be for none. */
const WithEnvironment = Schema.parseJson(
  Schema.Struct(
    { environment_id: Schema.NullOr(Schema.String) },
    { key: Schema.String, value: Schema.Unknown }
  )
)
const isWithEnvironment = Schema.decodeUnknownOption(WithEnvironment)

/** An entry, and the environment that it is about; null for most kinds, and "" for one that cannot be read. */
const read = (entry: JournalEntry) => {
  const isRunning = RUNNING.has(entry.kind)
  if (!isRunning && entry.kind !== APPROVED) return { entry, environment: null }
  const content = isWithEnvironment(entry.content)
  return content._tag === "None"
    ? { entry, environment: isRunning ? "" : null }
    : { entry, environment: content.value.environment_id, content: content.value }
}

type Read = ReturnType<typeof read>

/** An entry as it is shown to who does not read its environment. */
const masked = ({ content, entry }: Read): ReadonlyArray<JournalEntry> =>
  RUNNING.has(entry.kind)
    ? []
    : [{ ...entry, content: JSON.stringify({ ...content, environment_id: null }) }]

/** Makes the mask. */
export const make = Effect.map(
  Reaches,
  (reaches) => (granted: GrantedWithin, history: ReadonlyArray<JournalEntry>) =>
    Effect.gen(function* () {
      if (granted.readable._tag === "Whole") return history
      const all = yield* Slices.map(history, read)
      const named = new Set(all.flatMap(({ environment }) => environment ?? []))
      if (named.size === 0) return history
      const kept = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: [...named],
        idOf: (id) => id
      })
      const shown = new Set(kept)
      return all.flatMap((each) =>
        each.environment === null || shown.has(each.environment) ? [each.entry] : masked(each)
      )
    })
)
