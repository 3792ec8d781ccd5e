/**
 * Decision: which controls are enforced in which environments, and how many running rows fail them.
 *
 * A cell is covered as in `ControlCoverage`. Rows that the allow-list makes compliant are not counted as failing.
 */
import type { EnvironmentName, PolicyName } from "../../shared/Identifier.js"
import { type ConsumingEnvironment, percentOf } from "../ControlCoverage.js"

/** An environment, its attached policies, and its running rows. */
export interface EvaluatedEnvironment extends ConsumingEnvironment {
  readonly rows: number
  /** Present where its rows are still to be judged by a change of its policies. */
  readonly verdict_pending?: true | undefined
  /** How many rows fail some rule for a control; a control without failures has no entry. */
  readonly failing: ReadonlyMap<string, number>
}

/** A control, and the policies whose latest version has rules for it, with the indexes of these rules. */
export interface AskedControl {
  readonly identifier: string
  readonly name: string
  readonly naming: ReadonlyMap<PolicyName, ReadonlyArray<number>>
  /** In how many of all environments it is covered. */
  readonly covered: number
}

/** The environments of a page of the matrix, and how many there are in all. */
export interface EvaluatedPage {
  readonly total: number
  readonly items: ReadonlyArray<EvaluatedEnvironment>
}

/** A rule of a policy, counted from 0 as in decisions. */
export interface MatrixRule {
  readonly policy_name: PolicyName
  readonly rule_index: number
}

/** A control in an environment. */
export interface MatrixCell {
  readonly covered: boolean
  /** The attached policies that require decisions about the control, by name. */
  readonly policies: ReadonlyArray<PolicyName>
  /** Their rules for the control. */
  readonly rules: ReadonlyArray<MatrixRule>
  /** Running rows that fail it; null where it is not covered, and where nothing runs. */
  readonly rows_failing: number | null
}

/** A control with one cell for each environment of the page, in their order; the totals are of all environments. */
export interface MatrixRow {
  readonly identifier: string
  readonly name: string
  readonly total: number
  readonly covered: number
  readonly coverage_percent: number
  readonly cells: ReadonlyArray<MatrixCell>
}

/** Controls by environments. */
export interface ControlMatrix {
  readonly environments: ReadonlyArray<{
    readonly name: EnvironmentName
    readonly rows: number
    readonly verdict_pending?: true
  }>
  readonly controls: ReadonlyArray<MatrixRow>
}

const byName = (left: { readonly name: string }, right: { readonly name: string }): -1 | 0 | 1 =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0

const cellOf = (
  { identifier, naming }: AskedControl,
  { failing, policies, rows }: EvaluatedEnvironment
): MatrixCell => {
  const covering = [...new Set(policies)].filter((policy) => naming.has(policy)).sort()
  const covered = covering.length > 0
  return {
    covered,
    policies: covering,
    rules: covering.flatMap((policy_name) =>
      (naming.get(policy_name) ?? []).map((rule_index) => ({ policy_name, rule_index }))
    ),
    rows_failing: covered && rows > 0 ? (failing.get(identifier) ?? 0) : null
  }
}

/** The matrix; environments are ordered by name, and controls as given. */
export const make = (
  controls: ReadonlyArray<AskedControl>,
  { items, total }: EvaluatedPage
): ControlMatrix => {
  const environments = [...items].sort(byName)
  return {
    environments: environments.map(({ name, rows, verdict_pending }) => ({
      name,
      rows,
      ...(verdict_pending === undefined ? {} : { verdict_pending })
    })),
    controls: controls.map((control) => ({
      identifier: control.identifier,
      name: control.name,
      total,
      covered: control.covered,
      coverage_percent: percentOf(control.covered, total),
      cells: environments.map((environment) => cellOf(control, environment))
    }))
  }
}
