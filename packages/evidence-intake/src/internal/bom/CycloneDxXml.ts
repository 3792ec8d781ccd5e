/**
 * Gives CycloneDX in XML the form of its JSON: elements become members, and lists of elements become lists.
 *
 * Only what the reader of the JSON form asks for is kept. XML has at most 64 levels, so this may recurse.
 */
import type { JsonObject, XmlElement } from "../Format.js"

/** What the namespace of CycloneDX begins with; the version follows. */
export const NAMESPACE = "http://cyclonedx.org/schema/bom/"

const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  parent?.children.find((child) => child.name === name && child.namespace === parent.namespace)

/** The children of a name below a container, such as each `component` below `components`. */
const childrenOf = (
  parent: XmlElement | undefined,
  container: string,
  name: string
): ReadonlyArray<XmlElement> =>
  childOf(parent, container)?.children.filter(
    (child) => child.name === name && child.namespace === parent?.namespace
  ) ?? []

const textOf = (parent: XmlElement | undefined, name: string): string | null =>
  childOf(parent, name)?.text.trim() ?? null

const textsOf = (parent: XmlElement | undefined, names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, textOf(parent, name)]))

const licensesOf = (component: XmlElement): ReadonlyArray<JsonObject> => [
  ...childrenOf(component, "licenses", "license").map((license) => ({
    license: textsOf(license, ["id", "name"])
  })),
  ...childrenOf(component, "licenses", "expression").map(({ text }) => ({
    expression: text.trim()
  }))
]

const componentOf = (component: XmlElement): JsonObject => ({
  ...textsOf(component, ["group", "name", "version", "purl"]),
  "bom-ref": component.attributes.get("bom-ref") ?? null,
  licenses: licensesOf(component),
  hashes: childrenOf(component, "hashes", "hash").map(({ attributes, text }) => ({
    alg: attributes.get("alg") ?? null,
    content: text.trim()
  })),
  components: childrenOf(component, "components", "component").map(componentOf)
})

const toolsOf = (metadata: XmlElement | undefined): JsonObject | ReadonlyArray<JsonObject> => {
  const named = (tool: XmlElement) => textsOf(tool, ["name", "version"])
  const listed = childrenOf(metadata, "tools", "tool").map(named)
  const tools = childOf(metadata, "tools")
  return listed.length > 0
    ? listed
    : {
        components: childrenOf(tools, "components", "component").map(named),
        services: childrenOf(tools, "services", "service").map(named)
      }
}

const metadataOf = (metadata: XmlElement | undefined): JsonObject => {
  const component = childOf(metadata, "component")
  return {
    timestamp: textOf(metadata, "timestamp"),
    tools: toolsOf(metadata),
    component: component === undefined ? null : componentOf(component)
  }
}

const vulnerabilityOf = (vulnerability: XmlElement): JsonObject => {
  const analysis = childOf(vulnerability, "analysis")
  return {
    ...textsOf(vulnerability, ["id", "updated"]),
    analysis:
      analysis === undefined
        ? null
        : textsOf(analysis, ["state", "justification", "detail", "firstIssued", "lastUpdated"]),
    affects: childrenOf(vulnerability, "affects", "target").map((target) => ({
      ref: textOf(target, "ref"),
      versions: childrenOf(target, "versions", "version").map((entry) =>
        textsOf(entry, ["version"])
      )
    }))
  }
}

/** The document in its JSON form. */
export const toJson = (bom: XmlElement): JsonObject => ({
  specVersion: bom.namespace.slice(NAMESPACE.length),
  metadata: metadataOf(childOf(bom, "metadata")),
  components: childrenOf(bom, "components", "component").map(componentOf),
  vulnerabilities: childrenOf(bom, "vulnerabilities", "vulnerability").map(vulnerabilityOf)
})
