/**
 * Counts the steps of a validator, which calls it: the same number for the same schema and data, on every machine and
 * at every load.
 */

/** The schema has exceeded its steps or its depth. */
export class SchemaExhausted extends Error {}

/** The step budget of one document; a step is a hundred characters of generated code. */
export const STEPS_MAX = 20_000_000
/** Slots of eight bytes of the stack for nested validators: 16 MiB. */
const DEPTH_MAX = 2_097_152

/** The remaining steps and slots. */
export class SchemaMeter {
  private steps = 0
  private depth = 0

  /** Resets both for another document. */
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

  /** Appends errors in place: a copy for each error would take quadratic time. */
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
