/** Random choices from one seed, so that every request of a run can be repeated. */

/** A source of random choices. */
export interface Random {
  /** A number from 0 to 1, without 1. */
  readonly next: () => number
  /** An integer from 0 to `below`, without `below`. */
  readonly below: (below: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(choices: ReadonlyArray<A>) => A
}

/** The choices of one case of one run. */
export const make = (seed: number, index: number): Random => {
  let state = (seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      const chosen = choices[below(choices.length)]
      if (chosen === undefined && choices.length === 0) throw new Error("nothing to choose from")
      // WHY: the index is within the list, whose members may be undefined themselves.
      return chosen as (typeof choices)[number]
    }
  }
}
