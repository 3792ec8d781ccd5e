/**
 * The names of members of an audit package. They depend on the content alone, because auditors compare packages by
 * digest.
 *
 * A name has letters, digits, `.`, `_`, `-`, `~` and `/` only, and no segment that an unpacking program could take for
 * another folder.
 */

/** A segment of a name has at most this many characters; file systems have a limit of 255. */
export const SEGMENT_LENGTH_MAX = 150

/** How much of the end of a long text is kept: the extension of a file is there. */
const END_LENGTH = 30

/** A text as one segment of a name. */
export const segment = (text: string): string => {
  const safe = text.replaceAll(/[^a-zA-Z0-9._~-]/g, "_")
  const short =
    safe.length <= SEGMENT_LENGTH_MAX
      ? safe
      : `${safe.slice(0, SEGMENT_LENGTH_MAX - END_LENGTH - 1)}_${safe.slice(-END_LENGTH)}`
  return /^\.*$/.test(short) ? "_".repeat(Math.max(1, short.length)) : short
}

/** A name of these segments. */
export const path = (...segments: ReadonlyArray<string>): string => segments.map(segment).join("/")

/** A name with a number before its extension. */
const numbered = (name: string, number: number): string => {
  const from = name.lastIndexOf("/") + 1
  const dot = name.lastIndexOf(".")
  const end = dot > from ? dot : name.length
  return `${name.slice(0, end)}~${number}${name.slice(end)}`
}

/**
 * The names in the same order, each different from those before it, also where upper and lower case are one: a name
 * that is taken gets the number 2, or the next that is free.
 */
export const distinct = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = numbered(name, number)
    taken.add(free.toLowerCase())
    return free
  })
}
