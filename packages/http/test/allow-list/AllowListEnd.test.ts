/** Entries of allow-lists with an end and an owner, on the wire: listed, recorded and asserted before and after. */
import { OrgId } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { NEEDS_PROVENANCE, policyEnvironment } from "../policy/PolicyEnvironment.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

const HOUR = 3_600

interface Entry {
  readonly artifact_fingerprint: string
  readonly expires_at?: number
  readonly is_expired?: boolean
  readonly owner?: string
}

interface Assertion {
  readonly compliant: boolean
  readonly is_allowed?: true
  readonly expires_at?: number
}

const now = (): number => Date.now() / 1_000

/** Waits until an instant has passed by every clock of the test. */
const passed = (instant: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, instant - now()) * 1_000 + 20))

onEveryStore("the end of an entry", (server) => {
  const { call, journal } = server
  const allow = (env_name: string, letter: string, more: object = {}) =>
    call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name },
      body: {
        artifact_fingerprint: print(letter),
        artifact_name: "shop",
        description: "because",
        ...more
      }
    })
  const listed = async (env_name: string) =>
    (await call("GET /allowlists/{org}/{env_name}", { path: { env_name } }))
      .body as ReadonlyArray<Entry>
  const gate = async (environment: string, letter: string, query = "") =>
    (
      await call("GET /asserts/{org}/fingerprint/{fingerprint}", {
        path: { fingerprint: print(letter) },
        query: `?environment_name=${environment}${query}`
      })
    ).body as Assertion
  const guarded = async (name: string) => {
    const env = policyEnvironment(server, name)
    await env.policy(`${name}-policy`, NEEDS_PROVENANCE)
    await env.create({ policies: [`${name}-policy`] })
    return env
  }

  it("is shown with the owner where they were given, and nowhere else", async () => {
    await guarded("shown")
    const expires_at = Math.floor(now()) + HOUR
    assert.strictEqual((await allow("shown", "a", { expires_at, owner: "max" })).status, 201)
    assert.strictEqual((await allow("shown", "b", { expires_at: null, owner: null })).status, 201)
    const [first, second] = await listed("shown")
    assert.deepInclude(first, { expires_at, is_expired: false, owner: "max" })
    assert.containsAllKeys(second, ["artifact_fingerprint", "created_by"])
    assert.doesNotHaveAnyKeys(second, ["expires_at", "is_expired", "owner"])
    const { body } = await call("GET /allowlists/{org}")
    const ofOrg = (body as ReadonlyArray<Entry>).find(({ owner }) => owner === "max")
    assert.deepInclude(ofOrg, { expires_at, is_expired: false, owner: "max" })
    const contents = (await journal())
      .filter(({ kind }) => kind === "artifact_allowed")
      .map(({ content }) => JSON.parse(content) as object)
    assert.deepInclude(contents[0], { owner: { username: "max" }, expires_at: expires_at * 1e6 })
    assert.doesNotHaveAnyKeys(contents[1], ["expires_at", "owner"])
  })

  it("is in the future and at most 3,650 days away, and the owner is a member", async () => {
    await guarded("checked")
    const errorsOf = async (more: object) => {
      const { body, status } = await allow("checked", "a", more)
      return [status, Object.keys((body as { errors?: object }).errors ?? {})]
    }
    for (const expires_at of [now() - 1, 0, now() + 3_651 * 24 * HOUR])
      assert.deepStrictEqual(await errorsOf({ expires_at }), [400, ["expires_at"]])
    for (const owner of ["fay", "unknown", "Max"])
      assert.deepStrictEqual(await errorsOf({ owner }), [400, ["owner"]])
    assert.deepStrictEqual(await listed("checked"), [])
  })

  it("closes the gate again, and a new end opens it", async () => {
    await guarded("ending")
    const expires_at = now() + 1
    await allow("ending", "a", { expires_at })
    const before = await gate("ending", "a")
    assert.deepInclude(before, { compliant: true, is_allowed: true })
    assert.approximately(before.expires_at ?? 0, expires_at, 1e-5)
    const during = now()
    await passed(expires_at)
    const after = await gate("ending", "a")
    assert.isFalse(after.compliant)
    assert.doesNotHaveAnyKeys(after, ["is_allowed", "expires_at"])
    assert.strictEqual((await listed("ending"))[0]?.is_expired, true)
    assert.isTrue((await gate("ending", "a", `&as_of=${during}`)).compliant)
    assert.isFalse((await gate("ending", "a", `&as_of=${now()}`)).compliant)
    assert.strictEqual((await allow("ending", "a", { expires_at: now() + HOUR })).status, 200)
    assert.isTrue((await gate("ending", "a")).compliant)
    assert.strictEqual((await listed("ending"))[0]?.is_expired, false)
    assert.isFalse((await gate("ending", "a", `&as_of=${expires_at + 0.005}`)).compliant)
    assert.strictEqual((await allow("ending", "a")).status, 200)
    const open = await gate("ending", "a")
    assert.deepStrictEqual([open.compliant, open.expires_at], [true, undefined])
  })

  it("can be moved, and so can the owner; each change is recorded", async () => {
    await guarded("moved")
    const end = Math.floor(now()) + HOUR
    const kinds = async () =>
      (await journal()).filter(({ kind }) => kind.startsWith("artifact_allowed")).length
    await allow("moved", "a", { expires_at: end })
    const first = await kinds()
    for (const more of [
      { expires_at: end + 1 },
      { expires_at: end + 1, owner: "max" },
      { expires_at: end + 1, owner: "max" }
    ])
      assert.strictEqual((await allow("moved", "a", more)).status, 200)
    assert.strictEqual(await kinds(), first + 2)
    assert.deepInclude((await listed("moved"))[0], { expires_at: end + 1, owner: "max" })
  })

  it("turns the verdicts of rows at its instant, and a new end restores them", async () => {
    const env = await guarded("rows")
    await env.report(["shop", print("a")])
    assert.isFalse((await env.state()).state)
    const expires_at = now() + 1
    await allow("rows", "a", { expires_at })
    assert.isTrue((await env.state()).state)
    const { index } = await env.snapshot()
    await passed(expires_at)
    assert.isFalse((await env.state()).state)
    const later = await env.snapshot()
    assert.deepStrictEqual([later.index, later.compliant], [index + 1, false])
    assert.approximately(later.timestamp, expires_at, 1e-5)
    await env.report(["shop", print("a")])
    assert.strictEqual((await env.snapshot()).index, index + 1, "nothing changed since")
    assert.isTrue((await env.snapshot(`${index}`)).compliant, "what was recorded stays")
    const asOf = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name: "rows", snapshot_expression: `${index}` },
      query: "?as_of=now"
    })
    assert.isTrue((asOf.body as { compliant: boolean }).compliant, "it was allowed then")
    await allow("rows", "a", { expires_at: now() + HOUR })
    const revived = (await env.snapshot()).artifacts.find(({ name }) => name === "shop")
    assert.isTrue(revived?.compliant)
  })

  it("moves the instant at which verdicts turn", async () => {
    const env = await guarded("earlier")
    await env.report(["shop", print("a")])
    await allow("earlier", "a", { expires_at: now() + HOUR })
    const end = now() + 1
    await allow("earlier", "a", { expires_at: end })
    const { index } = await env.snapshot()
    await passed(end)
    const turned = await env.snapshot()
    assert.deepStrictEqual([turned.index, turned.compliant], [index + 1, false])
    const last = now() + 1
    await allow("earlier", "a", { expires_at: last })
    await allow("earlier", "a")
    await passed(last)
    assert.isTrue((await env.snapshot()).compliant, "it has no end any more")
    assert.strictEqual(await env.count(), index + 2)
  })

  it("is verified: no verdict of a snapshot before or after it is a finding", async () => {
    const found = await server.run(
      Effect.gen(function* () {
        const orgs = yield* (yield* OrgStore).list
        const id = orgs.find(({ name }) => name === server.org)?.id ?? OrgId.make("")
        return (yield* (yield* RecordVerification).verify(id, 5)).map(TableFinding.print)
      })
    )
    assert.deepStrictEqual(found, [])
  })
})
