/** Environment notifications on the wire. */
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

const PATH = "/organizations/{org}/environments_notifications"
const TARGET = {
  type: "WEBHOOK",
  webhook: "https://hooks.example.org/a",
  payload_version: "1.0"
}
const UNREACHED = { last_success_at: null, last_failure_at: null, last_error: null }
const DRAFT = {
  name: "releases",
  type: "env",
  environments: ["prod", "all.things"],
  triggers: ["ON_STARTED_ARTIFACT", "ON_NON_COMPLIANT_ENV"],
  targets: [TARGET]
}

interface Listed {
  readonly number: number
  readonly name: string
  readonly created_at: number
  readonly last_modified_at: number
}

const calls = ({ call }: TestServer) => ({
  create: (body: object, options: CallOptions = {}) =>
    call("PUT /organizations/{org}/environments_notifications", { body, ...options }),
  list: async () =>
    (await call("GET /organizations/{org}/environments_notifications"))
      .body as ReadonlyArray<Listed>,
  get: (number: number | string) => call(`GET ${PATH}/{number}`, { path: { number: `${number}` } }),
  update: (number: number, body: object) =>
    call("PUT /organizations/{org}/environments_notifications/{number}", {
      path: { number: `${number}` },
      body
    }),
  remove: (number: number) =>
    call("DELETE /organizations/{org}/environments_notifications/{number}", {
      path: { number: `${number}` }
    })
})

const NOT_FOUND = { message: "action not found" }

onEveryStore("PUT /organizations/{org}/environments_notifications", (server) => {
  const { create, list, get } = calls(server)

  it("creates a record under a new number, and returns OK", async () => {
    const answer = await create(DRAFT, { as: "member" })
    assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
    const [listed] = await list()
    const { created_at, last_modified_at, ...rest } = listed ?? assert.fail("nothing is listed")
    assert.deepStrictEqual(rest, {
      ...DRAFT,
      number: 1,
      flows: null,
      targets: [{ ...TARGET, ...UNREACHED }],
      created_by: "max",
      last_success_timestamp: 0,
      last_failure_timestamp: null,
      is_failing: false,
      is_created_from_chat_app: false
    } as unknown as typeof rest)
    assert.isAbove(created_at, 0)
    assert.strictEqual(last_modified_at, created_at)
    assert.deepStrictEqual((await get(1)).body, listed)
  })

  it("gives every other content a new number, also under the same name", async () => {
    await create({ ...DRAFT, environments: ["stage"] })
    await create({ ...DRAFT, name: "other" })
    const numbers = (await list()).map(({ number }) => number)
    assert.deepStrictEqual(numbers, [1, 2, 3])
  })

  it("changes nothing for repetitions, sequential or concurrent", async () => {
    const before = await list()
    const entries = (await server.journal()).length
    const said = { ...DRAFT, name: "other" }
    const repeated = await Promise.all(Array.from({ length: 6 }, () => create(said)))
    assert.deepStrictEqual(
      repeated.map(({ status }) => status),
      repeated.map(() => 200)
    )
    assert.deepStrictEqual(await list(), before)
    assert.strictEqual((await server.journal()).length, entries)
  })

  it("reports every invalid field", async () => {
    const wrong = await create({
      name: "",
      type: "flow",
      environments: ["no spaces"],
      triggers: ["ON_TUESDAYS"],
      targets: [],
      colour: "red"
    })
    assert.strictEqual(wrong.status, 400)
    assert.hasAllKeys((wrong.body as { errors: object }).errors, [
      "name",
      "type",
      "environments[0]",
      "triggers[0]",
      "targets",
      "colour"
    ])
    assert.strictEqual((await create({})).status, 400)
  })

  it("checks its limits on both sides", async () => {
    const statusOf = async (change: object) => (await create({ ...DRAFT, ...change })).status
    assert.strictEqual(await statusOf({ name: "n".repeat(255) }), 200)
    assert.strictEqual(await statusOf({ name: "n".repeat(256) }), 400)
    assert.strictEqual(await statusOf({ environments: [] }), 400)
    assert.strictEqual(await statusOf({ triggers: [] }), 400)
    const names = (count: number) => Array.from({ length: count }, (_, index) => `env-${index}`)
    assert.strictEqual(await statusOf({ environments: names(1_000) }), 200)
    assert.strictEqual(await statusOf({ environments: names(1_001) }), 400)
  })
})

onEveryStore("PUT /organizations/{org}/environments_notifications/{number}", (server) => {
  const { create, list, get, update } = calls(server)

  it("replaces the record under its number", async () => {
    await create(DRAFT)
    const [before] = await list()
    const next = {
      ...DRAFT,
      name: "renamed",
      triggers: ["ON_COMPLIANT_ENV"],
      targets: [{ type: "EMAIL", emails: ["ops@example.org"] }, TARGET]
    }
    const answer = await update(1, next)
    assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
    const { body } = await get(1)
    assert.deepInclude(body, {
      ...next,
      targets: next.targets.map((target) => ({ ...target, ...UNREACHED })),
      number: 1,
      created_at: before?.created_at
    })
    assert.isAbove((body as Listed).last_modified_at, before?.last_modified_at ?? 0)
    const entries = (await server.journal()).length
    assert.strictEqual((await update(1, next)).status, 200)
    assert.deepStrictEqual((await get(1)).body, body)
    assert.strictEqual((await server.journal()).length, entries)
  })

  it("is 404 for an unknown number, and 400 for a text that is no number", async () => {
    const missing = await update(99, DRAFT)
    assert.deepStrictEqual([missing.status, missing.body], [404, NOT_FOUND])
    const unknown = await get(2_147_483_647)
    assert.deepStrictEqual([unknown.status, unknown.body], [404, NOT_FOUND])
    for (const number of ["0", "x", "1.5", "2147483648"]) {
      assert.strictEqual((await get(number)).status, 400, number)
    }
    assert.strictEqual((await update(1, { ...DRAFT, targets: [] })).status, 400)
  })
})

onEveryStore("DELETE /organizations/{org}/environments_notifications/{number}", (server) => {
  const { create, list, remove } = calls(server)

  it("deletes a record, and does not reuse its number", async () => {
    await create(DRAFT)
    const answer = await remove(1)
    assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
    assert.deepStrictEqual(await list(), [])
    const again = await remove(1)
    assert.deepStrictEqual([again.status, again.body], [404, NOT_FOUND])
    await create(DRAFT)
    assert.deepStrictEqual(
      (await list()).map(({ number }) => number),
      [2]
    )
    const kinds = (await server.journal()).map(({ kind }) => kind)
    assert.deepStrictEqual(
      kinds.filter((kind) => kind.startsWith("environment_notification")),
      [
        "environment_notification_created",
        "environment_notification_deleted",
        "environment_notification_created"
      ]
    )
  })
})

onEveryStore("an environment notification whose only environment is archived", (server) => {
  const { create, list, get, update, remove } = calls(server)

  it("keeps the name, and can be read, replaced and deleted", async () => {
    const only = { ...DRAFT, environments: ["gone"] }
    await server.call("PUT /environments/{org}", { body: { name: "gone", type: "server" } })
    await create(only)
    await server.call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "gone" } })
    const read = await get(1)
    assert.strictEqual(read.status, 200)
    assert.deepInclude(read.body, { ...only, targets: [{ ...TARGET, ...UNREACHED }] })
    assert.deepStrictEqual<unknown>(await list(), [read.body])
    const replaced = await update(1, { ...only, name: "renamed" })
    assert.deepStrictEqual([replaced.status, replaced.body], [200, "OK"])
    assert.deepStrictEqual((await remove(1)).body, "OK")
    assert.deepStrictEqual(await list(), [])
  })
})
