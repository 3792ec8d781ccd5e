/** The rows of the access table that are about teams. */
import type { Rows } from "./AccessTable.js"

/** A team that does not exist: whether a caller sees one depends on the team too. */
const unknown = { path: { team: "no-such-team" } }
const somebody = { path: { team: "no-such-team", login: "max" } }

/** Rows by operation. */
export const teamRows = {
  "team.list": { least: "none", status: 200 },
  "team.get": { least: "none", status: 404, request: () => unknown },
  "team.put": { least: "admin", status: 201, request: ({ cell }) => ({ path: { team: cell } }) },
  "team.delete": { least: "admin", status: 404, request: () => unknown },
  "team.members": { least: "none", status: 404, request: () => unknown },
  "team.addMember": { least: "admin", status: 404, request: () => somebody },
  "team.removeMember": { least: "admin", status: 404, request: () => somebody }
} satisfies Rows
