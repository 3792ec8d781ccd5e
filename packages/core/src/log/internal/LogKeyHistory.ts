/**
 * The public keys of a log, according to the signer and the log's own entries. Pure.
 *
 * A key is trusted if the signer has it or if a log entry names it, because a trusted key has signed the root above
 * that entry. A stored row alone makes no key trusted. DECISIONS.md, "Signing keys stay outside of the database"
 */

import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { RecordedKey } from "../Log.js"
import type { LogFinding } from "../LogFinding.js"

/** The kind of a key rotation entry. */
export const ROTATED = "log_key_rotated"

/** A key rotation of a log. */
export interface KeyRotation {
  readonly at: number
  readonly old: ReadonlyArray<string>
  readonly new: ReadonlyArray<string>
  /** The size at which the new keys start to sign; null if the entry does not record it. */
  readonly size: number | null
}

/** The known facts about the keys of a log, besides their rows. */
export interface KeySources {
  /** The signer's keys, including retired ones. */
  readonly known: ReadonlyArray<Pick<RecordedKey, "generation" | "vkey">>
  /** Oldest first. */
  readonly rotations: ReadonlyArray<KeyRotation>
}

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      old: Schema.Array(Schema.String),
      new: Schema.Array(Schema.String),
      size: Schema.optionalWith(Schema.NullOr(Schema.Int), { default: () => null })
    })
  )
)

/** The rotation that an entry records. None for other entries. */
export const rotationOf = ({ kind, at, content }: JournalEntry): Option.Option<KeyRotation> =>
  kind === ROTATED
    ? Option.map(decode(content), (rotation) => ({ ...rotation, at }))
    : Option.none()

/** The origin of the log that a key signs. Undefined if the text is not a key. */
export const originOf = (vkey: string): string | undefined =>
  Option.getOrUndefined(SignedNote.parseKey(vkey))?.name

const namedIn = ({ old, new: next }: KeyRotation): ReadonlyArray<string> => [...old, ...next]

/** The rotations of the log with an origin. */
export const ofOrigin = (
  rotations: ReadonlyArray<KeyRotation>,
  origin: string
): ReadonlyArray<KeyRotation> =>
  rotations.filter((rotation) => namedIn(rotation).some((vkey) => originOf(vkey) === origin))

/** The trusted keys. */
export const trusted = ({ known, rotations }: KeySources): ReadonlySet<string> =>
  new Set([...known.map(({ vkey }) => vkey), ...rotations.flatMap(namedIn)])

/** Whether a row has the retirement time that the log records. */
const hasEnded = ({ vkey, retired_at }: RecordedKey, { rotations }: KeySources): boolean => {
  const last = rotations.at(-1)
  if (last === undefined || last.new.includes(vkey)) return retired_at === null
  return rotations.some(
    ({ at, old, new: next }) => at === retired_at && old.includes(vkey) && !next.includes(vkey)
  )
}

/** Whether a row has the first size that the log records, if the log records one. */
const hasBegun = ({ vkey, first_size }: RecordedKey, { rotations }: KeySources): boolean => {
  const begun = rotations.find(({ old, new: next }) => next.includes(vkey) && !old.includes(vkey))
  return begun === undefined || begun.size === null ? first_size >= 0 : first_size === begun.size
}

const compareRow = (row: RecordedKey, sources: KeySources): ReadonlyArray<LogFinding> => {
  const { vkey } = row
  const isNamed = sources.rotations.some((rotation) => namedIn(rotation).includes(vkey))
  const own = sources.known.find((key) => key.vkey === vkey)
  const changed = (column: string): LogFinding => ({ _tag: "KeyChanged", vkey, column })
  if (own === undefined && !isNamed) return [{ _tag: "KeyUnknown", vkey }]
  return [
    ...(own === undefined || own.generation === row.generation ? [] : [changed("generation")]),
    ...(hasEnded(row, sources) ? [] : [changed("retired_at")]),
    ...(hasBegun(row, sources) ? [] : [changed("first_size")])
  ]
}

/** The key rows that differ from the sources. Without a key of the signer, nothing is compared. */
export const compare = (
  rows: ReadonlyArray<RecordedKey>,
  sources: KeySources
): ReadonlyArray<LogFinding> => {
  if (sources.known.length === 0) return []
  const stored = new Set(rows.map(({ vkey }) => vkey))
  const missing = [...new Set(sources.rotations.flatMap(namedIn))].filter(
    (vkey) => !stored.has(vkey)
  )
  return [
    ...rows.flatMap((row) => compareRow(row, sources)),
    ...missing.map((vkey): LogFinding => ({ _tag: "KeyMissing", vkey }))
  ]
}
