/** Which rules, environments and artifacts a waiver reaches. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ActiveWaiver from "../policy/ActiveWaiver.js"
import type { PolicyDump } from "../policy/AppliedPolicy.js"
import * as PolicyExpression from "../policy/PolicyExpression.js"
import type { EnvironmentId } from "../shared/Identifier.js"
import { rulesOf } from "../snapshot/RowDecision.js"
import type { Waiver } from "./Waiver.js"
import * as WaiverState from "./WaiverState.js"

/** The condition of one artifact, in the form of a text of a waiver. */
export const conditionOf = (fingerprint: string): string =>
  `artifact.fingerprint == "${fingerprint}"`

const termsOf = (waiver: Waiver) => {
  const { condition: text } = waiver
  if (text === null) return Option.some(null)
  return Option.map(Either.getRight(PolicyExpression.parse(text)), (expression) => ({
    text,
    expression
  }))
}

/**
 * The waiver as evaluations see it, with the time in which it counts; none when it never counts. A condition that no
 * longer parses reaches nothing.
 */
export const toActive = (waiver: Waiver): Option.Option<ActiveWaiver.ActiveWaiver> => {
  const time = WaiverState.timeOf(waiver)
  if (time === null) return Option.none()
  const { expires_at, number, policy_name, revoked, rule } = waiver
  return Option.map(termsOf(waiver), (condition) =>
    ActiveWaiver.make({
      number,
      policy_name,
      rule,
      condition,
      starts_at: time.from,
      expires_at,
      ...(revoked === null ? {} : { revoked_at: revoked.at })
    })
  )
}

/** Waivers as evaluations see them; those that never count are left out. */
export const allActive = (
  waivers: ReadonlyArray<Waiver>
): ReadonlyArray<ActiveWaiver.ActiveWaiver> =>
  waivers.flatMap((waiver) => Option.toArray(toActive(waiver)))

/** Whether a waiver reaches an environment. */
export const isFor = ({ environment_id }: Waiver, environment: EnvironmentId): boolean =>
  environment_id === null || environment_id === environment

/** Whether some rule of a policy is one that the waiver names. */
export const namesRule = ({ rule }: Pick<Waiver, "rule">, dump: PolicyDump): boolean =>
  rulesOf(dump).some((candidate) => ActiveWaiver.fits(rule, candidate))
