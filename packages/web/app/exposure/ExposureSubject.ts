/** The subject of a "where did it run" query: one of six properties of artifacts, as a URL parameter. */
import * as Route from "@attestry/web/Route"

/** The parameters of the URL, named as in the API, in the order of the form. A URL has one of them. */
export const SUBJECTS = [
  "fingerprint",
  "commit",
  "flow_name",
  "repo_name",
  "author",
  "builder"
] as const

export type SubjectName = (typeof SUBJECTS)[number]

export interface Subject {
  readonly name: SubjectName
  readonly value: string
}

/** The label of each subject, and an example value. */
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

/** The subject in a URL; the first one if there are several. */
export const subjectOf = (route: Pick<Route.Route, "query">): Subject | undefined => {
  for (const name of SUBJECTS) {
    const value = Route.parameter(route, name)
    if (value !== undefined && value !== "") return { name, value }
  }
  return undefined
}

/** Parses a typed value; undefined if it is invalid for the subject. */
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

/** The scheme and host of a build URL, which core derives in the same way; undefined if the text is not a URL. */
export const builderOf = (address: string): string | undefined =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.exec(address)?.[0]

export const routeOf = (org: string, { name, value }: Subject): Route.RouteOf<"WhereItRan"> =>
  Route.make("WhereItRan", { org }, { [name]: value })
