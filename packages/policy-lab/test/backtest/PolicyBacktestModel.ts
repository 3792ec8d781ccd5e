/**
 * A backtest as a walk over every instant: at each the recorded verdict and the one that there would have been are
 * found anew, and neighbours with the same pair are joined.
 */

/** What a row was, and what it was evaluated by, at one instant. */
export interface ModelInstant {
  /** Undefined where it does not run. */
  readonly was: string | undefined
  readonly wouldBe: string | undefined
}

/** A flip. */
export interface ModelFlip {
  readonly from: number
  readonly to: number
  readonly was: string
  readonly wouldBe: string
}

/** The flips of a row between two instants. */
export const flips = (
  at: (instant: number) => ModelInstant,
  from: number,
  to: number
): ReadonlyArray<ModelFlip> => {
  const found: Array<ModelFlip> = []
  for (let instant = from; instant < to; instant++) {
    const { was, wouldBe } = at(instant)
    if (was === undefined || wouldBe === undefined || was === wouldBe) continue
    const last = found.at(-1)
    if (last !== undefined && last.to === instant && last.was === was && last.wouldBe === wouldBe)
      found[found.length - 1] = { ...last, to: instant + 1 }
    else found.push({ from: instant, to: instant + 1, was, wouldBe })
  }
  return found
}

/** The number of instants at which some row has the verdict `NonCompliant`. */
export const nonCompliant = (
  rows: ReadonlyArray<(instant: number) => string | undefined>,
  from: number,
  to: number
): { readonly some: number; readonly all: number } => {
  let [some, all] = [0, 0]
  for (let instant = from; instant < to; instant++) {
    const red = rows.filter((row) => row(instant) === "NonCompliant").length
    some += red > 0 ? 1 : 0
    all += red
  }
  return { some, all }
}
