/** The words of graphs: how two things are connected, what a thing is, and which page it has. */
import * as Route from "@attestry/web/Route"
import type { GraphAnswer } from "../shared/Contract.js"
import * as Shorten from "../shared/Shorten.js"
import { fromState, WORDS } from "../shared/Verdict.js"

type Node = GraphAnswer["nodes"][number]
type EdgeType = GraphAnswer["edges"][number]["type"]

/** What stands between the two ends of an edge. */
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

/** What is counted where a graph leaves out edges. */
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

/** The address of the page of a node, below the base; the home page for one that this application does not have. */
export const pageOf = ({ html_url }: Node, base: string): string => {
  const address = URL.canParse(html_url) ? new URL(html_url) : undefined
  const route = Route.parse(`${address?.pathname}${address?.search}`, base)
  return route._tag === "NotFound" ? `${base}/` : Route.print(route, base)
}

/** The most characters of a name in the drawing. */
const SHORT_LENGTH = 16

/** A name for the drawing: what comes after the last slash, and of a commit its beginning. */
export const shortName = ({ label }: Pick<Node, "label">): string => {
  if (/^[0-9a-f]{40}$/.test(label)) return Shorten.commit(label)
  const last = label.slice(label.lastIndexOf("/") + 1)
  return Shorten.middle(last === "" ? label : last, SHORT_LENGTH)
}

/** A node in words: what it is, its name, and its verdict where it has one. */
export const spoken = ({ compliant, label, type }: Node): string =>
  [`${type} ${label}`, ...(compliant === undefined ? [] : [WORDS[fromState(compliant)]])].join(", ")

/** The root of an address; undefined where it has none. */
export const rootOf = (route: Pick<Route.Route, "query">): string | undefined => {
  const root = Route.parameter(route, "root")?.trim()
  return root === "" ? undefined : root
}

/** The root that a text means: a fingerprint and a commit need no word before them. */
export const parseRoot = (text: string): string | undefined => {
  const root = text.trim()
  if (/^(sha256:)?[0-9a-f]{64}$/i.test(root))
    return `fingerprint:${root.toLowerCase().replace(/^sha256:/, "")}`
  if (/^[0-9a-f]{40}$/i.test(root)) return `commit:${root.toLowerCase()}`
  return /^(fingerprint|commit|trail|attestation|environment|policy|control):.+$/.test(root)
    ? root
    : undefined
}
