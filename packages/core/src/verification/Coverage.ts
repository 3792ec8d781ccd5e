/** How much of what it looked at a verification has proved. Pure. */

/** Counts of things of one kind. */
export interface Coverage {
  /** What was made again and came out as it is stored. */
  readonly proved: number
  /** What cannot be made again, because what it was made from was not written down. */
  readonly not_covered: number
  /** What was left out, because something that it depends on was found or cannot be told. */
  readonly skipped: number
}

/** Counts while they are made. */
export type Counting = { -readonly [name in keyof Coverage]: Coverage[name] }

/** No thing. */
export const none = (): Counting => ({ proved: 0, not_covered: 0, skipped: 0 })

/** The counts of all. */
export const sum = (all: ReadonlyArray<Coverage>): Coverage =>
  all.reduce<Coverage>(
    (left, right) => ({
      proved: left.proved + right.proved,
      not_covered: left.not_covered + right.not_covered,
      skipped: left.skipped + right.skipped
    }),
    none()
  )
