/** The rows of the access table that are about controls. */
import type { Row, Rows } from "./AccessTable.js"

/** The controls of the fixture: an active one and an archived one. */
export const CONTROLS = ["CTL-7", "CTL-8"] as const

const path = { identifier: CONTROLS[0], version: "1" }

const read: Row = { least: "reader", status: 200, request: () => ({ path }) }
const write: Row = { least: "admin", status: 200, request: () => ({ path }) }

/** Rows by operation. */
export const controlRows = {
  "control.create": {
    least: "admin",
    status: 201,
    request: ({ cell }) => ({ body: { identifier: `c-${cell}`, name: cell } })
  },
  "control.list": read,
  "control.matrix": read,
  "control.get": read,
  "control.update": {
    ...write,
    request: ({ cell }) => ({ path, body: { description: cell } })
  },
  "control.unarchive": write,
  "control.archive": {
    ...write,
    request: () => ({ path: { identifier: CONTROLS[1] } })
  },
  "control.coverage": read,
  "control.versions": read,
  "control.version": read,
  "control.tags": read,
  "control.decisions": read,
  "control.decision": {
    least: "reader",
    status: 404,
    request: () => ({ path: { ...path, decision_id: "none" } })
  }
} satisfies Rows
