/** The rows of the access table that are about waivers. */
import type { Row, Rows } from "./AccessTable.js"

const read: Row = { least: "reader", status: 200 }

/** A waiver that does not exist: whether a caller may decide about one depends on the waiver too. */
const unknown = { path: { number: "999" } }

/** Rows by operation. */
export const waiverRows = {
  "waiver.request": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({
      body: {
        policy_name: "policy",
        reason: cell,
        owner: "ada",
        expires_at: Date.now() / 1000 + 3_600
      }
    })
  },
  "waiver.list": read,
  "waiver.debt": read,
  "waiver.get": { least: "reader", status: 404, request: () => unknown },
  "waiver.approve": { least: "member", status: 404, request: () => unknown },
  "waiver.reject": { least: "member", status: 404, request: () => unknown },
  "waiver.revoke": {
    least: "member",
    status: 404,
    request: () => ({ ...unknown, body: { reason: "fixed" } })
  },
  "agentAccount.list": read,
  "agentAccount.put": {
    least: "admin",
    status: 200,
    request: () => ({ body: { accounts: ["acme-coder"] } })
  },
  "waiver.settings": read,
  "waiver.putSettings": {
    least: "admin",
    status: 200,
    request: () => ({
      body: {
        max_days: 90,
        approvals_required: 1,
        approver_role: "admin",
        self_approval: false
      }
    })
  }
} satisfies Rows
