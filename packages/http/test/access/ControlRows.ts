/** The rows of the access table that are about controls. */
import type { Row } from "./AccessTable.js"

/** The controls of the fixture: an active one and an archived one. */
export const CONTROLS = ["CTL-7", "CTL-8"] as const

const path = { identifier: CONTROLS[0], version: "1" }

const read: Row = { least: "reader", status: 200, request: () => ({ path }) }
const write: Row = { least: "admin", status: 200, request: () => ({ path }) }

/** Rows by operation. */
export const controlRows: { readonly [operation: string]: Row } = {
  "POST /controls/{org}": {
    least: "admin",
    status: 201,
    request: ({ cell }) => ({ body: { identifier: `c-${cell}`, name: cell } })
  },
  "GET /controls/{org}": read,
  "GET /control-coverage/{org}": read,
  "GET /controls/{org}/{identifier}": read,
  "PUT /controls/{org}/{identifier}": {
    ...write,
    request: ({ cell }) => ({ path, body: { description: cell } })
  },
  "POST /controls/{org}/{identifier}/unarchive": write,
  "POST /controls/{org}/{identifier}/archive": {
    ...write,
    request: () => ({ path: { identifier: CONTROLS[1] } })
  },
  "GET /controls/{org}/{identifier}/coverage": read,
  "GET /controls/{org}/{identifier}/versions": read,
  "GET /controls/{org}/{identifier}/versions/{version}": read,
  "GET /controls/{org}/tags": read,
  "GET /controls/{org}/{identifier}/decisions": read,
  "GET /controls/{org}/{identifier}/decisions/{decision_id}": {
    least: "reader",
    status: 404,
    request: () => ({ path: { ...path, decision_id: "none" } })
  }
}
