/** People of an org with keys, its spaces by path, and their grants, for tests about spaces. */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { OrgStore } from "@attestry/core/OrgStore"
import type { BaseRole } from "@attestry/core/Role"
import { Effect, Option, Redacted } from "effect"
import { assert } from "vitest"
import type { CallOptions, TestServer } from "../shared/TestServer.js"

const by = { kind: "system", id: "test", name: "test" } as const

/** Calls of people and of admins about spaces and grants. */
export const fixtureOf = (server: TestServer) => {
  const { call, run } = server
  const keys = new Map<string, string>()

  /** Adds a member with a key. */
  const person = (login: string, role: BaseRole) =>
    run(
      Effect.gen(function* () {
        const org = Option.getOrThrow(
          yield* (yield* OrgStore).find({ name: OrgName.make(server.org) })
        )
        const member = { org, login: Login.make(login), role, displayName: null, email: null }
        const user = yield* (yield* Memberships).add({ ...member, by, source: "script" })
        const { key } = yield* (yield* ApiKeys).issue({
          org: org.id,
          user: user.id,
          by,
          description: "test",
          lifetimeSeconds: null
        })
        keys.set(login, Redacted.value(key))
      })
    )
  /** Adds a service account of that name with a key of some permissions alone. */
  const account = async (name: string, privilege: BaseRole, permissions: ReadonlyArray<string>) => {
    await call("POST /service-accounts/{org}", { body: { name, privilege } })
    const body = { description: "test", scope: { permissions } }
    const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name },
      body
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    keys.set(name, (made.body as { readonly key: string }).key)
  }
  /** The options with the key of that name; of an admin for other names. */
  const as = (name: string | undefined): CallOptions =>
    name === undefined
      ? {}
      : { as: "nobody", headers: { authorization: `Bearer ${keys.get(name) ?? ""}` } }

  const spaces = async (who?: string) => {
    const { body, status } = await call("GET /spaces/{org}", as(who))
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as { readonly spaces: ReadonlyArray<{ id: string; path: string }> }).spaces
  }
  const idOf = async (path: string) =>
    (await spaces()).find((space) => space.path === path)?.id ?? "no-such-space"
  const make = (path: string, who?: string) =>
    call("POST /spaces/{org}", { ...as(who), body: { path } })
  const change = async (path: string, body: object, who?: string) =>
    call("PATCH /spaces/{org}/{space_id}", {
      ...as(who),
      path: { space_id: await idOf(path) },
      body
    })
  const remove = async (path: string, who?: string) =>
    call("DELETE /spaces/{org}/{space_id}", { ...as(who), path: { space_id: await idOf(path) } })
  const move = (body: object, who?: string) => call("POST /spaces/{org}/move", { ...as(who), body })
  const grant = (subject: string, space: string, role: string, more: object = {}, who?: string) => {
    const [kind = "", name] = subject.split(" ")
    const body = {
      subject: { kind, ...(name === undefined ? {} : { name }) },
      space,
      role,
      ...more
    }
    return call("PUT /grants/{org}", { ...as(who), body })
  }
  const end = (number: number, who?: string) =>
    call("DELETE /grants/{org}/{number}", { ...as(who), path: { number: String(number) } })

  return { as, person, account, spaces, idOf, make, change, remove, move, grant, end } as const
}
