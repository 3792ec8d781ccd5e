/**
 * Reads parts of a value from outside and notes each problem under its path, without stopping at the first.
 *
 * INVARIANT: after a problem the result is a default; callers use it only when nothing was noted.
 */
import * as Predicate from "effect/Predicate"
import { printInput, withInput } from "../FieldErrors.js"

/** The path to a part of a value. */
export type Path = ReadonlyArray<string | number>

/** A part of a value with its path; a missing part is `undefined`. */
export interface Part {
  readonly path: Path
  readonly value: unknown
}

/** Notes a problem with a part. */
export type Note = (part: Part, message: string) => void

/** A path in the spelling of error keys: `trail.artifacts.0.name`; a very long step is cut. */
export const printPath = (path: Path): string =>
  path.map((step) => (typeof step === "number" ? String(step) : printInput(step))).join(".")

/** A message about a part, in the form of all field errors. */
export const describe = (part: Part, message: string): string => withInput(message, part.value)

/** Finds members of an object by name; notes members of other names, and a part that is no object. */
export const readMembers = <const Name extends string>(
  part: Part,
  names: ReadonlyArray<Name>,
  note: Note
): ((name: Name) => Part) => {
  if (!Predicate.isRecord(part.value)) note(part, "Input should be a valid dictionary")
  const members = new Map(Predicate.isRecord(part.value) ? Object.entries(part.value) : [])
  const known = new Set<string>(names)
  for (const [name, value] of members)
    if (!known.has(name))
      note({ path: [...part.path, name], value }, "Extra inputs are not permitted")
  return (name) => ({ path: [...part.path, name], value: members.get(name) })
}

/** The items of a list, each read by the function; a missing list is empty. */
export const readList = <A>(
  part: Part,
  note: Note,
  readItem: (item: Part) => A
): ReadonlyArray<A> => {
  if (part.value === undefined) return []
  if (!Array.isArray(part.value)) {
    note(part, "Input should be a valid list")
    return []
  }
  return part.value.map((value, index) => readItem({ path: [...part.path, index], value }))
}

/** A required text; the rule returns its problem, if there is one. */
export const readText = (
  part: Part,
  note: Note,
  rule: (text: string) => string | undefined
): string => {
  if (part.value === undefined) note(part, "Field required")
  else if (typeof part.value !== "string") note(part, "Input should be a valid string")
  else {
    const broken = rule(part.value)
    if (broken !== undefined) note(part, broken)
    return part.value
  }
  return ""
}
