/** The subject of the question where something ran: one of six properties of artifacts, in the address. */
import * as Route from "@attestry/web/Route"

/** The parameters of an address, of which it has one, with the names of the API, in the order of the choice. */
export const SUBJECTS = [
  "fingerprint",
  "commit",
  "flow_name",
  "repo_name",
  "author",
  "builder"
] as const

/** The name of a subject. */
export type SubjectName = (typeof SUBJECTS)[number]

/** The subject of a question. */
export interface Subject {
  readonly name: SubjectName
  readonly value: string
}

/** The word of each subject, and an example of its value. */
export const TEXTS: {
  readonly [name in SubjectName]: { readonly word: string; readonly hint: string }
} = {
  fingerprint: { word: "fingerprint", hint: "5 to 64 characters: digits and a to f" },
  commit: { word: "commit", hint: "a whole commit, 40 characters" },
  flow_name: { word: "flow", hint: "the name of a flow" },
  repo_name: { word: "repository", hint: "the name of a repository, such as team/shop" },
  author: { word: "author", hint: "as commits have it: Jo Doe <jo@example.org>" },
  builder: { word: "builder", hint: "scheme and host of builds: https://ci.example.org" }
}

/** The subject of an address; the first one if it has several. */
export const subjectOf = (route: Pick<Route.Route, "query">): Subject | undefined => {
  for (const name of SUBJECTS) {
    const value = Route.parameter(route, name)
    if (value !== undefined && value !== "") return { name, value }
  }
  return undefined
}

/** The subject of a typed text; undefined if it cannot be one. */
export const parse = (name: SubjectName, text: string): Subject | undefined => {
  const value = text.trim()
  if (name === "fingerprint") {
    const digits = value.toLowerCase().replace(/^sha256:/, "")
    return /^[0-9a-f]{5,64}$/.test(digits) ? { name, value: digits } : undefined
  }
  if (name === "commit")
    return /^[0-9a-f]{40}$/i.test(value) ? { name, value: value.toLowerCase() } : undefined
  return value === "" ? undefined : { name, value }
}

/** Scheme and host of the address of a build, as core takes them from records; undefined for another text. */
export const builderOf = (address: string): string | undefined =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.exec(address)?.[0]

/** The route of a subject. */
export const routeOf = (org: string, { name, value }: Subject): Route.RouteOf<"WhereItRan"> =>
  Route.make("WhereItRan", { org }, { [name]: value })
