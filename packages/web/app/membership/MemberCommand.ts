/** The admin commands about members, to copy. */
import { quote } from "../shell/ShellWord.js"

/** The command that changes the role of a member; the person replaces `member` by the new role. */
export const change = (org: string, login: string): string =>
  `attestry-server user role ${quote(login)} --org ${quote(org)} --role member`

export const remove = (org: string, login: string): string =>
  `attestry-server user remove ${quote(login)} --org ${quote(org)}`

/** The commands that add, change and remove members. */
export const all = (org: string): ReadonlyArray<string> => [
  `attestry-server user add NAME --org ${quote(org)} --role member`,
  change(org, "NAME"),
  remove(org, "NAME")
]
