/** Whom a grant is for, in words. */
import type { Grant } from "../shared/Contract.js"

/** The roles of grants, the highest first. */
export const ROLES = ["admin", "member", "snapshotter", "reader"] as const

const WORDS: { readonly [kind in Grant["subject"]["kind"]]: string } = {
  user: "Person",
  team: "Team",
  "service-account": "Service account",
  everyone: "Everyone"
}

/** Whom a grant can be for. */
export const KINDS: ReadonlyArray<readonly [kind: string, text: string]> = Object.entries(WORDS)

/** Whom a grant is for. */
export const subjectText = ({ kind, name }: Grant["subject"]): string =>
  kind === "everyone" ? WORDS.everyone : name

/** What kind of subject that is; everyone is said by the name. */
export const kindText = ({ kind }: Grant["subject"]): string =>
  kind === "everyone" ? "" : WORDS[kind].toLowerCase()
