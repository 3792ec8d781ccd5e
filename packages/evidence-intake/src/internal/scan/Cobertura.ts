/** Reads coverage in the form of Cobertura: the totals of the root, or else the lines of its classes. */
import type { XmlElement, XmlFormat } from "../Format.js"
import * as CoverageContent from "./CoverageContent.js"
import * as Instants from "./Instants.js"
import { walk } from "./XmlWalk.js"

/** The totals that the root gives; null if it gives none. */
const totalsOf = ({ attributes }: XmlElement, name: string): CoverageContent.Measured | null => {
  const covered = attributes.get(`${name}-covered`)
  const total = attributes.get(`${name}-valid`)
  if (covered === undefined && total === undefined) return null
  return { covered: CoverageContent.countOf(covered), total: CoverageContent.countOf(total) }
}

/** The branches of a line, from a text such as `50% (1/2)`. */
const branchesOf = (line: XmlElement): CoverageContent.Measured => {
  const condition = line.attributes.get("condition-coverage") ?? ""
  const open = condition.indexOf("(")
  const parts = /^\((\d{1,9})\/(\d{1,9})\)/.exec(open === -1 ? "" : condition.slice(open))
  return { covered: Number(parts?.[1] ?? 0), total: Number(parts?.[2] ?? 0) }
}

/** The lines and branches of all classes. Methods have the lines of their class once more. */
const linesOf = (root: XmlElement) => {
  const lines = { covered: 0, total: 0 }
  const branches = { covered: 0, total: 0 }
  walk(root, {
    begin: (element) => {
      if (element.name === "line") {
        lines.total += 1
        if (Number(element.attributes.get("hits")) > 0) lines.covered += 1
        const { covered, total } = branchesOf(element)
        branches.covered += covered
        branches.total += total
      }
      return element.name !== "methods"
    }
  })
  return { lines, branches }
}

/** Cobertura XML. */
export const format: XmlFormat = {
  rule: 17,
  name: "Cobertura XML",
  isFormat: ({ name, attributes }) => name === "coverage" && attributes.has("line-rate"),
  read: (root) => {
    const lines = totalsOf(root, "lines")
    const counted = lines === null ? linesOf(root) : { lines, branches: null }
    return CoverageContent.make({
      format: { name: "Cobertura XML", version: null },
      tool: null,
      createdAt: Instants.fromEpoch(root.attributes.get("timestamp")),
      lines: counted.lines,
      branches: totalsOf(root, "branches") ?? counted.branches
    })
  }
}
