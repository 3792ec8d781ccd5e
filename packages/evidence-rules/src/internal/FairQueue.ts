/**
 * A fair queue of tasks: round-robin over orgs, and one org never occupies all workers.
 *
 * A task waits for tasks of its own org, and for at most one task of each other org in the queue.
 */

/** An item of an org. */
export interface Queued<A> {
  readonly org: string
  readonly item: A
}

/** Queued items by org; the map has the orgs with queued items in round-robin order. */
export class FairQueue<A> {
  private readonly waiting = new Map<string, Array<A>>()
  private readonly running = new Map<string, number>()

  constructor(
    private readonly runningMaxPerOrg: number,
    private readonly waitingMaxPerOrg: number
  ) {}

  /** Adds an item; `false` and no change when its org has too many queued items. */
  add({ org, item }: Queued<A>): boolean {
    const lane = this.waiting.get(org)
    if (lane === undefined) this.waiting.set(org, [item])
    else if (lane.length >= this.waitingMaxPerOrg) return false
    else lane.push(item)
    return true
  }

  /** Removes a queued item. */
  remove({ org, item }: Queued<A>): void {
    const lane = this.waiting.get(org)
    const index = lane?.indexOf(item) ?? -1
    if (lane === undefined || index < 0) return
    lane.splice(index, 1)
    if (lane.length === 0) this.waiting.delete(org)
  }

  /** The next item that may run, which then counts as running; its org moves to the end. */
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

  /** Marks an item of the org as finished. */
  done(org: string): void {
    const running = (this.running.get(org) ?? 0) - 1
    if (running > 0) this.running.set(org, running)
    else this.running.delete(org)
  }
}
