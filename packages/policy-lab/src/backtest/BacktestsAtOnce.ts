/** The limit of backtests of all orgs that a process runs at a time; the host sets it. */
import * as Context from "effect/Context"

/** The limit unless the host sets another. */
export const DEFAULT = 2

/** The limit of backtests that a process runs at a time. */
export class BacktestsAtOnce extends Context.Reference<BacktestsAtOnce>()(
  "@attestry/policy-lab/BacktestsAtOnce",
  { defaultValue: (): number => DEFAULT }
) {}
