/** Actions on the wire: notifications of environments and of flows. */
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

const TARGET = { type: "WEBHOOK", webhook: "https://hooks.example.org/a", payload_version: "1.0" }
const UNREACHED = { last_success_at: null, last_failure_at: null, last_error: null }
const OF_FLOWS = {
  name: "builds",
  type: "flow",
  flows: ["shop", "web"],
  triggers: ["ON_STARTED_TRAIL", "ON_ATTESTATION", "ON_RELEASE"],
  targets: [TARGET, { type: "CHAT", webhook: "https://chat.example.org/b" }]
}
const OF_ENVIRONMENTS = {
  name: "releases",
  type: "env",
  environments: ["prod"],
  triggers: ["ON_STARTED_ARTIFACT"],
  targets: [TARGET]
}
const NOT_FOUND = { message: "action not found" }

interface Listed {
  readonly number: number
  readonly flows: ReadonlyArray<string> | null
  readonly created_at: number
}

const calls = ({ call }: TestServer) => ({
  forFlows: (body: object, options: CallOptions = {}) =>
    call("PUT /actions/{org}/flows", { body, ...options }),
  forEnvironments: (body: object, options: CallOptions = {}) =>
    call("PUT /actions/{org}/environments", { body, ...options }),
  list: async () =>
    (await call("GET /actions/{org}", { as: "reader" })).body as ReadonlyArray<Listed>,
  get: (number: number | string) =>
    call("GET /actions/{org}/{action_number}", { path: { action_number: `${number}` } }),
  remove: (number: number, options: CallOptions = {}) =>
    call("DELETE /actions/{org}/{action_number}", {
      path: { action_number: `${number}` },
      ...options
    }),
  putFlow: (name: string) => call("PUT /flows/{org}", { body: { name, description: "" } })
})

const numbersOf = (actions: ReadonlyArray<Listed>) => actions.map(({ number }) => number)

onEveryStore("PUT /actions/{org}/flows", (server) => {
  const { forFlows, forEnvironments, list, get, remove, putFlow } = calls(server)

  it("creates both kinds under one sequence of numbers, and shows each with null for the other", async () => {
    await putFlow("shop")
    await putFlow("web")
    for (const made of [
      await forFlows(OF_FLOWS, { as: "member" }),
      await forEnvironments(OF_ENVIRONMENTS, { as: "member" }),
      await server.call("PUT /organizations/{org}/environments_notifications", {
        body: { ...OF_ENVIRONMENTS, name: "other" }
      })
    ]) {
      assert.deepStrictEqual([made.status, made.body], [200, "OK"])
    }
    const all = await list()
    assert.deepStrictEqual(numbersOf(all), [1, 2, 3])
    const common = {
      created_by: "max",
      last_success_timestamp: 0,
      last_failure_timestamp: null,
      is_failing: false,
      is_created_from_chat_app: false
    }
    const shown = all.map((action) => {
      const { created_at, last_modified_at, ...rest } = action as Listed & {
        last_modified_at: number
      }
      assert.strictEqual(last_modified_at, created_at)
      return rest
    })
    assert.deepStrictEqual<unknown>(shown.slice(0, 2), [
      {
        ...OF_FLOWS,
        ...common,
        number: 1,
        environments: null,
        targets: [
          { ...TARGET, ...UNREACHED },
          { ...OF_FLOWS.targets[1], ...UNREACHED, context: null }
        ]
      },
      {
        ...OF_ENVIRONMENTS,
        ...common,
        number: 2,
        flows: null,
        targets: [{ ...TARGET, ...UNREACHED }]
      }
    ])
    for (const action of all) assert.deepStrictEqual((await get(action.number)).body, action)
  })

  it("shows actions of environments alone under the paths of environment notifications", async () => {
    const path = "/organizations/{org}/environments_notifications"
    const { body } = await server.call(`GET ${path}`)
    assert.deepStrictEqual(numbersOf(body as ReadonlyArray<Listed>), [2, 3])
    const answers = await Promise.all(
      ["GET", "DELETE"].map((method) =>
        server.call(`${method} ${path}/{number}`, { path: { number: "1" } })
      )
    )
    assert.deepStrictEqual(
      answers.map(({ status, body: problem }) => [status, problem]),
      [
        [404, NOT_FOUND],
        [404, NOT_FOUND]
      ]
    )
  })

  it("changes nothing for a repetition, and journals each change", async () => {
    await Promise.all(Array.from({ length: 4 }, () => forFlows(OF_FLOWS)))
    await forEnvironments(OF_ENVIRONMENTS)
    assert.deepStrictEqual(numbersOf(await list()), [1, 2, 3])
    await forFlows({ ...OF_FLOWS, triggers: ["ON_APPROVAL", "ON_APPROVAL"], flows: ["shop"] })
    assert.deepStrictEqual(numbersOf(await list()), [1, 2, 3, 4])
    const kinds = (await server.journal()).map(({ kind }) => kind)
    assert.strictEqual(kinds.filter((kind) => kind === "flow_notification_created").length, 2)
  })

  it("shows the current names of flows", async () => {
    await server.call("PUT /flows/{org}/{flow_name}/rename", {
      path: { flow_name: "web" },
      body: { new_name: "site" }
    })
    assert.deepStrictEqual((await list())[0]?.flows, ["shop", "site"])
  })

  it("deletes an action of either kind, and does not reuse its number", async () => {
    assert.strictEqual((await remove(1, { as: "reader" })).status, 403)
    for (const number of [1, 2]) {
      const answer = await remove(number)
      assert.deepStrictEqual([answer.status, answer.body], [200, "OK"])
      const again = await remove(number)
      assert.deepStrictEqual([again.status, again.body], [404, NOT_FOUND])
    }
    assert.deepStrictEqual(numbersOf(await list()), [3, 4])
    await forFlows({ ...OF_FLOWS, flows: ["shop"] })
    assert.deepStrictEqual(numbersOf(await list()), [3, 4, 5])
    const kinds = (await server.journal()).map(({ kind }) => kind)
    assert.strictEqual(kinds.filter((kind) => kind === "flow_notification_deleted").length, 1)
  })

  it("is 404 for an unknown flow or number, and names every invalid field", async () => {
    assert.strictEqual((await forFlows({ ...OF_FLOWS, flows: ["shop", "none"] })).status, 404)
    assert.deepStrictEqual((await get(99)).body, NOT_FOUND)
    for (const number of ["0", "x", "2147483648"])
      assert.strictEqual((await get(number)).status, 400)
    const wrong = await forFlows({
      name: "",
      type: "env",
      flows: ["no spaces"],
      triggers: ["ON_STARTED_ARTIFACT"],
      targets: [],
      colour: "red"
    })
    assert.strictEqual(wrong.status, 400)
    assert.hasAllKeys((wrong.body as { errors: object }).errors, [
      "name",
      "type",
      "flows[0]",
      "triggers[0]",
      "targets",
      "colour"
    ])
    for (const change of [{ flows: [] }, { triggers: [] }]) {
      assert.strictEqual((await forFlows({ ...OF_FLOWS, ...change })).status, 400)
    }
    const many = (count: number) => Array.from({ length: count }, () => "shop")
    assert.strictEqual((await forFlows({ ...OF_FLOWS, flows: many(1_000) })).status, 200)
    assert.strictEqual((await forFlows({ ...OF_FLOWS, flows: many(1_001) })).status, 400)
  })
})
