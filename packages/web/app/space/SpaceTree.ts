/** Paths of spaces: what is above and below, and where a person is an admin. Pure. */
import type { AccessBinding, Space } from "../shared/Contract.js"

/** The path of the root: the whole org. */
export const ROOT = "/"

/** Whether a space is another one or below it. */
export const isWithin = (path: string, above: string): boolean =>
  above === ROOT || path === above || path.startsWith(`${above}/`)

/** The path of the space above; the root is its own. */
export const parentOf = (path: string): string =>
  path.includes("/") && path !== ROOT ? path.slice(0, path.lastIndexOf("/")) : ROOT

/** How many of the listed spaces are above a space, which is how far it is indented. */
export const depthOf = (path: string, spaces: ReadonlyArray<Pick<Space, "path">>): number =>
  spaces.filter((each) => each.path !== path && isWithin(path, each.path)).length

/** The path of a space below another one. */
export const below = (parent: string, name: string): string =>
  parent === ROOT ? name : `${parent}/${name}`

/** Whether a grant makes a person an admin of a space. The base role is asked of the session, which knows the key. */
export const isAdminOf = (
  bindings: ReadonlyArray<Pick<AccessBinding, "kind" | "role" | "space">>,
  path: string
): boolean =>
  bindings.some(
    ({ kind, role, space }) => kind !== "base" && role === "admin" && isWithin(path, space)
  )
