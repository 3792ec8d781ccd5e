/** The cells of the control matrix, as glyphs and in words. */
import type { ControlMatrix } from "../shared/Contract.js"

/** One control in one environment. */
export type MatrixCell = ControlMatrix["controls"][number]["cells"][number]

export type CellState = "holds" | "failing" | "nothing-runs" | "not-covered"

/** A glyph for each state. WHY distinct shapes: color alone would not be accessible. */
export const GLYPHS: { readonly [state in CellState]: string } = {
  holds: "■",
  failing: "▨",
  "nothing-runs": "□",
  "not-covered": "·"
}

export const LEGEND: { readonly [state in CellState]: string } = {
  holds: "holds",
  failing: "rows fail",
  "nothing-runs": "covered, nothing runs",
  "not-covered": "not covered"
}

export const stateOf = ({ covered, rows_failing }: MatrixCell): CellState => {
  if (!covered) return "not-covered"
  if (rows_failing === null) return "nothing-runs"
  return rows_failing === 0 ? "holds" : "failing"
}

const fail = ({ rows_failing }: MatrixCell): string =>
  rows_failing === 1 ? "row fails" : "rows fail"

/** The text of a cell for screen readers. */
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

/** The `rule` filter of the snapshot page. Undefined for several rules: the page then shows all failing rows. */
export const ruleFilterOf = ({ rules }: MatrixCell): string | undefined => {
  const [only, ...others] = rules
  return only === undefined || others.length > 0
    ? undefined
    : `${only.policy_name}.${only.rule_index}`
}
