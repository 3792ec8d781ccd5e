/** The environments that need attention on the overview: those that fail, and those that are silent. */
import type { Environment } from "../shared/Contract.js"
import { fromState } from "../shared/Verdict.js"
import { type Silence, silenceOf } from "./EnvironmentOrder.js"

export type Attention =
  | {
      readonly _tag: "Failing"
      readonly environment: Environment
      /** Running rows that are not compliant or not evaluated. */
      readonly rows: number
      readonly running: number
      readonly sinceMs: number
      /** Whether the list loads the reasons of this environment. */
      readonly isExplained: boolean
    }
  | ({ readonly _tag: "Silent"; readonly environment: Environment } & Silence)

/** The list loads the reasons of at most this many environments, one request each. */
export const EXPLAINED_MAX = 6

const isRed = ({ state }: Environment): boolean => fromState(state) === "non-compliant"

/** A logical environment is listed only if none of its members is. */
const isListed =
  (red: ReadonlySet<string>) =>
  ({ included_environments }: Environment): boolean =>
    !(included_environments ?? []).some((member) => red.has(member))

/** The lines: failing environments first, then silent ones, each in the order of the list. */
export const attentionOf = (
  environments: ReadonlyArray<Environment>,
  nowMs: number
): ReadonlyArray<Attention> => {
  const red = environments.filter(isRed)
  const names = new Set<string>(red.map(({ name }) => name))
  const failing = red
    .filter(isListed(names))
    .flatMap((environment, place): ReadonlyArray<Attention> => {
      const latest = environment.latest_snapshot
      if (latest === undefined || latest === null) return []
      const { counts } = latest
      // Silence alone makes it red: the line about its silence says so.
      if (environment.silent_since !== null && counts.false + counts.null === 0) return []
      return [
        {
          _tag: "Failing",
          environment,
          rows: counts.false + counts.null,
          running: counts.true + counts.false + counts.null,
          sinceMs: latest.verdict_since * 1_000,
          isExplained: place < EXPLAINED_MAX
        }
      ]
    })
  const silent = environments.flatMap((environment): ReadonlyArray<Attention> => {
    const silence = silenceOf(environment, nowMs)
    return silence === undefined ? [] : [{ _tag: "Silent", environment, ...silence }]
  })
  return [...failing, ...silent]
}
