/**
 * Decision: which environments require decisions about a control, through their attached policies. Whether the
 * policies pass does not matter. SPEC §4.11
 */
import type { EnvironmentName, PolicyName } from "../shared/Identifier.js"
import * as Page from "../shared/Page.js"

/**
 * An active physical environment with its attached policies. Logical environments are left out: their members are
 * counted.
 */
export interface ConsumingEnvironment {
  readonly name: EnvironmentName
  /** Those that count. */
  readonly policies: ReadonlyArray<PolicyName>
  /** Those that only warn. */
  readonly warning?: ReadonlyArray<PolicyName>
}

/** One environment of the report. */
export interface EnvironmentCoverage {
  readonly name: EnvironmentName
  readonly covered: boolean
  /** The policies that require the decision, by name. */
  readonly policies: ReadonlyArray<PolicyName>
  /** The policies that would require it and only warn, by name; absent where there is none. */
  readonly warning_policies?: ReadonlyArray<PolicyName>
}

/** Which environments are listed; all given conditions must hold. */
export interface CoverageFilter {
  readonly covered?: boolean
  /** A part of the name, in any case. */
  readonly search?: string
}

/** The totals, and the environments that pass the filter, by name. */
export interface Coverage {
  readonly total: number
  readonly covered: number
  readonly coverage_percent: number
  readonly environments: Page.Paged<EnvironmentCoverage>
}

/** 100 * covered / total, rounded half up to one decimal; 0 when the total is 0. */
export const percentOf = (covered: number, total: number): number =>
  // WHY integers: adding half of the total before the division rounds half up without a binary fraction.
  total === 0 ? 0 : Math.floor((2_000 * covered + total) / (2 * total)) / 10

const coveringOf =
  (names: ReadonlySet<string>) =>
  ({ name, policies, warning = [] }: ConsumingEnvironment): EnvironmentCoverage => {
    const covering = [...new Set(policies)].filter((policy) => names.has(policy)).sort()
    const warning_policies = [...new Set(warning)].filter((policy) => names.has(policy)).sort()
    return {
      name,
      covered: covering.length > 0,
      policies: covering,
      ...(warning_policies.length === 0 ? {} : { warning_policies })
    }
  }

/** What the environments of a report are, before it is known which policies cover them. */
export interface Consuming {
  readonly total: number
  readonly covered: number
  readonly environments: Page.Paged<ConsumingEnvironment>
}

/** The coverage report; the totals do not depend on the filter. A percentage must not depend on what is shown. */
export const report = (
  { covered, environments, total }: Consuming,
  naming: ReadonlyArray<PolicyName>
): Coverage => ({
  total,
  covered,
  coverage_percent: percentOf(covered, total),
  environments: Page.map(environments, coveringOf(new Set<string>(naming)))
})
