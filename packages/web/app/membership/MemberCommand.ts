/** The administration commands about members, as texts to copy. */
import { quote } from "../shell/ShellWord.js"

/** Changes the role of a member; the role is to be replaced by the wanted one. */
export const change = (org: string, login: string): string =>
  `attestry-server user role ${quote(login)} --org ${quote(org)} --role member`

/** Removes a member. */
export const remove = (org: string, login: string): string =>
  `attestry-server user remove ${quote(login)} --org ${quote(org)}`

/** Actions on the members of an org. */
export const all = (org: string): ReadonlyArray<string> => [
  `attestry-server user add NAME --org ${quote(org)} --role member`,
  change(org, "NAME"),
  remove(org, "NAME")
]
