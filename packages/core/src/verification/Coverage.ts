/** The share of its subjects that a verification has proved. Pure. */

/** Counts of subjects of one kind. */
export interface Coverage {
  /** Computed again with the stored result. */
  readonly proved: number
  /** Cannot be computed again, because its inputs were not recorded. */
  readonly not_covered: number
  /** Left out, because something that it depends on is a finding or unknown. */
  readonly skipped: number
}

/** Counts while they grow. */
export type Counting = { -readonly [name in keyof Coverage]: Coverage[name] }

/** All counts are 0. */
export const none = (): Counting => ({ proved: 0, not_covered: 0, skipped: 0 })

/** The sum of counts. */
export const sum = (all: ReadonlyArray<Coverage>): Coverage =>
  all.reduce<Coverage>(
    (left, right) => ({
      proved: left.proved + right.proved,
      not_covered: left.not_covered + right.not_covered,
      skipped: left.skipped + right.skipped
    }),
    none()
  )
