/** Break-glass on the wire: who opens it, what it gives and how long, who reviews it, and what is recorded and told. */
import * as BreakGlassEnds from "@attestry/core/BreakGlassEnds"
import { OrgName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { policyYaml } from "../policy/Policies.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly number: number; readonly state: string }

const YAML = policyYaml("  provenance:\n    required: true\n")

onEveryStore("break-glass", (server) => {
  const { call, journal, run } = server
  const { account, as, grant, make, person } = fixtureOf(server)
  const open = (who: string, space: string, role = "admin", more: object = {}) =>
    call("POST /break-glass/{org}", {
      ...as(who),
      body: { space, role, reason: "the gate is stuck", minutes: 15, ...more }
    })
  const change = (what: "close" | "review", number: number, who?: string) =>
    call(`POST /break-glass/{org}/{number}/${what}`, {
      ...as(who),
      path: { number: String(number) },
      ...(what === "review" ? { body: { note: "it was needed" } } : {})
    })
  const putPolicy = (name: string, who: string) =>
    call("PUT /policies/{org}/{name}", { ...as(who), path: { name }, body: { policy_yaml: YAML } })
  const opened = async (who: string, space: string, role?: string) => {
    const { body, status } = await open(who, space, role)
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body as Shown
  }
  /** Questions about instants know an opening from its first instant until before its last. */
  const asOf = async ({ closed_at, number, opened_at }: Shown) => {
    const [from, to] = [Number(opened_at), Number(closed_at)]
    assert.isBelow(from, to)
    const own = { kind: "break-glass", role: "admin", space: "retail", number, team: null }
    for (const [at, isOpen] of [
      [from, true],
      [to - 1e-6, true],
      [from - 1e-6, false],
      [to, false]
    ] as const) {
      const as_of = `as_of=${at.toFixed(6)}`
      const effective = await call("GET /access/{org}/effective", { query: `?user=pat&${as_of}` })
      const { bindings } = effective.body as { readonly bindings: ReadonlyArray<object> }
      assert.deepStrictEqual(
        bindings.filter((each) => "number" in each && each.number === number),
        isOpen ? [own] : [],
        as_of
      )
      const query = `?permission=space.write&space=retail&${as_of}`
      const { subjects } = (await call("GET /access/{org}/who", { query })).body as {
        readonly subjects: ReadonlyArray<{ readonly name: string }>
      }
      assert.strictEqual(
        subjects.some(({ name }) => name === "pat"),
        isOpen,
        as_of
      )
    }
  }
  const markedOf = async (kind: string) =>
    (await journal())
      .filter((entry) => entry.kind === kind)
      .map(({ actor }) => (actor as { readonly break_glass?: number }).break_glass)

  beforeAll(async () => {
    const configured = await call("PUT /notification-config/{org}/{notification_type}", {
      path: { notification_type: "break_glass" },
      body: { targets: [{ type: "EMAIL", emails: ["security@example.com"] }] }
    })
    assert.strictEqual(configured.status, 201, JSON.stringify(configured.body))
    await person("pat", "none")
    await person("mia", "member")
    await person("tom", "admin")
    await account("robot", "admin", ["org.read"])
    for (const path of ["retail", "retail/payments", "platform"]) await make(path)
    await grant("user pat", "retail", "admin", { eligible: true })
    await grant("user mia", "/", "admin", { eligible: true })
  })

  it("is opened by people with an eligible grant of the role, at its place, one at a time", async () => {
    for (const [who, space, role] of [
      ["pat", "/", "reader"],
      ["pat", "platform", "reader"],
      ["pat", "nowhere", "reader"],
      ["tom", "/", "admin"],
      ["robot", "/", "reader"]
    ] as const)
      assert.strictEqual((await open(who, space, role)).status, 403, `${who} ${space}`)
    for (const more of [{ minutes: 14 }, { minutes: 241 }, { reason: " " }, { role: "owner" }])
      assert.strictEqual((await open("pat", "retail", "admin", more)).status, 400)
    const denied = await call("POST /spaces/{org}", { ...as("pat"), body: { path: "retail/a" } })
    assert.strictEqual(denied.status, 403)
    const shown = await opened("pat", "retail/payments", "member")
    assert.deepInclude(shown, {
      number: 1,
      state: "open",
      means: "grant",
      space: "retail/payments",
      role: "member",
      minutes: 15,
      closed_at: null,
      reviewed_by: null
    })
    assert.strictEqual((await open("pat", "retail")).status, 409)
    assert.strictEqual((await change("close", 1, "mia")).status, 404)
    assert.strictEqual((await change("close", 1, "pat")).status, 200)
    assert.strictEqual((await change("close", 1, "pat")).status, 409)
  })

  it("AC-19: gives its role in its time alone, and every entry in it is marked", async () => {
    const space = (path: string) =>
      call("POST /spaces/{org}", { ...as("pat"), body: { path: `retail/${path}` } })
    assert.strictEqual((await space("a")).status, 403)
    const { number } = await opened("pat", "retail")
    assert.strictEqual((await space("a")).status, 201)
    const elsewhere = { ...as("pat"), body: { path: "platform/a" } }
    assert.notStrictEqual((await call("POST /spaces/{org}", elsewhere)).status, 201)
    const { body } = await call("GET /access/{org}/effective", { query: "?user=pat" })
    assert.deepInclude(
      (body as { readonly bindings: ReadonlyArray<object> }).bindings as Array<object>,
      { kind: "break-glass", role: "admin", space: "retail", number, team: null }
    )
    const { body: closed, status } = await change("close", number)
    assert.strictEqual(status, 200)
    assert.strictEqual((await space("b")).status, 403)
    await asOf(closed as Shown)
    assert.deepStrictEqual((await markedOf("space_created")).filter(Boolean), [number])
    assert.deepStrictEqual(await markedOf("break_glass_opened"), [1, number])
    assert.deepStrictEqual(await markedOf("break_glass_closed"), [undefined, undefined])
  })

  it("lets held changes through at its place, which its role may make", async () => {
    await call("PUT /protections/{org}", { body: { protections: [{ kinds: ["policy"] }] } })
    assert.strictEqual((await putPolicy("gate", "mia")).status, 403)
    const reader = await opened("mia", "/", "reader")
    assert.strictEqual((await putPolicy("gate", "mia")).status, 403)
    assert.strictEqual((await change("close", reader.number, "mia")).status, 200)
    const { number } = await opened("mia", "/")
    assert.strictEqual((await putPolicy("gate", "mia")).status, 201)
    assert.strictEqual((await putPolicy("other", "tom")).status, 403)
    assert.strictEqual((await change("close", number, "mia")).status, 200)
    assert.strictEqual((await putPolicy("third", "mia")).status, 403)
    assert.deepStrictEqual(await markedOf("policy_created"), [number])
  })

  it("is reviewed once it is over, by another admin of the whole org, once", async () => {
    await grant("user tom", "/", "admin", { eligible: true })
    const { number } = await opened("tom", "/")
    assert.strictEqual((await change("review", number)).status, 409)
    assert.strictEqual((await change("close", number, "tom")).status, 200)
    for (const who of ["tom", "mia", "pat"])
      assert.strictEqual((await change("review", number, who)).status, 403, who)
    const { body, status } = await change("review", number)
    assert.strictEqual(status, 200)
    assert.deepInclude(body as object, { state: "reviewed", note: "it was needed" })
    assert.strictEqual((await change("review", number)).status, 409)
  })

  it("is listed to admins, and to others their own", async () => {
    const numbers = async (query = "", who?: string) =>
      (
        (await call("GET /break-glass/{org}", { ...as(who), query })).body as {
          readonly openings: ReadonlyArray<Shown>
        }
      ).openings.map((each) => each.number)
    assert.deepStrictEqual(await numbers(), [5, 4, 3, 2, 1])
    assert.deepStrictEqual(await numbers("", "pat"), [2, 1])
    assert.deepStrictEqual(await numbers("?state=reviewed"), [5])
    assert.deepStrictEqual(await numbers("?state=open"), [])
    assert.deepStrictEqual(await numbers("", "robot"), [5, 4, 3, 2, 1].slice(5))
    assert.strictEqual((await call("GET /break-glass/{org}", { query: "?state=x" })).status, 400)
  })

  it("AC-17: follows from the journal, and every change of it is told", async () => {
    const { findings, notices } = await run(
      Effect.gen(function* () {
        const name = OrgName.make(server.org)
        const org = Option.getOrThrow(yield* (yield* OrgStore).find({ name }))
        yield* BreakGlassEnds.lookAfterAll
        const claimed = yield* (yield* OutboxStore).claim({
          limit: 1_000,
          perQueue: 1_000,
          leaseMillis: 1_000
        })
        return {
          findings: yield* (yield* RecordVerification).verify(org.id, 3),
          notices: claimed.flatMap(({ notification, org_id }) =>
            org_id === org.id && notification.event_type === "BREAK_GLASS"
              ? [`${notification.break_glass.number} ${notification.break_glass.change}`]
              : []
          )
        }
      })
    )
    assert.deepStrictEqual(findings, [])
    const all = [1, 2, 3, 4, 5].flatMap((number) => [`${number} closed`, `${number} opened`])
    assert.deepStrictEqual([...notices].sort(), [...all, "5 reviewed"].sort())
  })
})
