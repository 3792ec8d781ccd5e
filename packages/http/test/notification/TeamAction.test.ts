/** Actions of teams: who sees and changes them, what they may name, and what of it is sent. SPEC §4.2 */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { TeamDeliveries } from "@attestry/core/TeamDeliveries"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { CANARY, FINGERPRINT, HIDDEN, MISSING, partialWorld, text } from "../space/PartialWorld.js"
import { failEverything } from "./FailedDelivery.js"

onEveryStore("an action of a team", (server) => {
  const { call, run } = server
  const world = partialWorld(server)

  const targets = [{ type: "EMAIL", emails: ["team@example.org"] }]

  const draft = (more: object = {}) => ({
    name: "of the team",
    environments: ["mine"],
    triggers: ["ON_STARTED_ARTIFACT", "ON_EXITED_ARTIFACT", "ON_NON_COMPLIANT_ENV"],
    targets,
    team: "payments",
    ...more
  })

  const asked = (who: string | undefined, options: CallOptions = {}): CallOptions => ({
    ...options,
    ...world.as(who)
  })

  const create = (who: string | undefined, body: object) =>
    call("PUT /organizations/{org}/environments_notifications", asked(who, { body }))

  const createForFlows = (who: string | undefined, body: object) =>
    call("PUT /actions/{org}/flows", asked(who, { body }))

  const list = async (who: string | undefined) =>
    (await call("GET /actions/{org}", asked(who))).body as ReadonlyArray<{
      readonly number: number
      readonly name: string
      readonly team?: string | null
      readonly environments: ReadonlyArray<string> | null
      readonly flows: ReadonlyArray<string> | null
    }>

  /** What the worker would send of all that waits, as texts. */
  const sent = () =>
    run(
      Effect.gen(function* () {
        const outbox = yield* OutboxStore
        const teams = yield* TeamDeliveries
        const claimed = yield* outbox.claim({ limit: 1_000, perQueue: 1_000, leaseMillis: 600_000 })
        return yield* Effect.forEach(claimed, (delivery) =>
          Effect.map(teams.cut(delivery), (left) => ({
            team: delivery.audience?.team,
            whole: JSON.stringify(delivery.notification),
            left: Option.getOrNull(left)
          }))
        )
      })
    )

  beforeAll(async () => {
    await world.prepare()
    await world.person("tim-t", "none")
    await world.person("ron-r", "reader")
    await world.person("mia-m", "member")
    for (const name of ["payments", "quiet"])
      assert.strictEqual(
        (await call("PUT /teams/{org}/{team}", { path: { team: name }, body: {} })).status,
        201
      )
    for (const login of ["pat", "sam"])
      await call("PUT /teams/{org}/{team}/members/{login}", { path: { team: "payments", login } })
    await world.grant("team payments", "retail", "reader")
  })

  it("is saved by a person of the team with the permission somewhere, and by admins", async () => {
    const bySam = await create("sam", draft())
    assert.strictEqual(bySam.status, 403, text(bySam))
    const byTim = await create("tim-t", draft())
    assert.strictEqual(byTim.status, 403, text(byTim))
    // A member of the whole org who is not in the team: as if there were no such team.
    const byMax = await create("mia-m", draft())
    assert.strictEqual(byMax.status, 404, text(byMax))
    const unknown = await create("mia-m", draft({ team: "no-such-team" }))
    assert.strictEqual(
      text(unknown),
      text(byMax).replace("payments", "no-such-team"),
      text(unknown)
    )
    assert.strictEqual((await create("pat", draft())).status, 200)
    assert.strictEqual((await create("pat", draft())).status, 200)
    assert.strictEqual((await create(undefined, draft({ name: "by an admin" }))).status, 200)
    assert.deepStrictEqual(
      (await list("pat")).map(({ name, team }) => [name, team]),
      [
        ["of the team", "payments"],
        ["by an admin", "payments"]
      ]
    )
  })

  it("is not for the org but where the permission is of the whole org", async () => {
    const { team: _, ...ofOrg } = draft({ name: "of the org" })
    assert.strictEqual((await create("pat", ofOrg)).status, 403)
    assert.strictEqual((await create("mia-m", ofOrg)).status, 200)
    assert.deepStrictEqual(
      (await list("mia-m")).map(({ name }) => name),
      ["of the org"]
    )
    assert.isFalse("team" in ((await list("mia-m"))[0] ?? {}))
    assert.notInclude(
      (await list("pat")).map(({ name }) => name),
      "of the org"
    )
  })

  it("names what its saver and the team read, else it is as of what is missing", async () => {
    for (const make of [
      (name: string) => create("pat", draft({ environments: [name] })),
      (name: string) =>
        createForFlows("pat", {
          name: "builds",
          flows: [name],
          triggers: ["ON_STARTED_TRAIL"],
          targets,
          team: "payments"
        })
    ]) {
      const [hidden, missing] = [await make(HIDDEN), await make(MISSING)]
      assert.strictEqual(hidden.status, 404, text(hidden))
      assert.strictEqual(text(hidden).replaceAll(HIDDEN, MISSING), text(missing))
    }
    // An admin reads it, the team does not.
    const byAdmin = await create(undefined, draft({ environments: [HIDDEN] }))
    assert.strictEqual(byAdmin.status, 404, text(byAdmin))
  })

  it("is seen and changed by the people of the team and by admins alone", async () => {
    const [own] = await list("pat")
    const number = String(own?.number)
    const path = { number }
    const read = (who: string | undefined) =>
      call("GET /organizations/{org}/environments_notifications/{number}", asked(who, { path }))
    assert.strictEqual((await read("sam")).status, 200)
    assert.strictEqual((await read(undefined)).status, 200)
    for (const who of ["ron-r", "mia-m"]) assert.strictEqual((await read(who)).status, 404)
    assert.strictEqual((await read("tim-t")).status, 403)
    const put = (who: string | undefined, body: object) =>
      call(
        "PUT /organizations/{org}/environments_notifications/{number}",
        asked(who, { path, body })
      )
    assert.strictEqual((await put("mia-m", draft({ name: "mine now" }))).status, 404)
    assert.strictEqual((await put("sam", draft({ name: "mine now" }))).status, 403)
    assert.strictEqual((await put("pat", draft({ name: "changed" }))).status, 200)
    const after = (await list("pat")).find((each) => String(each.number) === number)
    assert.deepStrictEqual([after?.name, after?.team], ["changed", "payments"])
    const trial = (who: string) =>
      call(
        "POST /actions/{org}/{action_number}/test",
        asked(who, { path: { action_number: number } })
      )
    assert.strictEqual((await trial("mia-m")).status, 404)
    assert.strictEqual((await trial("pat")).status, 200)
    const removed = await call(
      "DELETE /actions/{org}/{action_number}",
      asked("mia-m", { path: { action_number: number } })
    )
    assert.strictEqual(removed.status, 404)
  })

  it("sends nothing of what the team does not read when it is sent (AC-11, AC-14)", async () => {
    const made = await createForFlows("pat", {
      name: "trails",
      flows: ["mine"],
      triggers: ["ON_STARTED_TRAIL", "ON_ATTESTED_PROVENANCE", "ON_ATTESTATION"],
      targets,
      team: "payments"
    })
    assert.strictEqual(made.status, 200, text(made))
    await sent()
    // The environment of the team stops what a hidden flow knows, and starts it again.
    for (const prints of [[FINGERPRINT.mine], [FINGERPRINT.mine, FINGERPRINT[HIDDEN]]])
      assert.isBelow((await world.report("mine", prints)).status, 300)
    await call("PUT /trails/{org}/{flow_name}", {
      path: { flow_name: "mine" },
      body: { name: "t2" }
    })
    const all = await sent()
    const own = all.filter(({ team }) => team !== undefined)
    assert.isAbove(own.length, 2)
    assert.isTrue(own.some(({ whole }) => whole.includes(CANARY)))
    for (const { left } of own) {
      assert.isNotNull(left)
      assert.notInclude(JSON.stringify(left), CANARY)
    }
    const masked = own.flatMap(({ left }) =>
      left !== null && "artifact" in left && left.artifact?.hidden === true ? [left.artifact] : []
    )
    assert.isAbove(masked.length, 0)
    for (const { provenance } of masked) assert.isNull(provenance)
    // The org is told all of it.
    assert.isTrue(
      all.some(({ left, team }) => team === undefined && JSON.stringify(left).includes(CANARY))
    )
  })

  /** The ids of the failed deliveries that a caller sees, with the names of their actions. */
  const failed = async (who: string | undefined) => {
    const answer = await call("GET /deliveries/{org}/failed", asked(who))
    assert.strictEqual(answer.status, 200, text(answer))
    const { deliveries, total_count } = answer.body as {
      readonly total_count: number
      readonly deliveries: ReadonlyArray<{
        readonly id: string
        readonly notification: { readonly number: number } | null
      }>
    }
    assert.strictEqual(total_count, deliveries.length)
    return deliveries
  }
  const replay = async (who: string, ids: unknown) => {
    const body = { ids } as object
    const answer = await call("POST /deliveries/{org}/failed/replay", asked(who, { body }))
    assert.strictEqual(answer.status, 200, text(answer))
    return (answer.body as { readonly replayed: ReadonlyArray<string> }).replayed
  }

  it("has failed deliveries, which the people of the team with write see and try again", async () => {
    await sent()
    await world.report("mine", [FINGERPRINT.mine])
    assert.isAbove(await run(failEverything), 1)
    const numbers = (await list("pat")).map(({ number }) => number)
    const own = await failed("pat")
    const all = await failed(undefined)
    assert.isAbove(own.length, 0)
    assert.deepStrictEqual(
      own.map(({ id }) => id),
      all.flatMap(({ id, notification }) =>
        notification !== null && numbers.includes(notification.number) ? [id] : []
      )
    )
    const others = all.filter(({ id }) => own.every((each) => each.id !== id))
    assert.isAbove(others.length, 0)
    // Of no team, and without write.
    assert.deepStrictEqual(await failed("mia-m"), [])
    assert.deepStrictEqual(await replay("mia-m", "all"), [])
    for (const who of ["sam", "tim-t", "ron-r"]) {
      assert.strictEqual((await call("GET /deliveries/{org}/failed", asked(who))).status, 403, who)
      const body = { ids: "all" }
      const tried = await call("POST /deliveries/{org}/failed/replay", asked(who, { body }))
      assert.strictEqual(tried.status, 403, who)
    }
    const [foreign] = others.map(({ id }) => id)
    const first = own[0]?.id ?? ""
    assert.deepStrictEqual(await replay("pat", [foreign, first]), [first])
    assert.deepStrictEqual(
      [...(await replay("pat", "all"))].sort(),
      own
        .slice(1)
        .map(({ id }) => id)
        .sort()
    )
    assert.deepStrictEqual(await failed("pat"), [])
    assert.deepStrictEqual(await failed(undefined), others)
    // An environment that goes where the team does not read takes its deliveries with it.
    assert.strictEqual(await run(failEverything), own.length)
    const move = (to: string) => world.move({ things: [{ type: "environment", name: "mine" }], to })
    assert.strictEqual((await move("platform")).status, 200)
    assert.deepStrictEqual(await failed("pat"), [])
    assert.deepStrictEqual(await replay("pat", "all"), [])
    assert.deepStrictEqual(await replay("pat", [first]), [])
    assert.lengthOf(await failed(undefined), all.length)
    assert.strictEqual((await move("retail")).status, 200)
    assert.lengthOf(await failed("pat"), own.length)
    await world.report("mine", [FINGERPRINT.mine, FINGERPRINT[HIDDEN]])
  })

  it("is skipped for what the team does not read any more", async () => {
    await sent()
    await world.report("mine", [FINGERPRINT.mine])
    // It is queued before, and sent after the environment has gone where the team does not read.
    const moved = await world.move({
      things: [{ type: "environment", name: "mine" }],
      to: "platform"
    })
    assert.strictEqual(moved.status, 200, text(moved))
    const own = (await sent()).filter(({ team }) => team !== undefined)
    assert.isAbove(own.length, 0)
    for (const { left } of own) assert.isNull(left)
    const shown = (await list("pat")).filter(({ environments }) => environments !== null)
    for (const { environments } of shown) assert.deepStrictEqual(environments, [])
  })

  it("stays with its admins after the team was deleted, and tells nothing", async () => {
    await call("DELETE /teams/{org}/{team}", { path: { team: "payments" } })
    assert.deepStrictEqual(await list("pat"), [])
    const left = (await list(undefined)).filter(({ team }) => team !== undefined)
    assert.isAbove(left.length, 0)
    for (const { team } of left) assert.isNull(team)
  })
})
