/** The rows of the access table that are about members and invitations. */
import type { Fixture, Rows } from "./AccessTable.js"

const member = async ({ newMember }: Fixture) => ({ path: { login: await newMember() } })

/** Rows by operation. */
export const peopleRows = {
  "membership.auditLog": { least: "admin", status: 200 },
  "membership.members": { least: "admin", status: 200 },
  "membership.put": {
    least: "admin",
    status: 200,
    request: async (fixture) => ({ ...(await member(fixture)), body: { role: "member" } })
  },
  "membership.remove": { least: "admin", status: 200, request: member },
  "membership.suspend": { least: "admin", status: 200, request: member },
  "membership.restore": { least: "admin", status: 200, request: member },
  "membership.signOut": { least: "admin", status: 200, request: member },
  "invitation.list": { least: "admin", status: 200 },
  "invitation.create": {
    least: "admin",
    status: 201,
    request: () => ({ body: { role: "reader" } })
  },
  "invitation.revoke": {
    least: "admin",
    status: 200,
    request: async ({ newInvitation }) => ({ path: { invitation_id: (await newInvitation()).id } })
  },
  "invitation.look": {
    least: "open",
    status: 200,
    request: async ({ newInvitation }) => ({ body: { secret: (await newInvitation()).secret } })
  },
  "invitation.accept": {
    least: "open",
    status: 201,
    request: async ({ cell, newInvitation }) => ({
      body: { secret: (await newInvitation()).secret, login: `accepts-${cell}` }
    })
  },
  // WHY 404: with a secret that works, the caller would be a member of the org from here on.
  "invitation.join": { least: "key", status: 404, request: () => ({ body: { secret: "wrong" } }) }
} satisfies Rows
