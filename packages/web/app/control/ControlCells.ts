/** The cells of the control matrix, as a glyph and in words. */
import type { ControlMatrix } from "../shared/Contract.js"

/** A control in an environment. */
export type MatrixCell = ControlMatrix["controls"][number]["cells"][number]

/** The content of a cell. */
export type CellState = "holds" | "failing" | "nothing-runs" | "not-covered"

/** The glyph of each state, which differs in shape. */
export const GLYPHS: { readonly [state in CellState]: string } = {
  holds: "■",
  failing: "▨",
  "nothing-runs": "□",
  "not-covered": "·"
}

/** The words of the legend. */
export const LEGEND: { readonly [state in CellState]: string } = {
  holds: "holds",
  failing: "rows fail",
  "nothing-runs": "covered, nothing runs",
  "not-covered": "not covered"
}

/** The state of a cell. */
export const stateOf = ({ covered, rows_failing }: MatrixCell): CellState => {
  if (!covered) return "not-covered"
  if (rows_failing === null) return "nothing-runs"
  return rows_failing === 0 ? "holds" : "failing"
}

const fail = ({ rows_failing }: MatrixCell): string =>
  rows_failing === 1 ? "row fails" : "rows fail"

/** A cell in words, for screen readers. */
export const wordsOf = (cell: MatrixCell, environment: string): string => {
  const by = cell.policies.length === 0 ? "" : ` by ${cell.policies.join(", ")}`
  switch (stateOf(cell)) {
    case "not-covered":
      return `not covered in ${environment}`
    case "nothing-runs":
      return `covered in ${environment}${by}, nothing runs there`
    case "holds":
      return `holds in ${environment}, asked for${by}`
    case "failing":
      return `${cell.rows_failing} ${fail(cell)} in ${environment}, asked for${by}`
  }
}

/** The value of the snapshot page's filter by rule; undefined for several rules, when all failing rows are shown. */
export const ruleFilterOf = ({ rules }: MatrixCell): string | undefined => {
  const [only, ...others] = rules
  return only === undefined || others.length > 0
    ? undefined
    : `${only.policy_name}.${only.rule_index}`
}
