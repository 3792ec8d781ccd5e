/**
 * AC-9: every operation for people whose roles are in spaces, and for keys that narrow.
 *
 * Everything is in the space `house`. The expected statuses come from the access table and from the places of the
 * contract; what people of other spaces get of things in `house` is written in `PlaceRows`.
 */
import { OPERATIONS } from "@attestry/api/OperationIndex"
import { PLACES } from "@attestry/api/OperationPlaces"
import { isAtLeast } from "@attestry/core/Role"
import { assert, beforeAll, describe, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import {
  ADDRESS_HEADER,
  type CallOptions,
  onEveryStore,
  type TestServer
} from "../shared/TestServer.js"
import { makeFixture } from "./AccessFixture.js"
import { type Row, rows } from "./AccessTable.js"
import { IN_HOUSE, OUTSIDE } from "./PlaceRows.js"

const NAMES = new Map<string, string>(
  Object.entries(OPERATIONS).map(([name, operation]) => [operation, name])
)

const PLACE_OF = new Map<string, string>(Object.entries(PLACES))

const placeOf = (name: string): string => PLACE_OF.get(name) ?? ""

const isInSpaces = (name: string): boolean =>
  !["", "open", "self", "member", "root"].includes(placeOf(name))

const KINDS = ["flow", "environment", "policy", "control", "service-account"]

interface Caller {
  readonly name: string
  readonly options: CallOptions
  readonly status: (row: Row, operation: string) => number
}

/** The status for the base role `none`, where a role in a space makes no difference. */
const withoutRole = (row: Row): number => {
  if (row.least === "cookie") return 401
  return row.least === "none" || row.least === "key" || row.least === "open" ? row.status : 403
}

const inSpaces =
  (inside: (row: Row, name: string) => number | undefined) =>
  (row: Row, name: string): number =>
    (isInSpaces(name) ? inside(row, name) : undefined) ?? withoutRole(row)

/** A service account whose role is admin and whose key has the permissions of readers. */
const gate = (row: Row, name: string): number => {
  if (row.least === "cookie") return 401
  if (row.least === "open") return row.status
  // WHY: a key that narrows accepts no role anywhere.
  if (row.ofPeople === true || name === "invitation.join") return 403
  return row.least === "key" || isAtLeast("reader", row.least) ? row.status : 403
}

/** What concerns a person, and not one org: a key of the person that narrows does none of it. */
const OF_ONESELF = ["invitation.join", "signIn.unlink", "personalKey.create", "personalKey.revoke"]

const ofNarrowed =
  (status: Caller["status"]): Caller["status"] =>
  (row, name) =>
    OF_ONESELF.includes(name) ? 403 : status(row, name)

/** A key of an admin that names another space. */
const narrowed = async ({ call }: TestServer): Promise<CallOptions> => {
  const body = { description: "narrowed", scope: { spaces: ["elsewhere"] } }
  const made = await call("POST /user/api-keys", { body })
  const { key } = made.body as { readonly key: string }
  return { as: "nobody", headers: { authorization: `Bearer ${key}` } }
}

const makeCallers = async (server: TestServer): Promise<ReadonlyArray<Caller>> => {
  const { account, as, grant, make, person } = fixtureOf(server)
  for (const path of ["house/below", "elsewhere"]) await make(path)
  const admin = async (name: string, space: string) => {
    await person(name, "none")
    assert.strictEqual((await grant(`user ${name}`, space, "admin")).status, 201)
    return { name, options: as(name) }
  }
  const outside = inSpaces((_, name) => OUTSIDE[name])
  await account("gate", "admin", ["gate"])
  return [
    {
      ...(await admin("inside", "house")),
      status: inSpaces((row, name) => IN_HOUSE[name] ?? row.status)
    },
    { ...(await admin("outside", "elsewhere")), status: outside },
    { ...(await admin("below", "house/below")), status: outside },
    { name: "gate", options: as("gate"), status: gate },
    // What the key names is all that it leaves of a role in the whole org.
    { name: "narrowed", options: await narrowed(server), status: ofNarrowed(outside) }
  ]
}

describe("the places of operations", () => {
  it("have a status for callers of other spaces, and no other operation has one", () => {
    const placed = [...PLACE_OF.keys()].filter(isInSpaces)
    assert.deepStrictEqual(Object.keys(OUTSIDE).sort(), placed.sort())
  })
})

/** WHY: the many refused keys of this test would exceed the rate limit. */
const LIMITS = { limits: { failuresPerSource: 1_000_000, failuresPerKey: 1_000_000 } }

onEveryStore(
  "the matrix of operations and partial callers",
  (server) => {
    const cells: Array<{
      readonly operation: string
      readonly caller: Caller
      readonly status: number
      readonly options: CallOptions
    }> = []

    beforeAll(async () => {
      const { make } = fixtureOf(server)
      await make("house")
      const rules = KINDS.map((type) => ({ type, name: "*", space: "house" }))
      const set = await server.call("PUT /placement-rules/{org}", { body: { rules } })
      assert.strictEqual(set.status, 200, JSON.stringify(set.body))
      const callers = await makeCallers(server)
      const fixtureFor = await makeFixture(server)
      for (const [place, [operation, row]] of rows.entries()) {
        for (const caller of callers) {
          const options = (await row.request?.(fixtureFor(`${caller.name}-${place}`))) ?? {}
          const status = caller.status(row, NAMES.get(operation) ?? "")
          cells.push({ operation, caller, status, options })
        }
      }
    }, 300_000)

    it("answers each cell with its status", async () => {
      const found: Array<string> = []
      for (const { operation, caller, status, options } of cells) {
        const answer = await server.call(operation, { ...options, ...caller.options })
        if (answer.status !== status) {
          found.push(
            `${NAMES.get(operation)} by ${caller.name}: ${answer.status} instead of ${status}`
          )
        }
      }
      assert.deepStrictEqual(found, [])
    }, 300_000)

    it("refuses a key at an address outside its networks everywhere", async () => {
      const scope = { networks: ["10.0.0.0/8"] }
      const made = await server.call("POST /user/api-keys", { body: { description: "net", scope } })
      const key = (made.body as { readonly key: string }).key
      const headers = { authorization: `Bearer ${key}`, [ADDRESS_HEADER]: "192.0.2.1" }
      for (const { operation, caller, options } of cells) {
        if (caller.name !== "gate") continue
        const [, row] = rows.find(([found]) => found === operation) ?? []
        if (row?.least === "open") continue
        const answer = await server.call(operation, { ...options, as: "nobody", headers })
        assert.strictEqual(answer.status, 401, operation)
      }
    }, 120_000)
  },
  LIMITS
)
