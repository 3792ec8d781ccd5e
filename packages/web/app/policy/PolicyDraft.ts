/** The unsaved text of an editor, which a reload and an ended session keep. Signing out removes it. */

/** A draft: the text, and the version that it began from; 0 for a new policy, which has a name in its draft alone. */
export interface PolicyDraft {
  readonly text: string
  readonly base: number
  readonly name?: string
}

/** Where drafts are kept. */
export type Drafts = Pick<Storage, "getItem" | "setItem" | "removeItem">

const keyOf = (org: string, policy: string): string => `attestry-draft:${org}/${policy}`

/** The draft of a policy; undefined if no readable one is stored. */
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

/** Keeps a draft; a store that is full keeps none, and the page still has the text. */
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

/** Forgets a draft. */
export const forget = (drafts: Drafts, org: string, policy: string): void =>
  drafts.removeItem(keyOf(org, policy))

/** The text of a policy that has none yet. */
export const starter = (publicUrl: string): string =>
  [
    `_schema: ${publicUrl}/api/v2/schemas/environment-policy/v1`,
    "artifacts:",
    "  provenance:",
    "    required: true",
    "  attestations: []",
    ""
  ].join("\n")
