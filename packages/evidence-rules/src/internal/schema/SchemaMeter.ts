/**
 * Counts what a validator does, as the validator itself tells: the same for the same schema and data, on
 * every machine and at every load. DECISION B-138
 */

/** The schema takes more steps, or nests deeper, than it may. */
export class SchemaExhausted extends Error {}

/** Pieces of a hundred characters of generated code that may run for one document. */
export const STEPS_MAX = 20_000_000
/** Slots of eight bytes that validators in progress may take of the stack: 16 MiB. */
const DEPTH_MAX = 2_097_152

/** What is left of both. */
export class SchemaMeter {
  private steps = 0
  private depth = 0

  /** Starts over, for another document. */
  reset(): void {
    this.steps = STEPS_MAX
    this.depth = DEPTH_MAX
  }

  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new SchemaExhausted()
  }

  enter(steps: number, slots: number): void {
    this.spend(steps)
    this.depth -= slots
    if (this.depth < 0) throw new SchemaExhausted()
  }

  leave(slots: number): void {
    this.depth += slots
  }

  /** Adds errors to errors, in place: copying all of them for each would take quadratic time. */
  concat(all: Array<unknown>, more: ReadonlyArray<unknown>): Array<unknown> {
    this.spend(more.length)
    for (const error of more) all.push(error)
    return all
  }

  /** Adds properties to properties. */
  assign(to: object, from: object): object {
    this.spend(Object.keys(from).length)
    return Object.assign(to, from)
  }
}
