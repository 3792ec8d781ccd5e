/**
 * The keys that sign logs: a file of seeds outside of the database, from which the key of each log is derived.
 *
 * A line of the file is a generation, a space, and 32 bytes in Base64. The line of a key that ends has ` until ` and
 * the last day on which it signs. Empty lines and lines with `#` are ignored.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Base64 from "../bytes/Base64.js"
import * as Sha256 from "../bytes/Sha256.js"

/** A line of the file. */
export interface LogKey {
  readonly generation: number
  /** 32 bytes. */
  readonly seed: Uint8Array
  /** The last day on which the key signs, as `YYYY-MM-DD` in UTC; null for a key without an end. */
  readonly until: string | null
}

/** The number of bytes of a seed. */
export const SEED_BYTES = 32

const LINE =
  /^([1-9][0-9]{0,8}) ([A-Za-z0-9+/]{43}=)(?: until ([0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])))?$/

const parseLine = (line: string): Option.Option<LogKey> =>
  Option.flatMap(
    Option.fromNullable(LINE.exec(line)),
    ([, generation, base64 = "", until = null]) =>
      Option.map(Base64.decode(base64), (seed) => ({ generation: Number(generation), seed, until }))
  )

/** A line of the file. */
export const printLine = ({ generation, seed, until }: LogKey): string =>
  `${generation} ${Base64.encode(seed)}${until === null ? "" : ` until ${until}`}\n`

/** Whether a key signs on a day. */
export const isActive = ({ until }: LogKey, today: string): boolean =>
  until === null || today <= until

/** Keys with one more, of the next generation. */
export const add = (keys: ReadonlyArray<LogKey>, seed: Uint8Array): ReadonlyArray<LogKey> => [
  ...keys,
  { generation: Math.max(0, ...keys.map(({ generation }) => generation)) + 1, seed, until: null }
]

/** Keys with the end of one of them set. Refuses an unknown generation, and the only key without an end. */
export const retire = (
  keys: ReadonlyArray<LogKey>,
  { generation, until }: { readonly generation: number; readonly until: string }
): Either.Either<ReadonlyArray<LogKey>, "unknown" | "last"> => {
  if (!keys.some((key) => key.generation === generation)) return Either.left("unknown")
  if (!keys.some((key) => key.generation !== generation && key.until === null)) {
    return Either.left("last")
  }
  return Either.right(keys.map((key) => (key.generation === generation ? { ...key, until } : key)))
}

/** Reads the file. A problem names the number of its line, and never the content of the line. */
export const parse = (text: string): Either.Either<ReadonlyArray<LogKey>, string> => {
  const keys: Array<LogKey> = []
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue
    const key = parseLine(line)
    if (Option.isNone(key)) {
      return Either.left(`line ${place + 1} is not a generation and 32 bytes in Base64`)
    }
    if (keys.some(({ generation }) => generation === key.value.generation)) {
      return Either.left(`line ${place + 1} repeats a generation`)
    }
    keys.push(key.value)
  }
  return keys.length === 0 ? Either.left("the file has no key") : Either.right(keys)
}

/** The seed of the key that signs the log of an origin. */
export const seedOf = ({ seed }: Pick<LogKey, "seed">, origin: string): Uint8Array =>
  Sha256.derive(seed, { salt: "attestry", info: `attestry/log/1\n${origin}` })
