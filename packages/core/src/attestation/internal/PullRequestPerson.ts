/**
 * The people and programs that a pull request names. Pure.
 *
 * A person has keys: a login, an e-mail address, or both. Two people are one if they share a key. Letters are compared
 * without case.
 */

/** A person or a program. */
export interface Person {
  /** The login; the address where there is no login. */
  readonly name: string
  readonly hasLogin: boolean
  readonly keys: ReadonlyArray<string>
}

const folded = (value: unknown): string =>
  typeof value === "string" ? value.trim().toLowerCase() : ""

/**
 * Addresses that a forge gives to an account: `1+ada@users.noreply.HOST`, `1-ada@users.noreply.HOST`.
 *
 * WHY two logins for a hyphen: some forges write `ID-LOGIN`, and elsewhere `1-ada` may be the login itself.
 */
const loginsOfAddress = (address: string): ReadonlyArray<string> => {
  const [local = "", host = "", ...others] = address.split("@")
  if (others.length > 0 || local === "" || !host.startsWith("users.noreply.")) return []
  const plus = local.indexOf("+")
  if (plus >= 0) return local.slice(plus + 1) === "" ? [] : [local.slice(plus + 1)]
  const shorter = local.replace(/^\d{1,20}-/, "")
  return shorter === local || shorter === "" ? [local] : [shorter, local]
}

const make = (login: string, address: string): ReadonlyArray<Person> => {
  const logins = [login, ...loginsOfAddress(login), ...loginsOfAddress(address)].filter(
    (text) => text !== ""
  )
  const keys = [...new Set([...logins, address])].filter((text) => text !== "")
  // WHY first: the login in an address of the forge names the account.
  const name = loginsOfAddress(login)[0] ?? logins[0] ?? address
  return name === "" ? [] : [{ name, hasLogin: logins.length > 0, keys }]
}

/** The address in `Name <address>`. Another text is taken for a login. */
const split = (text: string): { readonly login: string; readonly address: string } => {
  const from = text.lastIndexOf("<")
  const to = text.lastIndexOf(">")
  if (from < 0 || to < from) return { login: text, address: "" }
  return { login: "", address: text.slice(from + 1, to).trim() }
}

/** The person of a login, which may be an address; none if it is no text or empty. */
export const ofLogin = (login: unknown): ReadonlyArray<Person> => make(folded(login), "")

/** The author of a commit: `author_username` is a login, `author` is `Name <address>`. */
export const ofCommit = (commit: { readonly [name: string]: unknown }): ReadonlyArray<Person> => {
  const { login, address } = split(folded(commit.author))
  return make(folded(commit.author_username) || login, address)
}

const TRAILER = /^[ \t]*co-authored-by[ \t]*:(.*)$/gim

/** The people in the trailers `Co-authored-by: Name <address>` of a message, on any line. */
export const ofTrailers = (message: unknown): ReadonlyArray<Person> =>
  typeof message !== "string"
    ? []
    : [...message.matchAll(TRAILER)].flatMap(([, value]) => {
        const { login, address } = split(folded(value))
        return make(login, address)
      })

/** What comes after `project_12_` and `group_12_`; addresses need no `_` before the number. */
const AFTER_NUMBER = /^(?:project|group)_?\d+_(.*)$/

const BUILD_SERVICE = /^build\\[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is `bot`, or `bot` with more letters and digits after it. */
const isNumbered = (text: string): boolean =>
  text.startsWith("bot") && /^[0-9a-z]+(?:_[0-9a-z]+)?$/.test(text)

/** Whether a key has the mark of a forge: logins and addresses that only it gives, and only to programs. */
export const isMarkedAsProgram = (key: string): boolean => {
  if (key.endsWith("[bot]") || key.endsWith("@bots.bitbucket.org") || BUILD_SERVICE.test(key))
    return true
  const [local = "", host] = key.split("@")
  const [, rest = ""] = AFTER_NUMBER.exec(local) ?? []
  return isNumbered(rest) && (host === undefined || host.startsWith("noreply."))
}
