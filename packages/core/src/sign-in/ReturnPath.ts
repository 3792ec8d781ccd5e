/**
 * The page to which a sign-in returns. Pure and total: everything that is no path of this host is `/`.
 *
 * A browser reads `//host`, `/\host` and control characters within as another host.
 */

/** The longest path. */
export const LENGTH_MAX = 2_048

const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/

/** Whether a path is a page: not of the API, not of signing in itself, and without steps upwards. */
const isPage = (path: string): boolean =>
  !/^\/(?:api|_\/sign-in)(?:[/?#]|$)/.test(path) && !/\/\.\.?(?:[/?#]|$)/.test(path)

/** A path of this host; `/` for every text that is none. */
export const sanitise = (next: string | null | undefined): string =>
  typeof next === "string" && next.length <= LENGTH_MAX && PATH.test(next) && isPage(next)
    ? next
    : "/"
