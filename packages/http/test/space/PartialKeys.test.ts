/**
 * Keys that name spaces, flows and environments.
 *
 * AC-7: such a key has a part of what its owner has. AC-8: its lists are those of its owner without what it does not
 * name. AC-10 and AC-11: what it does not name answers as what never was, and no word of it is in an answer.
 */
import { assert, beforeAll, it } from "vitest"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { CANARY, FINGERPRINT, HIDDEN, MISSING, partialWorld, text } from "./PartialWorld.js"

/** Everything of an answer that tells of a name. */
const twinOf = ({ body, headers, status }: Answer): string => {
  const kept = Array.from(headers).filter(([name]) => !["date", "x-request-id"].includes(name))
  const named = JSON.stringify([status, body, kept])
  return named.replaceAll(HIDDEN, "NAME").replaceAll(MISSING, "NAME")
}

onEveryStore("a key that names places", (server) => {
  const world = partialWorld(server)
  const { call, grant, move } = world
  const keys = new Map<string, string>()

  const account = async (name: string, privilege: string) => {
    const made = await call("POST /service-accounts/{org}", { body: { name, privilege } })
    assert.strictEqual(made.status, 201, text(made))
  }

  const create = (name: string, scope: object, options: CallOptions = {}) =>
    call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name },
      body: { description: "x", scope },
      ...options
    })

  /** Makes a key, and calls with it by its name. */
  const key = async (as: string, owner: string, scope: object) => {
    const made = await create(owner, scope)
    assert.strictEqual(made.status, 201, text(made))
    assert.deepStrictEqual(Object(made.body).scope, scope)
    keys.set(as, Object(made.body).key)
    return Object(made.body).id as string
  }
  const by =
    (as: string) =>
    (operation: string, options: CallOptions = {}) =>
      call(operation, {
        ...options,
        as: "nobody",
        headers: { ...options.headers, authorization: `Bearer ${keys.get(as) ?? ""}` }
      })
  const [flow, space, environment, part] = ["flow", "space", "environment", "part"].map(by)
  if (!flow || !space || !environment || !part) throw new Error("no keys")

  beforeAll(async () => {
    await world.prepare()
    await account("whole", "member")
    await account("some", "none")
    assert.strictEqual((await grant("service-account some", "retail", "member")).status, 201)
    await key("flow", "whole", { flows: ["mine"] })
    await key("space", "whole", { spaces: ["retail"] })
    await key("environment", "whole", { environments: ["mine"] })
    await key("part", "some", { flows: ["mine"] })
  }, 90_000)

  const namesOf = (answer: Answer): ReadonlyArray<string> => {
    const found = answer.body as { readonly flows?: unknown }
    const items = Array.isArray(answer.body) ? answer.body : (found.flows ?? [])
    return (items as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
  }

  it("reads the flows that it names, and says that it is a part", async () => {
    for (const caller of [flow, part]) {
      const listed = await caller("GET /flows/{org}")
      assert.strictEqual(listed.status, 200, text(listed))
      assert.deepStrictEqual(namesOf(listed), ["mine"])
      assert.strictEqual(listed.headers.get("attestry-view"), "partial")
      assert.deepStrictEqual(namesOf(await caller("GET /environments/{org}")), [])
      for (const operation of [
        "GET /trails/{org}",
        "GET /artifacts/{org}",
        "GET /attestations/{org}",
        "GET /policies/{org}",
        "GET /controls/{org}",
        "GET /repos/{org}",
        "GET /deployments/{org}"
      ]) {
        const answer = await caller(operation)
        assert.strictEqual(answer.status, 200, `${operation} ${text(answer)}`)
        assert.notInclude(text(answer), CANARY, operation)
      }
      const trails = await caller("GET /trails/{org}", { query: "?page=1&per_page=5" })
      assert.include(text(trails), '"mine"')
    }
    const whole = await call("GET /flows/{org}")
    assert.isNull(whole.headers.get("attestry-view"))
  })

  it("is not told what another key of its owner was answered under an Idempotency-Key", async () => {
    await key("unscoped", "whole", { permissions: ["org.read", "approval.write"] })
    const approve = (who: typeof flow) =>
      who("POST /approvals/{org}/{flow_name}", {
        path: { flow_name: HIDDEN },
        body: { artifact_fingerprint: FINGERPRINT[HIDDEN] },
        headers: { "idempotency-key": "one" }
      })
    const first = await approve(by("unscoped"))
    assert.strictEqual(first.status, 201, text(first))
    assert.strictEqual(text(await approve(by("unscoped"))), text(first))
    assert.include([403, 404], (await approve(flow)).status)
  })

  it("reads the spaces and the environments that it names", async () => {
    assert.deepStrictEqual(namesOf(await space("GET /flows/{org}")), ["mine"])
    assert.deepStrictEqual(namesOf(await space("GET /environments/{org}")), ["mine"])
    assert.deepStrictEqual(namesOf(await environment("GET /environments/{org}")), ["mine"])
    assert.deepStrictEqual(namesOf(await environment("GET /flows/{org}")), [])
    const snapshots = await environment("GET /snapshots/{org}/{env_name}", {
      path: { env_name: "mine" }
    })
    assert.strictEqual(snapshots.status, 200, text(snapshots))
    assert.notInclude(text(snapshots), CANARY)
  })

  const READS: ReadonlyArray<readonly [string, (name: string) => CallOptions]> = [
    ["GET /flows/{org}/{flow_name}", (flow_name) => ({ path: { flow_name } })],
    ["GET /trails/{org}/{flow_name}", (flow_name) => ({ path: { flow_name } })],
    ["GET /trails/{org}", (name) => ({ query: `?flow=${name}` })],
    ["GET /environments/{org}/{env_name}", (env_name) => ({ path: { env_name } })],
    ["GET /policies/{org}/{name}", (name) => ({ path: { name } })],
    ["GET /controls/{org}/{identifier}", (identifier) => ({ path: { identifier } })]
  ]

  it("finds what it does not name as absent: AC-10", async () => {
    for (const [operation, of] of READS)
      for (const caller of [flow, space, environment, part]) {
        const [hidden, missing] = [
          await caller(operation, of(HIDDEN)),
          await caller(operation, of(MISSING))
        ]
        assert.strictEqual(twinOf(hidden), twinOf(missing), operation)
      }
    const elsewhere = await flow("GET /environments/{org}/{env_name}", {
      path: { env_name: "mine" }
    })
    assert.strictEqual(elsewhere.status, 404)
  })

  it("writes where it names, and nowhere else: AC-7", async () => {
    const trail = (flow_name: string) => ({ path: { flow_name }, body: { name: "t" } })
    const TRAIL = "PUT /trails/{org}/{flow_name}"
    assert.strictEqual((await flow(TRAIL, trail("mine"))).status, 201)
    assert.strictEqual((await flow(TRAIL, trail(HIDDEN))).status, 403)
    const make = (name: string, more: object = {}) => ({
      body: { name, description: "", ...more }
    })
    const FLOW = "PUT /flows/{org}/template_file"
    assert.strictEqual((await flow(FLOW, make("new-1"))).status, 403)
    const made = await space(FLOW, make("new-2"))
    assert.strictEqual(made.status, 201, text(made))
    const found = await call("GET /flows/{org}/{flow_name}", { path: { flow_name: "new-2" } })
    assert.deepInclude(found.body as object, { space: "retail" })
    for (const caller of [flow, space, environment, part])
      for (const operation of ["GET /audit-log/{org}", "GET /waiver-settings/{org}"])
        assert.include([403, 404], (await caller(operation)).status, operation)
  })

  it("follows its flow by its id, and shows the name of now", async () => {
    const flow_name = "mine-renamed"
    const rename = (from: string, to: string) =>
      call("PUT /flows/{org}/{flow_name}/rename", {
        path: { flow_name: from },
        body: { new_name: to }
      })
    const renamed = await rename("mine", flow_name)
    assert.isBelow(renamed.status, 300, text(renamed))
    assert.deepStrictEqual(namesOf(await flow("GET /flows/{org}")), [flow_name])
    const own = await flow("GET /whoami")
    assert.deepStrictEqual(Object(own.body).api_key.scope, { flows: [flow_name] })
    const things = [{ type: "flow", name: flow_name }]
    assert.strictEqual((await move({ things, to: "platform" })).status, 200)
    assert.deepStrictEqual(namesOf(await flow("GET /flows/{org}")), [flow_name])
    // Its owner reads `retail` alone.
    assert.strictEqual((await part("GET /flows/{org}")).status, 403)
    assert.strictEqual((await move({ things, to: "retail" })).status, 200)
    assert.isBelow((await rename(flow_name, "mine")).status, 300)
    assert.deepStrictEqual(namesOf(await part("GET /flows/{org}")), ["mine"])
  })

  it("names what its maker and its owner read, fifty of each at most", async () => {
    const unknown = async (owner: string, scope: object) => {
      const answer = await create(owner, scope)
      assert.strictEqual(answer.status, 400, text(answer))
      return text(answer)
    }
    for (const field of ["flows", "environments"])
      assert.strictEqual(
        (await unknown("some", { [field]: [HIDDEN] })).replaceAll(HIDDEN, MISSING),
        await unknown("some", { [field]: [MISSING] })
      )
    await unknown("some", { spaces: ["platform"] })
    await unknown("some", { spaces: ["nowhere"] })
    await unknown("whole", { spaces: ["/"] })
    await unknown("whole", { flows: [] })
    const many = (count: number) => Array.from({ length: count }, () => "mine")
    await unknown("whole", { flows: many(51) })
    await unknown("whole", { environments: many(51) })
    await unknown("whole", { spaces: Array.from({ length: 51 }, () => "retail") })
    for (const scope of [
      { flows: many(50) },
      { environments: many(50) },
      { spaces: Array.from({ length: 50 }, () => "retail") }
    ]) {
      const made = await create("whole", scope)
      assert.strictEqual(made.status, 201, text(made))
      const [[field, names] = ["", [""]]] = Object.entries<ReadonlyArray<string>>(scope)
      assert.deepStrictEqual(Object(made.body).scope, { [field]: [names[0]] })
    }
  })

  it("is asked about: what its scope leaves of its owner's roles", async () => {
    const id = await key("asked", "some", { spaces: ["retail"], permissions: ["gate"] })
    const effective = (api_key: string, more: CallOptions = {}) =>
      call("GET /access/{org}/effective", { ...more, query: `?api_key=${api_key}` })
    const answer = await effective(id)
    assert.strictEqual(answer.status, 200, text(answer))
    const { bindings, name, scope } = Object(answer.body)
    assert.strictEqual(name, "some")
    assert.deepStrictEqual(scope, { permissions: ["gate"], spaces: ["retail"] })
    assert.lengthOf(bindings, 1)
    assert.deepInclude(bindings[0], { kind: "grant", role: "member", space: "retail" })
    const wide = await key("wide", "whole", { spaces: ["retail"] })
    const cut = Object((await effective(wide)).body).bindings
    assert.deepInclude(cut[0], { kind: "base", role: "member", space: "retail" })
    const things = await effective(await key("things", "whole", { flows: ["mine"] }))
    assert.deepStrictEqual(Object(things.body).bindings, [])
    assert.deepStrictEqual(Object(things.body).scope, { flows: ["mine"] })
    const own = await by("asked")("GET /access/{org}/effective", { query: `?api_key=${id}` })
    assert.strictEqual(own.status, 200, text(own))
    const other = await by("asked")("GET /access/{org}/effective", { query: `?api_key=${wide}` })
    assert.strictEqual(other.status, 403, text(other))
    const missing = "0190a0a0-0000-7000-8000-000000000000"
    assert.strictEqual((await effective(missing)).status, 404)
    const two = await call("GET /access/{org}/effective", {
      query: `?api_key=${id}&service_account=some`
    })
    assert.strictEqual(two.status, 400)
  })

  it("makes no key with more than itself: AC-5", async () => {
    await account("admin", "admin")
    await key("admin", "admin", { spaces: ["retail"], flows: ["mine"] })
    const made = await by("admin")("POST /service-accounts/{org}", {
      body: { name: "child", privilege: "none" }
    })
    assert.strictEqual(made.status, 201, text(made))
    assert.deepInclude(made.body as object, { space: "retail" })
    const given = await by("admin")("PUT /grants/{org}", {
      body: {
        subject: { kind: "service-account", name: "child" },
        space: "retail",
        role: "member"
      }
    })
    assert.strictEqual(given.status, 201, text(given))
    const child = (scope: object | undefined) =>
      by("admin")("POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: "child" },
        body: { description: "x", ...(scope === undefined ? {} : { scope }) }
      })
    assert.strictEqual((await child(undefined)).status, 403)
    assert.strictEqual((await child({ permissions: ["org.read"] })).status, 403)
    assert.strictEqual((await child({ environments: ["mine"] })).status, 403)
    assert.strictEqual((await child({ flows: ["mine"] })).status, 201)
    assert.strictEqual((await child({ spaces: ["retail"] })).status, 201)
    const base = await by("admin")("POST /service-accounts/{org}", {
      body: { name: "child-2", privilege: "reader" }
    })
    assert.strictEqual(base.status, 403)
  })
})
