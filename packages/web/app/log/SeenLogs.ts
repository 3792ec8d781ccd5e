/** The trees of logs that this browser has verified, kept so that a rewritten log is detected. */

export interface SeenLog {
  readonly size: number
  /** The root in Base64. */
  readonly root: string
  readonly vkeys: ReadonlyArray<string>
  /** When it was verified, in epoch seconds. */
  readonly at: number
}

const keyOf = (origin: string): string => `attestry.log.${origin}`

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

/** Parses the output of `print`; undefined for other texts. */
export const parse = (text: string | null): SeenLog | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text ?? "null")
  } catch {
    return undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  const { size, root, vkeys, at } = value as { readonly [name: string]: unknown }
  return typeof size === "number" &&
    Number.isSafeInteger(size) &&
    size > 0 &&
    typeof root === "string" &&
    typeof at === "number" &&
    isTexts(vkeys)
    ? { size, root, vkeys, at }
    : undefined
}

/** The state of a log that this browser verified last. */
export const find = (origin: string): SeenLog | undefined =>
  parse(localStorage.getItem(keyOf(origin)))

export const put = (origin: string, seen: SeenLog): void =>
  localStorage.setItem(keyOf(origin), JSON.stringify(seen))
