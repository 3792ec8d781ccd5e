/** The labels of edges and nodes, and the page of each node. */
import * as Route from "@attestry/web/Route"
import type { GraphAnswer } from "../shared/Contract.js"
import * as Shorten from "../shared/Shorten.js"
import { fromState, WORDS } from "../shared/Verdict.js"

type Node = GraphAnswer["nodes"][number]
type EdgeType = GraphAnswer["edges"][number]["type"]

/** The verb between the two ends of an edge. */
export const EDGES: { readonly [type in EdgeType]: string } = {
  recorded_in: "is recorded in",
  of: "is a trail of",
  builds: "builds",
  about: "is about",
  overrides: "overrides",
  ran_in: "ran in",
  judged_by: "is evaluated by",
  asks_about: "asks about",
  decides: "decides about",
  replaced: "replaced"
}

/** The names of edge types that a graph omits. */
export const LEFT_OUT: { readonly [type in EdgeType]: string } = {
  recorded_in: "records",
  of: "trails",
  builds: "builds",
  about: "attestations",
  overrides: "overrides",
  ran_in: "runs",
  judged_by: "attached policies",
  asks_about: "rules about controls",
  decides: "decisions",
  replaced: "replacements"
}

/** The path of a node's page below the base; the home page for a node without one. */
export const pageOf = ({ html_url }: Node, base: string): string => {
  const address = URL.canParse(html_url) ? new URL(html_url) : undefined
  const route = Route.parse(`${address?.pathname}${address?.search}`, base)
  return route._tag === "NotFound" ? `${base}/` : Route.print(route, base)
}

/** The maximum length of a name in the drawing. */
const SHORT_LENGTH = 16

/** A short name for the drawing: the part after the last slash, or the start of a commit. */
export const shortName = ({ label }: Pick<Node, "label">): string => {
  if (/^[0-9a-f]{40}$/.test(label)) return Shorten.commit(label)
  const last = label.slice(label.lastIndexOf("/") + 1)
  return Shorten.middle(last === "" ? label : last, SHORT_LENGTH)
}

/** A node for screen readers: its kind, its name, and its verdict if it has one. */
export const spoken = ({ compliant, label, type }: Node): string =>
  [`${type} ${label}`, ...(compliant === undefined ? [] : [WORDS[fromState(compliant)]])].join(", ")

/** The root in a URL; undefined without one. */
export const rootOf = (route: Pick<Route.Route, "query">): string | undefined => {
  const root = Route.parameter(route, "root")?.trim()
  return root === "" ? undefined : root
}

/** Parses a typed root; a fingerprint or a commit needs no prefix. */
export const parseRoot = (text: string): string | undefined => {
  const root = text.trim()
  if (/^(sha256:)?[0-9a-f]{64}$/i.test(root))
    return `fingerprint:${root.toLowerCase().replace(/^sha256:/, "")}`
  if (/^[0-9a-f]{40}$/i.test(root)) return `commit:${root.toLowerCase()}`
  return /^(fingerprint|commit|trail|attestation|environment|policy|control):.+$/.test(root)
    ? root
    : undefined
}
