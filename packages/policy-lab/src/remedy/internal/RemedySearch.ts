/**
 * The smallest choices of steps that settle every need, cheapest first.
 *
 * A need is a list of the steps any of which settles it. A best-first search branches on the first need that is not
 * settled; a branch excludes the steps of the branches before it, so that no choice is reached twice.
 */

/** A step as the search sees it: its cost, and a text that differs from that of every other step. */
export interface RankedStep {
  readonly cost: number
  readonly text: string
}

/** What to search. */
export interface Search {
  readonly steps: ReadonlyArray<RankedStep>
  /** For each need, the places of the steps that settle it. */
  readonly needs: ReadonlyArray<ReadonlyArray<number>>
  /** The largest number of choices. */
  readonly limit: number
  /** The largest number of states that are looked at. */
  readonly budget: number
}

/** The choices, each as places of steps in order of their texts. */
export interface Found {
  readonly choices: ReadonlyArray<ReadonlyArray<number>>
  /** Whether nothing was left to look at, or as many were found as were asked for. */
  readonly complete: boolean
}

/** A choice under construction. */
interface State {
  readonly chosen: ReadonlyArray<number>
  readonly excluded: ReadonlySet<number>
  readonly cost: number
  readonly text: string
}

const isBefore = (left: State, right: State): boolean =>
  left.cost !== right.cost
    ? left.cost < right.cost
    : left.chosen.length !== right.chosen.length
      ? left.chosen.length < right.chosen.length
      : left.text < right.text

/** A queue whose first state is taken first. */
class Heap {
  private readonly items: Array<State> = []

  get isEmpty(): boolean {
    return this.items.length === 0
  }

  push(state: State): void {
    const { items } = this
    let at = items.push(state) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = items[up]
      if (parent === undefined || !isBefore(state, parent)) break
      items[at] = parent
      at = up
    }
    items[at] = state
  }

  pop(): State | undefined {
    const { items } = this
    const [first] = items
    const last = items.pop()
    if (last !== undefined && items.length > 0) this.sink(last)
    return first
  }

  private sink(state: State): void {
    const { items } = this
    let at = 0
    for (;;) {
      const [left, right] = [items[2 * at + 1], items[2 * at + 2]]
      if (left === undefined) break
      const isRight = right !== undefined && isBefore(right, left)
      const least = isRight ? right : left
      if (!isBefore(least, state)) break
      items[at] = least
      at = 2 * at + (isRight ? 2 : 1)
    }
    items[at] = state
  }
}

const inOrder = (steps: Search["steps"], chosen: Iterable<number>): ReadonlyArray<number> =>
  [...chosen].sort((left, right) =>
    (steps[left]?.text ?? "") < (steps[right]?.text ?? "") ? -1 : 1
  )

/** A whole choice with its rank. */
const stateOf = (steps: Search["steps"], places: ReadonlyArray<number>): State => {
  const chosen = inOrder(steps, places)
  return {
    chosen,
    excluded: new Set(),
    cost: chosen.reduce((sum, place) => sum + (steps[place]?.cost ?? 0), 0),
    text: chosen.map((place) => steps[place]?.text).join("\n")
  }
}

/** Whether each step settles a need that no other step of the choice does. */
const isMinimal = (needs: Search["needs"], chosen: ReadonlyArray<number>): boolean => {
  const among = new Set(chosen)
  const alone = new Set<number>()
  for (const need of needs) {
    const settling = need.filter((step) => among.has(step))
    const [only] = settling
    if (settling.length === 1 && only !== undefined) alone.add(only)
  }
  return alone.size === among.size
}

const firstOpen = ({ needs }: Search, { chosen }: State): ReadonlyArray<number> | undefined =>
  needs.find((need) => !need.some((step) => chosen.includes(step)))

/** The steps that are the only ones for some need, and the needs that they leave open, each once. */
const forcedOf = (
  needs: Search["needs"]
): { forced: ReadonlySet<number>; open: Search["needs"] } => {
  const forced = new Set(needs.flatMap((need) => (need.length === 1 ? need : [])))
  const open = new Map(
    needs
      .filter((need) => !need.some((step) => forced.has(step)))
      .map((need) => [need.join(), need] as const)
  )
  return {
    forced,
    open: [...open.values()].sort((left, right) => left.length - right.length)
  }
}

/** The states after each choice for the first need that a state leaves open. */
const branches = ({ steps }: Search, state: State, open: ReadonlyArray<number>) => {
  const excluded = new Set(state.excluded)
  return open.flatMap((step): ReadonlyArray<State> => {
    if (excluded.has(step)) return []
    const chosen = inOrder(steps, [...state.chosen, step])
    const next = {
      chosen,
      excluded: new Set(excluded),
      cost: state.cost + (steps[step]?.cost ?? 0),
      text: chosen.map((place) => steps[place]?.text).join("\n")
    }
    excluded.add(step)
    return [next]
  })
}

/** The smallest choices for needs that may share steps. */
const searchTogether = (asked: Search): Found => {
  const { budget, limit, needs } = asked
  const heap = new Heap()
  heap.push({ chosen: [], excluded: new Set(), cost: 0, text: "" })
  const choices: Array<ReadonlyArray<number>> = []
  for (let looked = 0; !heap.isEmpty && choices.length < limit; looked++) {
    if (looked >= budget) return { choices, complete: false }
    const state = heap.pop()
    if (state === undefined) break
    const open = firstOpen(asked, state)
    if (open !== undefined) for (const next of branches(asked, state, open)) heap.push(next)
    else if (isMinimal(needs, state.chosen)) choices.push(state.chosen)
  }
  return { choices, complete: true }
}

/** The needs in groups, so that needs of two groups share no step. */
const groupsOf = (needs: Search["needs"]): ReadonlyArray<Search["needs"]> => {
  const groups = new Map<number, Array<ReadonlyArray<number>>>()
  const groupOf = new Map<number, number>()
  for (const [index, need] of needs.entries()) {
    const met = new Set(need.flatMap((step) => groupOf.get(step) ?? []))
    const joined = [...[...met].flatMap((group) => groups.get(group) ?? []), need]
    for (const group of met) groups.delete(group)
    groups.set(index, joined)
    for (const each of joined) for (const step of each) groupOf.set(step, index)
  }
  return [...groups.values()]
}

/** The best choices of two groups together: a choice among the best is one of the best in each. */
const combine = (
  { limit, steps }: Search,
  left: Found["choices"],
  right: Found["choices"]
): Found["choices"] =>
  left
    .flatMap((one) => right.map((other) => stateOf(steps, [...one, ...other])))
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(0, limit)
    .map(({ chosen }) => chosen)

/** The smallest choices, cheapest first, then fewer steps, then by text. */
export const search = (asked: Search): Found => {
  const { forced, open } = forcedOf(asked.needs)
  let choices: Found["choices"] = [[]]
  for (const needs of groupsOf(open)) {
    const found = searchTogether({ ...asked, needs })
    if (!found.complete) return { choices: [], complete: false }
    choices = combine(asked, choices, found.choices)
  }
  return {
    choices: choices.map((chosen) => inOrder(asked.steps, [...forced, ...chosen])),
    complete: true
  }
}

/** One choice, made need by need with the cheapest step, without those that others make superfluous. */
export const greedy = ({ needs, steps }: Search): ReadonlyArray<number> => {
  const cheaper = (left: number, right: number): number =>
    (steps[left]?.cost ?? 0) - (steps[right]?.cost ?? 0) ||
    ((steps[left]?.text ?? "") < (steps[right]?.text ?? "") ? -1 : 1)
  const chosen = new Set<number>()
  const uses = new Map<number, Array<ReadonlyArray<number>>>()
  for (const need of needs) {
    const [cheapest] = need.some((step) => chosen.has(step)) ? [] : [...need].sort(cheaper)
    if (cheapest !== undefined) chosen.add(cheapest)
  }
  for (const need of needs)
    for (const step of need) if (chosen.has(step)) uses.set(step, [...(uses.get(step) ?? []), need])
  for (const step of inOrder(steps, chosen)) {
    const settled = uses.get(step) ?? []
    if (settled.every((need) => need.some((other) => other !== step && chosen.has(other))))
      chosen.delete(step)
  }
  return inOrder(steps, chosen)
}
