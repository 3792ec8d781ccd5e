/**
 * What waits for a worker, fairly: orgs take turns, and one org never has all workers.
 *
 * A task of an org therefore waits for its own org's tasks, and for at most one task of each other org that
 * waits too.
 */

/** An item of an org. */
export interface Queued<A> {
  readonly org: string
  readonly item: A
}

/** Waiting items by org; an org stands in the map while it has items that wait, in the order of its turn. */
export class FairQueue<A> {
  private readonly waiting = new Map<string, Array<A>>()
  private readonly running = new Map<string, number>()

  constructor(
    private readonly runningMaxPerOrg: number,
    private readonly waitingMaxPerOrg: number
  ) {}

  /** Adds an item; `false`, and nothing done, when its org has too many that wait. */
  add({ org, item }: Queued<A>): boolean {
    const lane = this.waiting.get(org)
    if (lane === undefined) this.waiting.set(org, [item])
    else if (lane.length >= this.waitingMaxPerOrg) return false
    else lane.push(item)
    return true
  }

  /** Takes an item out that need not run any more. */
  remove({ org, item }: Queued<A>): void {
    const lane = this.waiting.get(org)
    const index = lane?.indexOf(item) ?? -1
    if (lane === undefined || index < 0) return
    lane.splice(index, 1)
    if (lane.length === 0) this.waiting.delete(org)
  }

  /** The next item that may run, which then counts as running; its org goes to the end of the turns. */
  take(): Queued<A> | undefined {
    for (const [org, lane] of this.waiting) {
      const running = this.running.get(org) ?? 0
      const [item] = lane
      if (running >= this.runningMaxPerOrg || item === undefined) continue
      lane.shift()
      this.waiting.delete(org)
      if (lane.length > 0) this.waiting.set(org, lane)
      this.running.set(org, running + 1)
      return { org, item }
    }
    return undefined
  }

  /** Says that an item of the org runs no more. */
  done(org: string): void {
    const running = (this.running.get(org) ?? 0) - 1
    if (running > 0) this.running.set(org, running)
    else this.running.delete(org)
  }
}
