/** Who keeps a team, in words. */
import type { Team } from "../shared/Contract.js"

const WORDS: { readonly [kind in Team["kind"]]: string } = {
  hand: "by hand",
  scim: "by the identity provider (SCIM)",
  claim: "by the groups of id tokens"
}

/** How a team is kept. */
export const keptText = ({ kind }: Pick<Team, "kind">): string => WORDS[kind]
