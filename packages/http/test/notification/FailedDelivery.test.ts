/** Deliveries that failed, on the wire. */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { failEverything, succeedEverything } from "./FailedDelivery.js"

interface Failed {
  readonly id: string
  readonly notification: { readonly number: number; readonly name: string } | null
  readonly failed_at: number
  readonly created_at: number
}

interface Shown {
  readonly is_failing: boolean
  readonly targets: ReadonlyArray<{ readonly last_error: string | null }>
}

interface Page {
  readonly total_count: number
  readonly deliveries: ReadonlyArray<Failed>
}

const TARGET = { type: "WEBHOOK", webhook: "https://hooks.example.org/secret-part" }
const F = "f".repeat(64)

onEveryStore("failed deliveries", ({ call, run, journal }) => {
  const list = async (query = "") => {
    const { status, body } = await call("GET /deliveries/{org}/failed", { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Page
  }
  const replay = (ids: unknown) =>
    call("POST /deliveries/{org}/failed/replay", { body: { ids } as object })
  const report = (name: string) =>
    call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name: "prod" },
      body: { artifacts: [{ digests: { [name]: F }, creationTimestamp: 1 }] }
    })

  it("are none at first", async () => {
    assert.deepInclude(await list(), { total_count: 0, deliveries: [] })
    assert.deepStrictEqual((await replay("all")).body, { replayed: [] })
  })

  it("are listed newest first with their notification, and without an address", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "docker" } })
    await call("PUT /organizations/{org}/environments_notifications", {
      body: {
        name: "prod alerts",
        type: "env",
        environments: ["prod"],
        triggers: ["ON_STARTED_ARTIFACT"],
        targets: [TARGET, { type: "EMAIL", emails: ["ops@example.org"] }]
      }
    })
    await report("shop:1")
    assert.strictEqual(await run(failEverything), 2)
    await report("shop:2")
    assert.strictEqual(await run(failEverything), 2)
    const { deliveries, total_count } = await list()
    assert.strictEqual(total_count, 4)
    const [newest] = deliveries
    assert.deepInclude<object>(newest ?? {}, {
      notification: { number: 1, name: "prod alerts" },
      event_type: "ARTIFACT_STARTED",
      attempts: 1,
      error: "status 500"
    })
    assert.isAtLeast(newest?.failed_at ?? 0, newest?.created_at ?? 1)
    const failedAt = deliveries.map(({ failed_at }) => failed_at)
    assert.deepStrictEqual(
      failedAt,
      [...failedAt].sort((one, other) => other - one)
    )
    assert.notInclude(JSON.stringify(deliveries), "secret-part")
    assert.notInclude(JSON.stringify(deliveries), "ops@")
    const second = await list("?page=2&per_page=3")
    assert.strictEqual(second.deliveries.length, 1)
    assert.strictEqual(second.total_count, 4)
  })

  it("are tried again by their ids, once, and this is journalled", async () => {
    const { deliveries } = await list()
    const [first] = deliveries.map(({ id }) => id)
    assert.deepStrictEqual((await replay([first, "unknown"])).body, { replayed: [first] })
    assert.deepStrictEqual((await replay([first])).body, { replayed: [] })
    assert.strictEqual((await list()).total_count, 3)
    const claimed = await run(
      Effect.flatMap(OutboxStore, (outbox) =>
        outbox.claim({ limit: 9, perQueue: 9, leaseMillis: 1 })
      )
    )
    assert.deepStrictEqual(
      claimed.map(({ id }) => String(id)),
      [first]
    )
    const last = (await journal()).at(-1)
    assert.deepInclude(last, { kind: "deliveries_replayed" })
    assert.strictEqual(last?.actor.name, "ada")
    assert.deepStrictEqual(JSON.parse(last?.content ?? ""), { deliveries: [first] })
  })

  it("are all tried again", async () => {
    const ids = (await list()).deliveries.map(({ id }) => id).sort()
    assert.deepStrictEqual((await replay("all")).body, { replayed: ids })
    assert.strictEqual((await list()).total_count, 0)
  })

  it("of a test message show in its targets, each time it is asked for", async () => {
    const path = { action_number: "1" }
    const send = (as: "member" | "reader" = "member") =>
      call("POST /actions/{org}/{action_number}/test", { path, as })
    const errors = async () =>
      ((await call("GET /actions/{org}/{action_number}", { path })).body as Shown).targets.map(
        ({ last_error }) => last_error
      )
    await run(failEverything)
    await replay("all")
    await run(succeedEverything)
    assert.strictEqual((await send("reader")).status, 403)
    for (const sent of [await send(), await send()])
      assert.deepStrictEqual([sent.status, sent.body], [200, "OK"])
    assert.strictEqual(await run(failEverything), 4)
    assert.deepStrictEqual(await errors(), ["status 500", "status 500"])
    const { deliveries } = await list()
    assert.lengthOf(deliveries, 4)
    assert.deepInclude<object>(deliveries[0] ?? {}, {
      event_type: "TEST",
      notification: { number: 1, name: "prod alerts" }
    })
    assert.deepInclude((await journal()).at(-1), { kind: "notification_tested" })
    const missing = await call("POST /actions/{org}/{action_number}/test", {
      path: { action_number: "99" }
    })
    assert.deepStrictEqual([missing.status, missing.body], [404, { message: "action not found" }])
    assert.strictEqual((await send()).status, 200)
    assert.strictEqual(await run(succeedEverything), 2)
    const { is_failing } = (await call("GET /actions/{org}/{action_number}", { path }))
      .body as Shown
    assert.isFalse(is_failing)
  })

  it("must be named, at most a hundred", async () => {
    const many = Array.from({ length: 100 }, (_, index) => `id-${index}`)
    assert.strictEqual((await replay(many)).status, 200)
    for (const ids of [[], [...many, "one more"], "some", [1], null, undefined]) {
      const { status, body } = await replay(ids)
      assert.strictEqual(status, 400, JSON.stringify(ids))
      assert.match(JSON.stringify(body), /"(body\.)?ids/)
    }
  })

  it("are for admins, and for people of teams those of their actions", async () => {
    const body = { ids: "all" }
    const inNoTeam = await call("GET /deliveries/{org}/failed", { as: "member" })
    assert.deepInclude(inNoTeam.body as object, { total_count: 0, deliveries: [] })
    const tried = await call("POST /deliveries/{org}/failed/replay", { as: "member", body })
    assert.deepStrictEqual(tried.body, { replayed: [] })
    for (const as of ["snapshotter", "reader", "foreigner"] as const) {
      assert.strictEqual((await call("GET /deliveries/{org}/failed", { as })).status, 403)
      assert.strictEqual(
        (await call("POST /deliveries/{org}/failed/replay", { as, body })).status,
        403
      )
    }
  })
})
