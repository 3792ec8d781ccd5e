/** The name of the team that is kept for a group. Pure and total. */
import { TeamName } from "../shared/Identifier.js"

const LENGTH_MAX = 63

/**
 * The name of a group in the letters of names of teams: in lower case, with a hyphen for what has no place in them.
 * A name without such a letter gives one from the id of the team.
 */
export const teamNameOf = (displayName: string, id: string): TeamName => {
  const name = displayName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, LENGTH_MAX)
    .replace(/[-._]+$/, "")
  return TeamName.make(name === "" ? `group-${id.slice(0, 8)}` : name)
}
