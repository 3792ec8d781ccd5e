/** The logins that are tried for a new user: a name, and then the name with a number. Pure and total. */
import { LOGIN_LENGTH_MAX } from "../shared/Identifier.js"

/** The login to try after so many others, cut to the length of a login. INVARIANT: stores preserve the name. */
export const at = (name: string, attempt: number): string => {
  const end = attempt === 0 ? "" : `-${attempt + 1}`
  const cut = name.slice(0, LOGIN_LENGTH_MAX - end.length)
  // WHY: cutting between the halves of a surrogate pair leaves a text that stores do not preserve.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}${end}`
}
