/** Scopes of keys in words, and the scope that a form makes. Pure. */

/** What a key leaves of its owner's access. */
export interface KeyScope {
  readonly permissions?: ReadonlyArray<string>
  readonly orgs?: ReadonlyArray<string>
  readonly networks?: ReadonlyArray<string>
}

/** The choices of a form; the empty one leaves all that the owner may do. */
export const CHOICES: ReadonlyArray<readonly [name: string, text: string]> = [
  ["", "all that its owner may do"],
  ["pipeline", "a pipeline: read, trails, artifacts, attestations"],
  ["reporter", "a reporter of environments: read, report"],
  ["gate", "a gate: read"],
  ["provision", "provisioning of people (SCIM)"]
]

/** The permissions in words; a key without a scope has all that its owner has. */
export const permissionsText = (scope: KeyScope | null | undefined): string =>
  scope?.permissions === undefined ? "all" : scope.permissions.join(", ")

/** The orgs in words; empty where the key counts in all orgs of its owner. */
export const orgsText = (scope: KeyScope | null | undefined): string =>
  scope?.orgs === undefined ? "" : `in ${scope.orgs.join(", ")}`

/** The networks in words; empty where the key works from everywhere. */
export const networksText = (scope: KeyScope | null | undefined): string =>
  scope?.networks === undefined ? "" : `from ${scope.networks.join(", ")}`

/** The networks of a text, apart by spaces, commas or lines. */
const networksOf = (text: string): ReadonlyArray<string> =>
  text.split(/[\s,]+/).filter((network) => network !== "")

/** The scope of a form; undefined where it takes nothing away. */
export const scopeOf = (choice: string, networks: string): KeyScope | undefined => {
  const found = networksOf(networks)
  const scope = {
    ...(choice === "" ? {} : { permissions: [choice] }),
    ...(found.length === 0 ? {} : { networks: found })
  }
  return Object.keys(scope).length === 0 ? undefined : scope
}
