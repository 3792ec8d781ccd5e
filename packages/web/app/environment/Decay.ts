/** The environments whose verdicts time alone will change, soonest first. */
import type { Environment } from "../shared/Contract.js"

/** An environment with a due instant, in epoch seconds. */
export interface Decay {
  readonly environment: Environment
  readonly dueAt: number
}

/** Environments without a due instant are left out; equal instants are ordered by name. */
export const decaysOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<Decay> =>
  environments
    .flatMap((environment) =>
      environment.due_at === null ? [] : [{ environment, dueAt: environment.due_at }]
    )
    .sort(
      (left, right) =>
        left.dueAt - right.dueAt || (left.environment.name < right.environment.name ? -1 : 1)
    )
