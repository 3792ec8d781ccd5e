/** What SCIM requests have led to: members with their roles, and who is in a team. */
import { assert } from "vitest"
import type { TestServer } from "../shared/TestServer.js"

/** The role of each member by login, with a word for one who is suspended. */
export const membersOf = async ({ call }: TestServer): Promise<Record<string, string>> => {
  const { body, status } = await call("GET /memberships/{org}", { query: "?per_page=100" })
  assert.strictEqual(status, 200)
  const { members } = body as {
    members: ReadonlyArray<{ login: string; role: string; suspended?: true }>
  }
  return Object.fromEntries(
    members.map(({ login, role, suspended }) => [
      login,
      suspended === true ? `${role} suspended` : role
    ])
  )
}

/** The logins of the people in a team, in order. */
export const loginsIn = async (
  { call }: TestServer,
  team: string
): Promise<ReadonlyArray<string>> => {
  const { body, status } = await call("GET /teams/{org}/{team}/members", {
    path: { team },
    query: "?per_page=100"
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { members } = body as { members: ReadonlyArray<{ login: string }> }
  return members.map(({ login }) => login).sort()
}
