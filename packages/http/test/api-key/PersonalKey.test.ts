/** Keys of people's own on the wire: who makes them, what they open, how long, and who revokes them. */
import { OrgName } from "@attestry/core/Identifier"
import { Orgs } from "@attestry/core/Orgs"
import { ProviderId } from "@attestry/core/Provider"
import { SignInRules } from "@attestry/core/SignInRules"
import { DEFAULTS, type SignInSettings } from "@attestry/core/SignInSettings"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"
import * as Browser from "../sign-in/Browser.js"
import * as ScriptedProviders from "../sign-in/ScriptedProviders.js"

interface Key {
  readonly id: string
  readonly key: string
  readonly description: string
  readonly scope?: object
}

const OWN = "/user/api-keys"

/** WHY not over HTTP: an org that asks for a recent sign-in refuses the key of the test. */
const set = ({ run }: TestServer, org: string, settings: Partial<SignInSettings>) =>
  run(
    Effect.gen(function* () {
      const found = yield* (yield* Orgs).get(OrgName.make(org))
      const by = { kind: "system", id: "test", name: "test" } as const
      yield* (yield* SignInRules).set(found, { ...DEFAULTS, ...settings }, by)
    }).pipe(Effect.orDie)
  )

const seconds = () => Math.floor(Date.now() / 1_000)

const { script, layer } = ScriptedProviders.make()

onEveryStore(
  "keys of people's own",
  (server) => {
    const { call } = server
    const callWith = (key: string, operation: string, options: CallOptions = {}) =>
      call(operation, { ...options, as: "nobody", headers: { authorization: `Bearer ${key}` } })
    const make = async (body: object, by: typeof call = call) => {
      const answer = await by(`POST ${OWN}`, { body: { description: "laptop", ...body } })
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
      return answer.body as Key
    }
    const listed = async (key: string) =>
      Object((await callWith(key, `GET ${OWN}`)).body).api_keys as ReadonlyArray<Key>

    it("act as the person, are listed without their secret, and end at once when revoked", async () => {
      const made = await make({ expires_at: seconds() + 3_600 })
      const whoami = Object((await callWith(made.key, "GET /whoami")).body)
      assert.strictEqual(whoami.api_key.id, made.id)
      const own = (await listed(made.key)).find(({ id }) => id === made.id)
      assert.strictEqual(own?.description, "laptop")
      assert.notInclude(JSON.stringify(own), made.key)
      const entry = (await server.journal()).find(
        ({ kind, subject }) => kind === "api_key_issued" && subject.id === made.id
      )
      assert.strictEqual(entry?.actor.kind, "user")
      const path = { key_id: made.id }
      assert.strictEqual((await call(`DELETE ${OWN}/{key_id}`, { path })).body, "revoked")
      assert.strictEqual((await callWith(made.key, "GET /whoami")).status, 401)
      assert.strictEqual((await call(`DELETE ${OWN}/{key_id}`, { path })).status, 404)
    })

    it("are of the caller alone: of no other person and of no service account", async () => {
      const mine = await make({})
      const path = { key_id: mine.id }
      assert.notInclude(
        (await listed(server.keyOf("reader"))).map(({ id }) => id),
        mine.id
      )
      const other = await callWith(server.keyOf("reader"), `DELETE ${OWN}/{key_id}`, { path })
      assert.strictEqual(other.status, 404)
      await call("POST /service-accounts/{org}", { body: { name: "own", privilege: "admin" } })
      const ofBot = await call("POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: "own" },
        body: { description: "bot" }
      })
      const { key } = ofBot.body as Key
      assert.deepStrictEqual(await listed(key), [])
      const refused = await callWith(key, `POST ${OWN}`, { body: { description: "d" } })
      assert.strictEqual(refused.status, 403)
      assert.match(Object(refused.body).message, /only people have keys of their own/)
      const gone = await callWith(key, `DELETE ${OWN}/{key_id}`, { path })
      assert.strictEqual(gone.status, 404)
      assert.strictEqual((await callWith(mine.key, "GET /whoami")).status, 200)
    })

    it("have no more than the key that makes them, and a narrow one revokes itself alone", async () => {
      const scope = { permissions: ["gate"], orgs: ["acme"] }
      const narrow = await make({ scope })
      assert.deepStrictEqual(narrow.scope, scope)
      const wider = await callWith(narrow.key, `POST ${OWN}`, { body: { description: "d" } })
      assert.strictEqual(wider.status, 403)
      const same = await callWith(narrow.key, `POST ${OWN}`, {
        body: { description: "d", scope: { permissions: ["org.read"] } }
      })
      assert.deepStrictEqual(Object(same.body).scope, { permissions: ["org.read"], orgs: ["acme"] })
      const other = { path: { key_id: Object(same.body).id } }
      assert.strictEqual((await callWith(narrow.key, `DELETE ${OWN}/{key_id}`, other)).status, 403)
      const itself = { path: { key_id: narrow.id } }
      assert.strictEqual((await callWith(narrow.key, `DELETE ${OWN}/{key_id}`, itself)).status, 200)
    })

    it("refuse orgs of others, by field, and too many of them", async () => {
      const errorsOf = async (orgs: unknown) => {
        const body = { description: "d", scope: { orgs } }
        const answer = await call(`POST ${OWN}`, { body })
        assert.strictEqual(answer.status, 400, JSON.stringify(orgs))
        return Object.keys(Object(answer.body).errors)
      }
      assert.deepStrictEqual(await errorsOf(["acme", "globex"]), ["scope.orgs[1]"])
      for (const orgs of [[], Array.from({ length: 51 }, () => "acme"), "acme"])
        assert.isNotEmpty(await errorsOf(orgs))
      await make({ scope: { orgs: Array.from({ length: 50 }, () => "acme") } })
      const ofAccount = await call("POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: "own" },
        body: { description: "bot", scope: { orgs: ["acme"] } }
      })
      assert.strictEqual(ofAccount.status, 400)
    })

    it("end within the days of the org", async () => {
      await set(server, "acme", { key_max_days: 1 })
      const ask = async (expires_at: number | null) =>
        (await call(`POST ${OWN}`, { body: { description: "d", expires_at } })).status
      assert.strictEqual(await ask(seconds() + 86_400 - 60), 201)
      assert.strictEqual(await ask(seconds() + 86_400 + 60), 400)
      const endless = await call(`POST ${OWN}`, { body: { description: "d" } })
      assert.strictEqual(endless.status, 400)
      assert.match(Object(endless.body).errors.expires_at, /within 1 days in org `acme`/)
      await set(server, "acme", {})
    })

    it("need a recent sign-in where an org of the person wants one", async () => {
      await set(server, "acme", { fresh_minutes: 15, join: JOIN })
      const byKey = await call(`POST ${OWN}`, { body: { description: "d" } })
      assert.strictEqual(byKey.status, 401)
      assert.include(byKey.headers.get("www-authenticate") ?? "", 'max_age="900"')
      script.claims = { sub: "own-1", name: "Ann", groups: ["devs"], auth_time: seconds() }
      const { call: fresh } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      const made = await make({}, fresh)
      assert.strictEqual((await callWith(made.key, "GET /flows/{org}")).status, 200)
      script.claims = { ...script.claims, auth_time: seconds() - 901 }
      const { call: stale } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      assert.strictEqual((await stale(`POST ${OWN}`, { body: { description: "d" } })).status, 401)
      assert.strictEqual((await stale(`GET ${OWN}`)).status, 200)
      await set(server, "acme", {})
    })

    it("for emergencies: two of admins, which alone count where the org says so, and whose uses are told", async () => {
      const made = await make({ emergency: "acme", scope: { permissions: ["org.read"] } })
      assert.deepStrictEqual(made.scope, { permissions: ["org.read"], orgs: ["acme"] })
      const more = await Promise.all(
        [1, 2].map(() => call(`POST ${OWN}`, { body: { description: "d", emergency: "acme" } }))
      )
      const [second, third] = [201, 409].map((code) =>
        Object(more.find(({ status }) => status === code)?.body)
      )
      assert.match(third.message, /2 keys for emergencies work in org `acme`/)
      const ofMember = await callWith(server.keyOf("member"), `POST ${OWN}`, {
        body: { description: "d", emergency: "acme" }
      })
      assert.strictEqual(ofMember.status, 403)
      const elsewhere = { description: "d", emergency: "globex" }
      assert.strictEqual((await call(`POST ${OWN}`, { body: elsewhere })).status, 403)
      const both = { description: "d", emergency: "acme", scope: { orgs: ["acme"] } }
      assert.strictEqual((await call(`POST ${OWN}`, { body: both })).status, 400)

      await set(server, "acme", { personal_keys: "emergency" })
      const { status, headers, body } = await call("GET /flows/{org}")
      assert.strictEqual(status, 401)
      assert.include(headers.get("www-authenticate") ?? "", "insufficient_user_authentication")
      assert.match(Object(body).message, /this API key does not count in org `acme`/)
      assert.strictEqual((await call("GET /whoami")).status, 200)
      const uses = async () =>
        (await server.journal()).filter(
          ({ kind, subject }) => kind === "emergency_key_used" && subject.id === second.id
        )
      assert.deepStrictEqual(await uses(), [])
      assert.strictEqual((await callWith(second.key, "GET /memberships/{org}")).status, 200)
      assert.strictEqual((await callWith(second.key, "GET /flows/{org}")).status, 200)
      assert.isAtMost((await uses()).length, 2)
      const [use] = await uses()
      assert.include(use?.content ?? "", '"operation":"membership.members"')
      const bot = await callWith(second.key, "POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: "own" },
        body: { description: "bot" }
      })
      assert.strictEqual((await callWith(Object(bot.body).key, "GET /flows/{org}")).status, 200)
      const listed = await callWith(second.key, "GET /api-keys/{org}", {})
      const marked = Object(listed.body).api_keys.filter(
        ({ emergency }: { readonly emergency?: boolean }) => emergency === true
      )
      assert.sameMembers(
        marked.map(({ id }: Key) => id),
        [made.id, second.id]
      )
      await set(server, "acme", {})
      for (const { id } of [made, second])
        assert.strictEqual(
          (await call(`DELETE ${OWN}/{key_id}`, { path: { key_id: id } })).status,
          200
        )
      await make({ emergency: "acme" })
    })

    it("count in no org in which the session that made them does not", async () => {
      await set(server, "acme", { join: JOIN })
      await set(server, "globex", { join: JOIN })
      script.claims = { sub: "own-2", name: "Bea", groups: ["devs"], auth_time: seconds() }
      const { call: byCookie } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      const before = await make({}, byCookie)
      assert.isUndefined(before.scope)
      await set(server, "globex", { providers: [ProviderId.make("entra")], only: true })
      const after = await make({}, byCookie)
      assert.deepStrictEqual(after.scope, { orgs: ["acme"] })
      const at = async (key: string, org: string) =>
        (await callWith(key, "GET /flows/{org}", { path: { org } })).status
      assert.deepStrictEqual(
        [
          await at(before.key, "globex"),
          await at(after.key, "globex"),
          await at(after.key, "acme")
        ],
        [200, 403, 200]
      )
      await set(server, "acme", {})
      await set(server, "globex", {})
    })
  },
  { services: layer }
)

const JOIN: SignInSettings["join"] = [
  { provider: ProviderId.make("okta"), group: "devs", role: "reader" }
]
