/** The scope of a key from `--scope`, `--in-org` and `--network`, and as a text. */
import type { Arguments } from "./Arguments.js"
import * as Json from "./Json.js"

/** The scope of the flags; nothing where neither is given, so that the key is as wide as its account. */
export const fromFlags = (args: Arguments): Json.Fields => {
  const [permissions, networks] = [args.texts("scope"), args.texts("network")]
  const orgs = args.texts("in-org")
  const scope = {
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(orgs.length === 0 ? {} : { orgs }),
    ...(networks.length === 0 ? {} : { networks })
  }
  return Object.keys(scope).length === 0 ? {} : { scope }
}

/** A scope in words; without one a key has all that its owner has. */
export const textOf = (scope: unknown): string => {
  if (!Json.isObject(scope)) return "all"
  const [names, networks] = [Json.list(scope.permissions), Json.list(scope.networks)]
  const orgs = Json.list(scope.orgs)
  const within = orgs.length === 0 ? "" : ` in ${orgs.join(", ")}`
  const from = networks.length === 0 ? "" : ` from ${networks.join(", ")}`
  return `${names.length === 0 ? "all" : names.join(", ")}${within}${from}`
}
