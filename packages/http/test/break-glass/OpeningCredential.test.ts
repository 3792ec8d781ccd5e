/** Break-glass on the wire, by what it is opened with: a key for emergencies, another key, and a recent sign-in. */
import { OrgName } from "@attestry/core/Identifier"
import { Orgs } from "@attestry/core/Orgs"
import { ProviderId } from "@attestry/core/Provider"
import { SignInRules } from "@attestry/core/SignInRules"
import { DEFAULTS, type SignInSettings } from "@attestry/core/SignInSettings"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import * as Browser from "../sign-in/Browser.js"
import * as ScriptedProviders from "../sign-in/ScriptedProviders.js"

const JOIN: SignInSettings["join"] = [
  { provider: ProviderId.make("okta"), group: "devs", role: "member" }
]

const OPENING = { space: "/", role: "reader", reason: "the gate is stuck", minutes: 15 }

const seconds = () => Math.floor(Date.now() / 1_000)

const { script, layer } = ScriptedProviders.make()

onEveryStore(
  "break-glass by credentials",
  (server) => {
    const { call, run } = server
    const { grant } = fixtureOf(server)
    /** WHY not over HTTP: an org that asks for a recent sign-in refuses the key of the test. */
    const set = (settings: Partial<SignInSettings>) =>
      run(
        Effect.gen(function* () {
          const found = yield* (yield* Orgs).get(OrgName.make(server.org))
          const by = { kind: "system", id: "test", name: "test" } as const
          yield* (yield* SignInRules).set(found, { ...DEFAULTS, ...settings }, by)
        }).pipe(Effect.orDie)
      )
    const open = (ask: typeof call, options: CallOptions = {}) =>
      ask("POST /break-glass/{org}", { ...options, body: OPENING })
    const close = async (ask: typeof call, number: number) =>
      (await ask("POST /break-glass/{org}/{number}/close", { path: { number: String(number) } }))
        .status
    const made: { key: string } = { key: "" }
    const byEmergency = (): CallOptions => ({
      as: "nobody",
      headers: { authorization: `Bearer ${made.key}` }
    })

    it("a key of an admin for emergencies opens it without a grant, and no other key does", async () => {
      const body = { description: "safe", emergency: server.org }
      const answer = await call("POST /user/api-keys", { body })
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
      made.key = Object(answer.body).key
      assert.strictEqual((await open(call)).status, 403)
      const opened = await open(call, byEmergency())
      assert.strictEqual(opened.status, 201, JSON.stringify(opened.body))
      assert.deepInclude(opened.body as object, {
        number: 1,
        means: "emergency-key",
        state: "open"
      })
      assert.strictEqual((await open(call, byEmergency())).status, 409)
      assert.strictEqual(await close(call, 1), 200)
    })

    it("needs a recent sign-in where the org wants one, but by a key for emergencies", async () => {
      await grant("everyone", "/", "reader", { eligible: true })
      await set({ fresh_minutes: 15, join: JOIN })
      const byKey = await open(call)
      assert.strictEqual(byKey.status, 401)
      assert.include(byKey.headers.get("www-authenticate") ?? "", 'max_age="900"')
      script.claims = { sub: "own-1", name: "Ann", groups: ["devs"], auth_time: seconds() - 901 }
      const { call: stale } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      assert.strictEqual((await open(stale)).status, 401)
      script.claims = { ...script.claims, auth_time: seconds() }
      const { call: fresh } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      const opened = await open(fresh)
      assert.strictEqual(opened.status, 201, JSON.stringify(opened.body))
      assert.deepInclude(opened.body as object, { number: 2, means: "grant" })
      assert.strictEqual(await close(stale, 2), 200)
      assert.strictEqual((await open(call, byEmergency())).status, 201)
    })
  },
  { services: layer }
)
