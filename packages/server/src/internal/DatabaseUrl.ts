/**
 * Validates the URL of a database.
 *
 * INVARIANT: no message contains a part of the URL. In a malformed URL the password may be parsed as the host.
 */

const SCHEME = /^postgres(?:ql)?:\/\//

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const ENCODE =
  "characters such as `/`, `?`, `#`, `@` and `%` in the user or the password must be percent-encoded (`/` is `%2F`)"

const authorityProblem = (authority: string): string | undefined => {
  const at = authority.lastIndexOf("@")
  const credentials = authority.slice(0, Math.max(0, at))
  const host = authority.slice(at + 1)
  if (credentials.includes("@")) return `Input has more than one \`@\`: ${ENCODE}`
  if (!isDecodable(credentials)) return `Input has a \`%\` that begins no code: ${ENCODE}`
  if (host.includes(","))
    return "Input names several hosts: give one address that leads to the primary"
  if (/\s/.test(authority)) return "Input has white space in it"
  const port = /:([^:\]]*)$/.exec(host)?.[1]
  if (
    port !== undefined &&
    !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
  ) {
    return `Input has a port that is no number from 1 to 65535; ${ENCODE}`
  }
  return undefined
}

/** The problem of an invalid URL; `undefined` for a valid one. */
export const problem = (text: string): string | undefined => {
  if (!SCHEME.test(text)) return "Input should begin with postgres:// or postgresql://"
  const rest = text.replace(SCHEME, "")
  const [authority = ""] = rest.split(/[/?#]/, 1)
  const found = authorityProblem(authority)
  if (found !== undefined) return found
  // WHY: a URL without a host means a local socket, which the platform's parser does not accept.
  const named = authority === "" || authority.endsWith("@") ? text.replace(authority, "host") : text
  return URL.canParse(named) ? undefined : `Input cannot be read as an address: ${ENCODE}`
}
