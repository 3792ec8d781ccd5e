/**
 * The unsaved text of an editor, in session storage. It survives a reload and an ended session; signing out removes
 * it.
 */

/** The text, and the version that it is based on: 0 for a new policy. Only the draft of a new policy has a name. */
export interface PolicyDraft {
  readonly text: string
  readonly base: number
  readonly name?: string
}

/** The storage of drafts. */
export type Drafts = Pick<Storage, "getItem" | "setItem" | "removeItem">

const keyOf = (org: string, policy: string): string => `attestry-draft:${org}/${policy}`

/** The stored draft of a policy; undefined if there is none or it cannot be read. */
export const load = (drafts: Drafts, org: string, policy: string): PolicyDraft | undefined => {
  const stored = drafts.getItem(keyOf(org, policy))
  if (stored === null) return undefined
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== "object" || value === null) return undefined
    if (!("text" in value) || typeof value.text !== "string") return undefined
    if (!("base" in value) || typeof value.base !== "number") return undefined
    const name = "name" in value && typeof value.name === "string" ? { name: value.name } : {}
    return { text: value.text, base: value.base, ...name }
  } catch {
    return undefined
  }
}

/** Stores a draft. If the storage is full, it stores none, and only the page has the text. */
export const keep = (
  drafts: Drafts,
  { org, policy }: { readonly org: string; readonly policy: string },
  draft: PolicyDraft
): void => {
  try {
    drafts.setItem(keyOf(org, policy), JSON.stringify(draft))
  } catch {
    drafts.removeItem(keyOf(org, policy))
  }
}

export const forget = (drafts: Drafts, org: string, policy: string): void =>
  drafts.removeItem(keyOf(org, policy))

/** The initial text of a new policy. */
export const starter = (publicUrl: string): string =>
  [
    `_schema: ${publicUrl}/api/v2/schemas/environment-policy/v1`,
    "artifacts:",
    "  provenance:",
    "    required: true",
    "  attestations: []",
    ""
  ].join("\n")
