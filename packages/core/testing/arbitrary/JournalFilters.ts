/** Entries of few kinds, actors and subjects, and filters that accept some of them. */
import type { JournalDraft } from "@attestry/core/JournalEntry"
import type { JournalFilter } from "@attestry/core/JournalFilter"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

const KINDS = ["flow_created", "flow_updated", "key_created"]
const ACTORS = ["anna", "ben"]
const TYPES = ["flow", "key"]
const COUNT = 17

const at = (second: number) => Timestamp.fromSeconds(1_000_000 + second)

/** Seventeen entries like this one, each a second after the one before. */
export const drafts = (like: JournalDraft): ReadonlyArray<JournalDraft> =>
  Array.from({ length: COUNT }, (_, index) => ({
    ...like,
    kind: KINDS[index % KINDS.length] ?? "",
    subject: { type: TYPES[index % TYPES.length] ?? "", id: `subject-${index}` },
    actor: { kind: "user", id: `id-${index % 4}`, name: ACTORS[index % ACTORS.length] ?? "" },
    at: at(index)
  }))

const some = (values: ReadonlyArray<string>) =>
  FastCheck.subarray([...values, "other"], { minLength: 1 })

/** Filters; each part is there or not. */
export const filter: FastCheck.Arbitrary<JournalFilter> = FastCheck.record(
  {
    kinds: some(KINDS),
    actors: some([...ACTORS, "id-2"]),
    subjectTypes: some(TYPES),
    from: FastCheck.integer({ min: 0, max: COUNT }).map(at),
    to: FastCheck.integer({ min: 0, max: COUNT }).map(at)
  },
  { requiredKeys: [] }
)
