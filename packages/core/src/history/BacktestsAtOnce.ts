/**
 * How many backtests a process plays at a time, whatever their orgs. The host says so. A backtest reads for seconds to
 * minutes and must leave room for reports.
 */
import * as Context from "effect/Context"

/** The number of backtests that a process plays at a time unless its host says another. */
export const DEFAULT = 2

/** How many backtests a process plays at a time. */
export class BacktestsAtOnce extends Context.Reference<BacktestsAtOnce>()(
  "@attestry/core/BacktestsAtOnce",
  { defaultValue: (): number => DEFAULT }
) {}
