/** Counts how much of its subjects a verification has proved. Pure. */

/** Counts of subjects of one kind. */
export interface Coverage {
  /** Recomputed, with the stored result. */
  readonly proved: number
  /** Not recomputable, because its inputs were not recorded. */
  readonly not_covered: number
  /** Skipped, because it depends on something with a finding or an unknown value. */
  readonly skipped: number
}

/** Counts that can be incremented. */
export type Counting = { -readonly [name in keyof Coverage]: Coverage[name] }

/** Zero counts. */
export const none = (): Counting => ({ proved: 0, not_covered: 0, skipped: 0 })

/** Adds up counts. */
export const sum = (all: ReadonlyArray<Coverage>): Coverage =>
  all.reduce<Coverage>(
    (left, right) => ({
      proved: left.proved + right.proved,
      not_covered: left.not_covered + right.not_covered,
      skipped: left.skipped + right.skipped
    }),
    none()
  )
