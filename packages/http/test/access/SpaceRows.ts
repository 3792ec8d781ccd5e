/** The rows of the access table that are about spaces, placement rules and grants. */
import type { Rows } from "./AccessTable.js"

/** A space that does not exist: whether a caller may change one depends on the space too. */
const unknown = { path: { space_id: "0190a0a0-0000-7000-8000-000000000000" } }

/** Rows by operation. */
export const spaceRows = {
  "space.list": { least: "reader", status: 200 },
  "space.create": {
    least: "admin",
    status: 201,
    request: ({ cell }) => ({ body: { path: cell } })
  },
  "space.change": { least: "admin", status: 404, request: () => ({ ...unknown, body: {} }) },
  "space.delete": { least: "admin", status: 404, request: () => unknown },
  "space.move": {
    least: "admin",
    status: 404,
    request: () => ({ body: { things: [{ type: "flow", name: "no-such-flow" }], to: "/" } })
  },
  "placementRule.get": { least: "admin", status: 200 },
  "placementRule.put": { least: "admin", status: 200, request: () => ({ body: { rules: [] } }) },
  "grant.list": { least: "admin", status: 200 },
  "grant.put": {
    least: "admin",
    status: 404,
    request: () => ({
      body: { subject: { kind: "user", name: "nobody" }, space: "/", role: "reader" }
    })
  },
  "access.who": { least: "admin", status: 200, request: () => ({ query: "?permission=org.read" }) },
  "access.effective": { least: "none", status: 200 },
  "access.explain": {
    least: "none",
    status: 200,
    request: () => ({ query: "?operation=flow.put" })
  },
  "grant.end": { least: "admin", status: 404, request: () => ({ path: { number: "999" } }) }
} satisfies Rows
