/**
 * Every operation of the published document for every kind of caller, allowed and denied (P-MATRIX). The expected
 * statuses come from the access table alone.
 */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { ApiKeyId, Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { BaseRole, isAtLeast, Role } from "@attestry/core/Role"
import { Effect, Redacted } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"
import { accountKey, makeFixture } from "./AccessFixture.js"
import { type Row, rows } from "./AccessTable.js"

type Standing = "unknown" | "foreign" | BaseRole

interface Caller {
  readonly name: string
  readonly standing: Standing
  /** The `Authorization` header; none for a request without one. */
  readonly authorization: string | undefined
}

const by = { kind: "system", id: "test", name: "test" } as const

const documentedOperations = (): ReadonlyArray<string> => {
  const { paths } = OpenApiDocument.make() as { paths: Record<string, Record<string, unknown>> }
  // WHY without schemas and keys: they are open documents, which no caller is asked about.
  const guarded = Object.entries(paths).filter(
    ([path]) => !path.includes("/schemas/") && path !== "/api/v2/keys"
  )
  return guarded.flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace(/^\/api\/v2/, "")}`
    )
  )
}

/** The response of a cell. */
const expected = (row: Row, { name, standing, authorization }: Caller): number => {
  if (row.least === "open") return row.status
  if (authorization === undefined) return row.anonymous ?? 401
  if (row.basic === true && name === "basic") return row.status
  if (standing === "unknown" || row.least === "cookie") return 401
  if (row.ofPeople === true && name.startsWith("service-")) return 403
  if (row.least === "key") return row.status
  return standing !== "foreign" && isAtLeast(standing, row.least) ? row.status : 403
}

const isRefusal = (status: number): boolean => status === 401 || status === 403

/** Personal keys that are revoked or expired. */
const endedKeys = ({ run }: TestServer) =>
  run(
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).get(OrgName.make("acme"))
      const keys = yield* ApiKeys
      const ada = yield* Effect.flatten((yield* Memberships).findUser(Login.make("ada")))
      const issue = (lifetimeSeconds: number | null) =>
        keys.issue({ org: org.id, user: ada.user.id, by, description: "d", lifetimeSeconds })
      const [revoked, expired] = [yield* issue(null), yield* issue(0.001)]
      const owner = { kind: "user", user_id: ada.user.id } as const
      yield* keys.revoke({ org: org.id, owner, id: ApiKeyId.make(revoked.id), by })
      yield* Effect.sleep("20 millis")
      return { revoked: Redacted.value(revoked.key), expired: Redacted.value(expired.key) }
    })
  )

/** The key of a member who has no role. */
const keyWithoutRole = ({ run }: TestServer) =>
  run(
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).get(OrgName.make("acme"))
      const person = { login: Login.make("nia"), displayName: null, email: null }
      const added = { ...person, org, role: "none", by, source: "script" } as const
      const user = yield* (yield* Memberships).add(added)
      const issued = yield* (yield* ApiKeys).issue({
        org: org.id,
        user: user.id,
        by,
        description: "d",
        lifetimeSeconds: null
      })
      return Redacted.value(issued.key)
    })
  )

const makeCallers = async (server: TestServer): Promise<ReadonlyArray<Caller>> => {
  const { call, keyOf } = server
  const { revoked, expired } = await endedKeys(server)
  const services: Array<Caller> = []
  for (const privilege of BaseRole.literals) {
    const name = `matrix-${privilege}`
    await call("POST /service-accounts/{org}", { body: { name, privilege } })
    const { key } = await accountKey(server, name)
    services.push({
      name: `service-${privilege}`,
      standing: privilege,
      authorization: `Bearer ${key}`
    })
  }
  const unknown = (name: string, authorization: string | undefined): Caller => ({
    name,
    standing: "unknown",
    authorization
  })
  return [
    unknown("nobody", undefined),
    unknown("malformed", "Bearer attestry_user_nothing"),
    unknown("wrong-scheme", `Bearerx ${keyOf("admin")}`),
    unknown("basic", `Basic ${btoa(`${keyOf("admin")}:`)}`),
    unknown("revoked", `Bearer ${revoked}`),
    unknown("expired", `Bearer ${expired}`),
    { name: "foreigner", standing: "foreign", authorization: `Bearer ${keyOf("foreigner")}` },
    {
      name: "none",
      standing: "none",
      authorization: `Bearer ${await keyWithoutRole(server)}`
    },
    ...Role.literals.map((role) => ({
      name: role,
      standing: role,
      authorization: `Bearer ${keyOf(role)}`
    })),
    ...services
  ]
}

describe("the table", () => {
  it("has a row for every operation of the document, and no other row", () => {
    const operations = rows.map(([operation]) => operation)
    assert.deepStrictEqual(operations.sort(), [...documentedOperations()].sort())
  })
})

/** WHY: the many wrong keys of this test would exceed the rate limit. */
const LIMITS = { limits: { failuresPerSource: 1_000_000, failuresPerKey: 1_000_000 } }

onEveryStore(
  "the matrix of operations and callers",
  (server) => {
    const cells: Array<{
      readonly operation: string
      readonly caller: Caller
      readonly status: number
      readonly options: CallOptions
    }> = []

    beforeAll(async () => {
      const fixtureOf = await makeFixture(server)
      const callers = await makeCallers(server)
      for (const [place, [operation, row]] of rows.entries()) {
        const requestFor = async (cell: string): Promise<CallOptions> =>
          (await row.request?.(fixtureOf(cell))) ?? {}
        // WHY one: a refused request changes nothing, so the records of the first are there for the others.
        const refused = await requestFor(`refused-${place}`)
        for (const caller of callers) {
          const status = expected(row, caller)
          const options = isRefusal(status) ? refused : await requestFor(`${caller.name}-${place}`)
          cells.push({ operation, caller, status, options })
        }
      }
    }, 120_000)

    const deviations = async (refused: boolean) => {
      const found: Array<string> = []
      for (const { operation, caller, status, options } of cells) {
        if (isRefusal(status) !== refused) continue
        const { authorization } = caller
        const answer = await server.call(operation, {
          ...options,
          as: "nobody",
          headers: authorization === undefined ? {} : { authorization }
        })
        if (answer.status !== status) {
          found.push(`${operation} by ${caller.name}: ${answer.status} instead of ${status}`)
        }
      }
      return found
    }

    it("refuses callers without permission, and changes nothing", async () => {
      const before = await server.journal()
      assert.deepStrictEqual(await deviations(true), [])
      assert.strictEqual((await server.journal()).length, before.length)
    }, 120_000)

    it("serves callers with permission", async () => {
      assert.deepStrictEqual(await deviations(false), [])
    }, 120_000)
  },
  LIMITS
)
