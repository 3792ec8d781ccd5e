/** Scopes of keys in words, and the scope that a form makes. Pure. */

/** What a key leaves of its owner's access. */
export interface KeyScope {
  readonly permissions?: ReadonlyArray<string>
  readonly orgs?: ReadonlyArray<string>
  readonly networks?: ReadonlyArray<string>
  readonly spaces?: ReadonlyArray<string>
  readonly flows?: ReadonlyArray<string>
  readonly environments?: ReadonlyArray<string>
}

/** The parts of a scope. */
export const FIELDS = [
  "permissions",
  "orgs",
  "networks",
  "spaces",
  "flows",
  "environments"
] as const satisfies ReadonlyArray<keyof KeyScope>

/** The names of each part in a form, as texts. */
export type ScopeDraft = { readonly [field in (typeof FIELDS)[number]]: string }

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

const PLACES = [
  ["spaces", "space"],
  ["flows", "flow"],
  ["environments", "environment"]
] as const

/** The places in words; empty where the key works in all. */
export const placesText = (scope: KeyScope | null | undefined): string =>
  PLACES.flatMap(([field, word]) => {
    const names = scope?.[field]
    if (names === undefined) return []
    return [names.length === 0 ? `in no ${word}` : `in ${word} ${names.join(", ")}`]
  }).join(" ")

/** The names of a text, apart by spaces, commas or lines. */
const namesOf = (text: string): ReadonlyArray<string> =>
  text.split(/[\s,]+/).filter((name) => name !== "")

const textOf = (names: ReadonlyArray<string> | undefined): string => names?.join(", ") ?? ""

/** A scope as texts of a form. */
export const draftOf = (scope: KeyScope | undefined): ScopeDraft => ({
  permissions: textOf(scope?.permissions),
  orgs: textOf(scope?.orgs),
  networks: textOf(scope?.networks),
  spaces: textOf(scope?.spaces),
  flows: textOf(scope?.flows),
  environments: textOf(scope?.environments)
})

/**
 * The scope of a form that began with a saved one; undefined where it takes nothing away. A part whose text is as it
 * was is kept: a part without names, whose places were deleted, takes all places away, and an empty text none.
 */
export const scopeOf = (draft: ScopeDraft, saved?: KeyScope): KeyScope | undefined => {
  const parts = FIELDS.flatMap((field) => {
    const names = namesOf(draft[field])
    const part = draft[field] === textOf(saved?.[field]) ? saved?.[field] : names
    return part === undefined || (part === names && names.length === 0) ? [] : [[field, part]]
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}
