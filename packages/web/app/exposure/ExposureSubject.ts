/** The subject of a "where did it run" query: one of eight properties of artifacts, as a URL parameter. */
import * as BaseImage from "@attestry/core/BaseImage"
import * as Route from "@attestry/web/Route"

/** The parameters of the URL, named as in the API, in the order of the form. A URL has one of them. */
export const SUBJECTS = [
  "fingerprint",
  "commit",
  "flow_name",
  "repo_name",
  "author",
  "builder",
  "purl",
  "vulnerability"
] as const

export type SubjectName = (typeof SUBJECTS)[number]

export interface Subject {
  readonly name: SubjectName
  readonly value: string
  /** With `purl`: only the versions in this range. */
  readonly versions?: string
}

/** The choices of the form: the subjects, and an image that artifacts were built on, which is a component of them. */
export const CHOICES = [...SUBJECTS, "base_image"] as const

export type ChoiceName = (typeof CHOICES)[number]

/** The label of each choice. */
export const WORDS: { readonly [name in ChoiceName]: string } = {
  fingerprint: "fingerprint",
  commit: "commit",
  flow_name: "flow",
  repo_name: "repository",
  author: "author",
  builder: "builder",
  purl: "component",
  vulnerability: "vulnerability",
  base_image: "base image"
}

const isGiven = (text: string | undefined): text is string =>
  text !== undefined && text.trim() !== ""

const make = (name: SubjectName, value: string, versions: string | undefined): Subject =>
  name === "purl" && isGiven(versions)
    ? { name, value, versions: versions.trim() }
    : { name, value }

/** The subject in a URL; the first one if there are several. */
export const subjectOf = (route: Pick<Route.Route, "query">): Subject | undefined => {
  for (const name of SUBJECTS) {
    const value = Route.parameter(route, name)
    if (value !== undefined && value !== "")
      return make(name, value, Route.parameter(route, "versions"))
  }
  return undefined
}

/**
 * Parses a typed value; undefined if it is invalid for the subject. The server alone knows package URLs and ranges of
 * versions.
 */
export const parse = (name: ChoiceName, text: string, versions?: string): Subject | undefined => {
  const value = text.trim()
  if (name === "base_image") {
    const found = BaseImage.purlOf(value)
    return "purl" in found ? { name: "purl", value: found.purl } : undefined
  }
  if (name === "fingerprint") {
    const digits = value.toLowerCase().replace(/^sha256:/, "")
    return /^[0-9a-f]{5,64}$/.test(digits) ? { name, value: digits } : undefined
  }
  if (name === "commit")
    return /^[0-9a-f]{40}$/i.test(value) ? { name, value: value.toLowerCase() } : undefined
  return value === "" ? undefined : make(name, value, versions)
}

/** The scheme and host of a build URL, which core derives in the same way; undefined if the text is not a URL. */
export const builderOf = (address: string): string | undefined =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.exec(address)?.[0]

/** The parameters of a request, and of the URL. */
export const queryOf = ({
  name,
  value,
  versions
}: Subject): { readonly [parameter: string]: string | undefined } => ({ [name]: value, versions })

export const routeOf = (org: string, subject: Subject): Route.RouteOf<"WhereItRan"> =>
  Route.make("WhereItRan", { org }, queryOf(subject))
