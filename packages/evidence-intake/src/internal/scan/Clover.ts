/** Reads coverage in the form of Clover: the metrics of the project. Its statements are what others call lines. */
import type { XmlElement, XmlFormat } from "../Format.js"
import * as CoverageContent from "./CoverageContent.js"
import * as Fields from "./Fields.js"
import * as Instants from "./Instants.js"

const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)

const metricsOf = (root: XmlElement): XmlElement | undefined =>
  childOf(childOf(root, "project"), "metrics")

/** The counts of `statements` or `conditionals`; null without them. */
const measuredOf = (
  metrics: XmlElement | undefined,
  name: string
): CoverageContent.Measured | null => {
  const total = metrics?.attributes.get(name)
  const covered = metrics?.attributes.get(`covered${name}`)
  if (total === undefined && covered === undefined) return null
  return { covered: CoverageContent.countOf(covered), total: CoverageContent.countOf(total) }
}

/** Clover XML. */
export const format: XmlFormat = {
  rule: 17,
  name: "Clover XML",
  isFormat: (root) => root.name === "coverage" && metricsOf(root) !== undefined,
  read: (root) => {
    const metrics = metricsOf(root)
    return CoverageContent.make({
      format: { name: "Clover XML", version: Fields.text(root.attributes.get("clover")) },
      tool: null,
      createdAt: Instants.fromEpoch(root.attributes.get("generated")),
      lines: measuredOf(metrics, "statements"),
      branches: measuredOf(metrics, "conditionals")
    })
  }
}
