/** Finds the flag for a field of a refused request. Pure. */
import type { FlagSpec } from "./CommandSpec.js"

/** Fields whose flags have other names. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ["artifact_fingerprint", "fingerprint"],
  ["attestation_name", "name"],
  ["env_name", "environment"],
  ["environment_name", "environment"],
  ["environments", "environment"],
  ["flow_name", "flow"],
  ["from", "since"],
  ["from_timestamp", "since"],
  ["git_commit", "commit"],
  ["included_environments", "included-environment"],
  ["is_compliant", "compliant"],
  ["policies", "policy"],
  ["policy_name", "policy"],
  ["repo_name", "repo"],
  ["targets", "to"],
  ["template_reference_name", "slot"],
  ["to", "until"],
  ["to_timestamp", "until"],
  ["trail_name", "trail"],
  ["triggers", "on"],
  ["type", "kind"]
])

/** The names in a path such as `query.as_of` or `policies[0].name`, outermost first. */
const namesIn = (field: string): ReadonlyArray<string> =>
  field.split(/[.[\]]+/).filter((name) => name !== "" && !/^\d+$/.test(name))

/** The name of the flag; undefined if the command has no flag for the field. */
export const find = (flags: ReadonlyArray<FlagSpec>, field: string): string | undefined => {
  const wanted = namesIn(field).flatMap((name) => [
    name.replaceAll("_", "-"),
    FLAGS.get(name) ?? ""
  ])
  return wanted.find((name) => flags.some((flag) => flag.name === name))
}
