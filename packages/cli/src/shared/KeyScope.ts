/** The scope of a key from `--scope`, `--in-…` and `--network`, and as a text. */
import type { Arguments } from "./Arguments.js"
import * as Json from "./Json.js"

/** The scope of the flags; nothing where none is given, so that the key is as wide as its account. */
export const fromFlags = (args: Arguments): Json.Fields => {
  const [permissions, networks] = [args.texts("scope"), args.texts("network")]
  const orgs = args.texts("in-org")
  const [spaces, flows] = [args.texts("in-space"), args.texts("in-flow")]
  const environments = args.texts("in-environment")
  const scope = {
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(orgs.length === 0 ? {} : { orgs }),
    ...(networks.length === 0 ? {} : { networks }),
    ...(spaces.length === 0 ? {} : { spaces }),
    ...(flows.length === 0 ? {} : { flows }),
    ...(environments.length === 0 ? {} : { environments })
  }
  return Object.keys(scope).length === 0 ? {} : { scope }
}

const PLACES = [
  ["spaces", "space"],
  ["flows", "flow"],
  ["environments", "environment"]
] as const

/** The places of a scope in words: those of one kind that are all deleted are said, too. */
const placesOf = (scope: Json.Fields): string =>
  PLACES.flatMap(([field, word]) => {
    if (scope[field] === undefined) return []
    const names = Json.list(scope[field])
    return [` in ${names.length === 0 ? `no ${word}` : `${word} ${names.join(", ")}`}`]
  }).join("")

/** A scope in words; without one a key has all that its owner has. */
export const textOf = (scope: unknown): string => {
  if (!Json.isObject(scope)) return "all"
  const [names, networks] = [Json.list(scope.permissions), Json.list(scope.networks)]
  const orgs = Json.list(scope.orgs)
  const within = orgs.length === 0 ? "" : ` in ${orgs.join(", ")}`
  const from = networks.length === 0 ? "" : ` from ${networks.join(", ")}`
  return `${names.length === 0 ? "all" : names.join(", ")}${within}${placesOf(scope)}${from}`
}
