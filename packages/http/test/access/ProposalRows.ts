/** The rows of the access table that are about protections, proposals and break-glass. */
import type { Rows } from "./AccessTable.js"

/** A proposal that does not exist: whether a caller may decide about one depends on the proposal too. */
const unknown = { path: { number: "999" } }

/** Rows by operation. */
export const proposalRows = {
  "protection.get": { least: "admin", status: 200 },
  "protection.put": { least: "admin", status: 200, request: () => ({ body: { protections: [] } }) },
  "breakGlass.list": { least: "none", status: 200 },
  // Nobody has an eligible grant: `BreakGlass.test.ts` opens it.
  "breakGlass.open": {
    least: "none",
    status: 400,
    request: () => ({ body: { space: "/", role: "admin", reason: " ", minutes: 15 } })
  },
  "breakGlass.close": { least: "none", status: 404, request: () => unknown },
  "breakGlass.review": {
    least: "admin",
    status: 404,
    request: () => ({ ...unknown, body: { note: "fine" } })
  },
  "proposal.list": { least: "reader", status: 200 },
  // Nothing is protected, so that nothing can be proposed.
  "proposal.make": {
    least: "reader",
    status: 400,
    request: () => ({ body: { operation: "meta.get", reason: "why not" } })
  },
  "proposal.get": { least: "reader", status: 404, request: () => unknown },
  "proposal.approve": {
    least: "reader",
    status: 404,
    request: () => ({ ...unknown, body: { digest: "a".repeat(64) } })
  },
  "proposal.reject": { least: "reader", status: 404, request: () => unknown },
  "proposal.withdraw": { least: "reader", status: 404, request: () => unknown }
} satisfies Rows
