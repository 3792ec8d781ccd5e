/** Reads coverage in the form of JaCoCo: the counters of the whole report. */
import type { XmlElement, XmlFormat } from "../Format.js"
import * as CoverageContent from "./CoverageContent.js"
import * as Instants from "./Instants.js"

/** The counter of a type; null without one. */
const counterOf = ({ children }: XmlElement, type: string): CoverageContent.Measured | null => {
  const counter = children.find(
    ({ name, attributes }) => name === "counter" && attributes.get("type") === type
  )
  if (counter === undefined) return null
  const covered = CoverageContent.countOf(counter.attributes.get("covered"))
  return { covered, total: covered + CoverageContent.countOf(counter.attributes.get("missed")) }
}

/** When the last session ended. */
const createdAt = ({ children }: XmlElement): number | null => {
  let latest: number | null = null
  for (const { name, attributes } of children) {
    const dumped = name === "sessioninfo" ? Instants.fromEpoch(attributes.get("dump")) : null
    if (dumped !== null && (latest === null || dumped > latest)) latest = dumped
  }
  return latest
}

/** JaCoCo XML. */
export const format: XmlFormat = {
  rule: 17,
  name: "JaCoCo XML",
  isFormat: ({ name, children }) =>
    name === "report" && children.some((child) => child.name === "counter"),
  read: (root) =>
    CoverageContent.make({
      format: { name: "JaCoCo XML", version: null },
      tool: { name: "JaCoCo", version: null },
      createdAt: createdAt(root),
      lines: counterOf(root, "LINE"),
      branches: counterOf(root, "BRANCH")
    })
}
