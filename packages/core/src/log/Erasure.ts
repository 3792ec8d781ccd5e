/**
 * Removes personal members from a log entry. Pure.
 *
 * A member is replaced by its digest, so the bytes and the hash of the entry do not change, and every proof stays
 * valid. Without its salt, a digest reveals nothing about the value. No member that decides a verdict has a personal
 * name.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ErasedMembers from "../journal/ErasedMembers.js"
import type { Json } from "../shared/CanonicalJson.js"
import { FINGERPRINT_PATTERN } from "../shared/Identifier.js"
import * as Disclosure from "./internal/Disclosure.js"
import { entryOf, type LoggedEntry } from "./Log.js"
import * as LogEntry from "./LogEntry.js"

/** A stored entry after an erasure. */
export interface Erased {
  readonly content: Json
  /** The name of the actor, or the mark of an erased value. */
  readonly actor: string
  readonly remains: LogEntry.Remains
  /** The removed values. */
  readonly values: ReadonlyArray<Json>
  /** The fingerprints of the files to remove. */
  readonly files: ReadonlyArray<string>
}

/** The digests of erased members, by pointer. */
export const erasedOf = ({ leaf: { salt } }: LoggedEntry): LogEntry.Remains["erased"] =>
  LogEntry.isRemains(salt) ? salt.erased : {}

/** The last segment of a JSON Pointer. */
const lastStep = (pointer: string): string => pointer.slice(pointer.lastIndexOf("/") + 1)

/**
 * The personal members of an entry: members of the content with a personal name, and the name of the actor if it is a
 * person.
 *
 * WHY not service accounts: requests and answers identify them by name.
 */
export const personal = (logged: LoggedEntry): ReadonlyArray<LogEntry.Concealed> =>
  entryOf(logged).concealed.filter(({ pointer }) =>
    pointer === LogEntry.ACTOR_NAME
      ? logged.entry.actor.kind === "user"
      : ErasedMembers.PERSONAL.has(lastStep(pointer))
  )

/** Whether a pointer equals another one or points inside it. */
export const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`)

const CONTENT = "/facts/content"

/** The path from the content to a member. */
const stepsOf = (pointer: string): ReadonlyArray<string> =>
  (pointer.startsWith(`${CONTENT}/`) ? pointer.slice(CONTENT.length) : pointer)
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

/** A fingerprint. WHY not the type of artifacts: that belongs to a higher module. */
const FileFingerprint = Schema.String.pipe(Schema.pattern(new RegExp(FINGERPRINT_PATTERN)))

const decodeFiles = Schema.decodeUnknownOption(
  Schema.Struct({ attachments: Schema.Array(Schema.Struct({ fingerprint: FileFingerprint })) })
)

/** The files of an attestation: fingerprints by pointer. */
export const filesOf = ({ entry }: LoggedEntry): ReadonlyMap<string, string> =>
  // INVARIANT: the content of an entry is JSON.
  Option.match(
    entry.content.includes('"attachments":[{')
      ? decodeFiles(JSON.parse(entry.content))
      : Option.none(),
    {
      onNone: () => new Map(),
      onSome: ({ attachments }) =>
        new Map(
          attachments.map(({ fingerprint }, at) => [`${CONTENT}/attachments/${at}`, fingerprint])
        )
    }
  )

/** Returns a value in which the member at a path is replaced. */
const replaced = (value: Json, steps: ReadonlyArray<string>, by: Json): Json => {
  const [first, ...rest] = steps
  if (first === undefined) return by
  if (Array.isArray(value)) {
    return value.map((each: Json, at) => (String(at) === first ? replaced(each, rest, by) : each))
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === first ? replaced(member, rest, by) : member
    ])
  )
}

/**
 * Erases members of an entry. The pointer of a file erases the content of the file; the entry keeps its description.
 * Refuses a pointer to anything but a personal member or a file.
 */
export const erase = (
  logged: LoggedEntry,
  pointers: ReadonlyArray<string>
): Either.Either<Erased, string> => {
  const known = new Map(personal(logged).map((each) => [each.pointer, each.digest]))
  const [before, named] = [erasedOf(logged), filesOf(logged)]
  const wrong = pointers.find(
    (pointer) => !known.has(pointer) && before[pointer] === undefined && !named.has(pointer)
  )
  if (wrong !== undefined) return Either.left(wrong)
  const gone = pointers.filter((pointer) => known.has(pointer))
  const outermost = gone.filter(
    (pointer) => !gone.some((other) => other !== pointer && isWithin(pointer, other))
  )
  const isGone = (pointer: string) => outermost.some((outer) => isWithin(pointer, outer))
  const salts = entryOf(logged).concealed.flatMap(({ pointer, disclosure }) =>
    isGone(pointer)
      ? []
      : Option.toArray(Disclosure.parse(disclosure)).map(({ salt }) => [pointer, salt] as const)
  )
  const erased = [
    ...Object.entries(before).filter(([pointer]) => !isGone(pointer)),
    ...outermost.map((pointer) => [pointer, known.get(pointer) ?? ""] as const)
  ]
  // INVARIANT: the content of an entry is JSON.
  let content: Json = JSON.parse(logged.entry.content)
  for (const pointer of outermost.filter((each) => each !== LogEntry.ACTOR_NAME)) {
    content = replaced(content, stepsOf(pointer), {
      [ErasedMembers.MARK]: known.get(pointer) ?? ""
    })
  }
  const values = entryOf(logged).concealed.flatMap(({ pointer, disclosure }) =>
    isGone(pointer) ? Option.toArray(Disclosure.parse(disclosure)).map(({ value }) => value) : []
  )
  const isNameGone = outermost.includes(LogEntry.ACTOR_NAME)
  return Either.right({
    values,
    files: pointers.flatMap((pointer) => named.get(pointer) ?? []),
    content,
    actor: isNameGone ? ErasedMembers.ERASED : logged.entry.actor.name,
    remains: { salts: Object.fromEntries(salts), erased: Object.fromEntries(erased) }
  })
}
