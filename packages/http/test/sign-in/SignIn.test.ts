/** Signing in with providers on the wire: navigations, cookies, sessions org by org, and settings. */
import { createHash } from "node:crypto"
import { OrgName } from "@attestry/core/Identifier"
import { Orgs } from "@attestry/core/Orgs"
import { SignInRules } from "@attestry/core/SignInRules"
import { DEFAULTS as SETTINGS } from "@attestry/core/SignInSettings"
import { Effect } from "effect"
import { assert, beforeEach, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"
import * as Browser from "./Browser.js"
import * as ScriptedProviders from "./ScriptedProviders.js"

const DEFAULTS = {
  providers: null,
  only: false,
  session_hours: 12,
  fresh_minutes: null,
  personal_keys: "all",
  key_max_days: null,
  join: [],
  group_teams: [],
  provision_role: "none",
  offered: ["okta", "entra"]
}

const JOIN = [{ provider: "okta", group: "devs", role: "admin" }]

const { script, layer } = ScriptedProviders.make()

const set = async ({ call }: TestServer, body: object) => {
  const answer = await call("PUT /sign-in/{org}", { body })
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
}

/** WHY not over HTTP: an org that asks for a recent sign-in refuses the key of the test. */
const reset = ({ run }: TestServer) =>
  run(
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).get(OrgName.make("acme"))
      const by = { kind: "system", id: "test", name: "test" } as const
      yield* (yield* SignInRules).set(org, SETTINGS, by)
    }).pipe(Effect.orDie)
  )

const now = () => Math.floor(Date.now() / 1_000)

onEveryStore(
  "signing in with a provider",
  (server) => {
    const { call } = server

    beforeEach(async () => {
      await reset(server)
      script.failure = undefined
      script.claims = {
        sub: "u-1",
        name: "Ann",
        preferred_username: "ann",
        groups: ["devs"],
        auth_time: now()
      }
      await set(server, { join: JOIN })
    })

    it("lists providers to everybody, with where to begin", async () => {
      const answer = await call("GET /sign-in", { as: "nobody" })
      assert.deepStrictEqual(answer.body, {
        providers: [
          { id: "okta", label: "Sign in with okta", path: "/_/sign-in/okta" },
          { id: "entra", label: "Sign in with entra", path: "/_/sign-in/entra" }
        ]
      })
    })

    it("sends the browser to the provider, with a cookie for ten minutes and this path", async () => {
      const begun = await Browser.navigate(server, "/_/sign-in/okta?next=/acme&max_age=900")
      assert.strictEqual(begun.status, 302)
      assert.match(begun.location, /^https:\/\/okta\.example\.org\/authorize\?max_age=900&/)
      assert.include(begun.location, "/_/sign-in/okta/callback")
      for (const part of ["HttpOnly", "SameSite=Lax", "Max-Age=600", "Path=/_/sign-in/okta/"])
        assert.include(begun.setCookie, part)
      for (const odd of ["", "-1", "86401", "900s"]) {
        const plain = await Browser.navigate(server, `/_/sign-in/okta?max_age=${odd}`)
        assert.include(plain.location, "max_age=null", odd)
      }
    })

    it("opens a session of a new person, who has joined by a group", async () => {
      const back = await Browser.signIn(server, { next: "/acme/flows" })
      assert.deepStrictEqual([back.status, back.location], [303, "/acme/flows"])
      for (const part of ["HttpOnly", "SameSite=Strict", "Path=/;", "Max-Age=43200"])
        assert.include(back.setCookie, part)
      const { session } = await Browser.caller(server, back.cookie)
      const { actor, orgs, sign_in, signed_in, uncounted } = Object(session.body)
      assert.deepStrictEqual([actor.kind, actor.name], ["user", "Ann"])
      assert.match(actor.id, /^[0-9a-f-]{32,36}$/)
      assert.deepStrictEqual(sign_in, ["okta", "entra"])
      assert.strictEqual(signed_in.provider, "okta")
      assert.isUndefined(uncounted)
      assert.deepStrictEqual([orgs[0].name, orgs[0].role], ["acme", "admin"])
      assert.include(orgs[0].permissions, "sign-in.write")
    })

    it("writes in the name of the person, with the session as the credential", async () => {
      const { call: byCookie } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      const name = `by-ann-${Math.random().toString(36).slice(2)}`
      const put = await byCookie("PUT /flows/{org}", { body: { name, description: "" } })
      assert.strictEqual(put.status, 201)
      const entry = (await server.journal()).filter(({ kind }) => kind === "flow_created").at(-1)
      assert.deepStrictEqual([entry?.actor.kind, entry?.actor.name], ["user", "Ann"])
      assert.match(entry?.actor.credential ?? "", /^[0-9a-f-]{32}$/)
      const whoami = await byCookie("GET /whoami")
      const { api_key, name: called } = Object(whoami.body)
      assert.deepStrictEqual([called, api_key], ["Ann", null])
      const again = await byCookie("POST /session", { body: {} })
      assert.strictEqual(again.status, 400)
    })

    it("returns to a page of this host alone", async () => {
      for (const next of ["//evil.org", "/\\evil.org", "https://evil.org", `/${"a".repeat(8_192)}`])
        assert.strictEqual((await Browser.signIn(server, { next })).location, "/")
    })

    it("refuses a person whom nobody is known to be, and shows issuer and subject alone", async () => {
      script.claims = { ...script.claims, sub: "<stranger>", groups: [], email: "x@example.org" }
      const back = await Browser.signIn(server)
      assert.deepStrictEqual([back.status, back.setCookie], [403, ""])
      assert.include(back.body, "https://okta.example.org")
      assert.include(back.body, "&lt;stranger&gt;")
      assert.notInclude(back.body, "x@example.org")
      assert.notInclude(back.body, "Ann")
      const policy = back.headers["content-security-policy"] ?? ""
      assert.include(policy, "default-src 'none'")
      const [, style = ""] = /<style>(.*)<\/style>/.exec(back.body) ?? []
      assert.include(policy, `'sha256-${createHash("sha256").update(style).digest("base64")}'`)
      const { sign_ins: all } = Object((await call("GET /sign-ins/{org}")).body)
      const [newest] = all
      assert.deepStrictEqual(
        [newest.outcome, newest.subject, newest.login, newest.provider],
        ["refused", "<stranger>", null, "okta"]
      )
    })

    it("shows one page for each class of failure, and keeps it", async () => {
      for (const [failure, status] of [
        ["cancelled", 403],
        ["expired", 400],
        ["provider", 503]
      ] as const) {
        script.failure = undefined
        const begun = await Browser.navigate(server, "/_/sign-in/okta")
        script.failure = failure
        const back = await Browser.navigate(server, "/_/sign-in/okta/callback?code=c", {
          cookie: begun.cookie
        })
        assert.deepStrictEqual([back.status, back.setCookie], [status, ""])
        assert.notInclude(back.body, "as the test wants")
        const { sign_ins: all } = Object((await call("GET /sign-ins/{org}")).body)
        assert.isTrue(all.some(({ outcome }: { outcome: string }) => outcome === failure))
      }
      script.failure = "provider"
      assert.strictEqual((await Browser.navigate(server, "/_/sign-in/okta")).status, 503)
      script.failure = undefined
      const bare = await Browser.navigate(server, "/_/sign-in/okta/callback?code=c")
      assert.strictEqual(bare.status, 400)
      script.claims = { name: "nobody" }
      assert.strictEqual((await Browser.signIn(server)).status, 403)
    })

    it("answers other methods, unknown providers and other paths", async () => {
      const post = await Browser.navigate(server, "/_/sign-in/okta", { method: "POST" })
      assert.deepStrictEqual([post.status, post.headers.allow], [405, "GET"])
      assert.strictEqual((await Browser.navigate(server, "/_/sign-in/nobody")).status, 404)
      assert.strictEqual((await Browser.navigate(server, "/_/sign-in/okta/other")).status, 404)
      assert.strictEqual((await Browser.navigate(server, "/_/sign-in")).status, 404)
    })

    it("counts in the orgs that accept the provider, at once after a change", async () => {
      const { cookie } = await Browser.signIn(server)
      await set(server, { providers: ["entra"], only: true })
      const { session, call: byCookie } = await Browser.caller(server, cookie)
      const { orgs, uncounted } = Object(session.body)
      assert.deepStrictEqual([orgs, uncounted], [[], [{ name: "acme", sign_in: ["entra"] }]])
      const refused = await byCookie("GET /flows/{org}")
      assert.strictEqual(refused.status, 401)
      assert.strictEqual(
        refused.headers.get("www-authenticate"),
        'Bearer error="insufficient_user_authentication"'
      )
      assert.include(Object(refused.body).message, "entra")
      const foreign = await byCookie("GET /flows/{org}", { path: { org: "globex" } })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual((await call("GET /flows/{org}")).status, 200)
      await set(server, { join: JOIN })
      assert.strictEqual((await byCookie("GET /flows/{org}")).status, 200)
    })

    it("asks people for a recent sign-in where the org wants one, and keys not at all", async () => {
      const fresh = { join: JOIN, fresh_minutes: 15 }
      const { call: recent } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      script.claims = { ...script.claims, auth_time: now() - 901 }
      const { call: old } = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      await set(server, fresh)
      const refused = await old("PUT /sign-in/{org}", { body: fresh })
      assert.strictEqual(refused.status, 401)
      assert.strictEqual(
        refused.headers.get("www-authenticate"),
        'Bearer error="insufficient_user_authentication", max_age="900"'
      )
      assert.strictEqual((await old("GET /sign-in/{org}")).status, 200)
      const byKey = await call("PUT /sign-in/{org}", { body: fresh })
      assert.strictEqual(byKey.status, 401)
      const account = await recent("POST /service-accounts/{org}", {
        body: { name: "bot", privilege: "admin" }
      })
      assert.strictEqual(account.status, 201)
      const made = await recent("POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: "bot" },
        body: { description: "bot" }
      })
      assert.strictEqual(made.status, 201)
      const ofBot = await call("PUT /sign-in/{org}", {
        as: "nobody",
        body: { join: JOIN },
        headers: { authorization: `Bearer ${Object(made.body).key}` }
      })
      assert.strictEqual(ofBot.status, 200)
    })

    it("signs out at the provider too, where that is wanted", async () => {
      const signedIn = await Browser.caller(server, (await Browser.signIn(server)).cookie)
      const out = await signedIn.call("DELETE /session")
      assert.strictEqual(out.status, 200)
      assert.match(Object(out.body).location, /^https:\/\/okta\.example\.org\/logout\?to=http/)
      assert.strictEqual((await signedIn.call("GET /session")).status, 401)
    })

    it("links an identity to the user of a key, within five minutes, and unlinks it", async () => {
      const opened = await call("POST /session", {
        as: "nobody",
        body: { api_key: server.keyOf("reader") }
      })
      const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
      const { call: byCookie } = await Browser.caller(server, cookie)
      const path = { provider: "entra" }
      const begun = await byCookie("POST /user/identities/{provider}", {
        path,
        body: { next: "/_/preferences" }
      })
      assert.match(Object(begun.body).location, /^https:\/\/entra\.example\.org\//)
      const pending = (begun.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
      script.claims = { sub: "rob-at-entra", groups: [] }
      const back = await Browser.navigate(server, "/_/sign-in/entra/callback?code=c", {
        cookie: pending
      })
      assert.deepStrictEqual([back.status, back.location], [303, "/_/preferences"])
      const listed = await byCookie("GET /user/identities")
      const { identities } = Object(listed.body)
      assert.deepStrictEqual(
        identities.map(({ provider, subject }: { provider: string; subject: string }) => [
          provider,
          subject
        ]),
        [["entra", "rob-at-entra"]]
      )
      const signedIn = await Browser.caller(
        server,
        (await Browser.signIn(server, { provider: "entra" })).cookie
      )
      assert.strictEqual(Object(signedIn.session.body).actor.name, "rob")
      const noKey = await signedIn.call("POST /user/identities/{provider}", { path, body: {} })
      assert.strictEqual(noKey.status, 403)
      assert.strictEqual(
        (await byCookie("DELETE /user/identities/{provider}", { path })).status,
        200
      )
      assert.strictEqual((await signedIn.call("GET /session")).status, 401)
      assert.strictEqual(
        (await byCookie("DELETE /user/identities/{provider}", { path })).status,
        404
      )
    })

    it("keeps settings with their defaults, and refuses those that can admit nobody", async () => {
      await set(server, {})
      assert.deepStrictEqual((await call("GET /sign-in/{org}")).body, DEFAULTS)
      const settings = {
        providers: ["okta"],
        only: true,
        session_hours: 8,
        fresh_minutes: null,
        personal_keys: "all",
        key_max_days: 90,
        join: [{ provider: "okta", domain: "example.org", role: "reader" }],
        group_teams: [{ provider: "okta", group: "devs", team: "devs" }],
        provision_role: "reader"
      }
      await set(server, settings)
      const answer = await call("GET /sign-in/{org}")
      assert.deepStrictEqual(answer.body, { ...settings, offered: ["okta", "entra"] })
      const ask = async (body: object) => Object((await call("PUT /sign-in/{org}", { body })).body)
      const refused = await ask({
        providers: ["gone"],
        join: [{ provider: "okta", role: "admin" }]
      })
      assert.hasAllKeys(refused.errors ?? {}, ["providers[0]", "join[0]", "join[0].provider"])
      const unnamed = await ask({ join: [{ provider: "okta", group: "devs" }] })
      assert.deepStrictEqual(unnamed.join, [{ provider: "okta", group: "devs", role: "none" }])
    })

    it("keeps a team by the groups of tokens, and nobody else changes it", async () => {
      const settings = { group_teams: [{ provider: "okta", group: "devs", team: "devs" }] }
      await set(server, { join: JOIN, ...settings })
      const path = { team: "devs" }
      assert.strictEqual(
        Object((await call("GET /teams/{org}/{team}", { path })).body).kind,
        "claim"
      )
      const members = async () =>
        Object((await call("GET /teams/{org}/{team}/members", { path })).body).members.map(
          ({ login }: { readonly login: string }) => login
        )
      await Browser.signIn(server)
      const [login] = await members()
      assert.match(login, /^okta:ann/)
      const byHand = { path: { ...path, login } }
      const refused = await call("DELETE /teams/{org}/{team}/members/{login}", byHand)
      assert.strictEqual(refused.status, 409)
      script.claims = { ...script.claims, groups: [], hasgroups: true }
      await Browser.signIn(server)
      assert.deepStrictEqual(await members(), [login])
      const { groups: _left, hasgroups: _out, ...claims } = script.claims
      script.claims = claims
      await Browser.signIn(server)
      assert.deepStrictEqual(await members(), [])
      assert.strictEqual((await call("PUT /sign-in/{org}", { body: {} })).status, 200)
      assert.strictEqual(
        Object((await call("GET /teams/{org}/{team}", { path })).body).kind,
        "hand"
      )
      assert.strictEqual((await call("DELETE /teams/{org}/{team}", { path })).status, 200)
    })

    it("gives a command line a session that counts as the one of the browser", async () => {
      const { cookie } = await Browser.signIn(server)
      const { call: ask } = await Browser.caller(server, cookie)
      const verifier = "v".repeat(43)
      const challenge = createHash("sha256").update(verifier).digest("base64url")
      const offered = await ask("POST /session/codes", { body: { challenge } })
      const { code } = Object(offered.body)
      const claimed = await call("POST /session/cli", { as: "nobody", body: { code, verifier } })
      const headers = { authorization: `Bearer ${Object(claimed.body).token}` }
      const byLine = (operation: string, options: CallOptions = {}) =>
        call(operation, { ...options, as: "nobody", headers })
      const caller = await byLine("GET /whoami")
      assert.deepInclude(caller.body as object, { type: "user", name: "Ann", api_key: null })
      await set(server, { join: JOIN, only: true, fresh_minutes: 5, personal_keys: "emergency" })
      assert.strictEqual((await byLine("GET /flows/{org}")).status, 200)
      assert.strictEqual((await byLine("PUT /sign-in/{org}", { body: { only: true } })).status, 200)
      await set(server, { providers: ["entra"] })
      const elsewhere = await byLine("GET /flows/{org}")
      assert.strictEqual(elsewhere.status, 401)
      assert.match(String(Object(elsewhere.body).message), /^this session does not count in org/)
    })

    it("limits the sign-ins that one address begins", async () => {
      const remoteAddress = "192.0.2.1"
      let last = 0
      for (let turn = 0; turn < 61; turn++)
        last = (await Browser.navigate(server, "/_/sign-in/okta", { remoteAddress })).status
      assert.strictEqual(last, 429)
      const other = { remoteAddress: "192.0.2.2" }
      assert.strictEqual((await Browser.navigate(server, "/_/sign-in/okta", other)).status, 302)
    })
  },
  { services: layer }
)

onEveryStore("without providers", (server) => {
  it("answers as before: no provider, no route, no permission about them", async () => {
    const { call, keyOf } = server
    assert.deepStrictEqual((await call("GET /sign-in", { as: "nobody" })).body, { providers: [] })
    assert.strictEqual((await Browser.navigate(server, "/_/sign-in/okta")).status, 404)
    const opened = await call("POST /session", { as: "nobody", body: { api_key: keyOf("admin") } })
    const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const { session } = await Browser.caller(server, cookie)
    assert.hasAllKeys(session.body, [
      "csrf_token",
      "actor",
      "default_org",
      "orgs",
      "expires_at",
      "sign_in"
    ])
    const { orgs, sign_in } = Object(session.body)
    assert.deepStrictEqual(sign_in, [])
    assert.notInclude(orgs[0].permissions, "sign-in.write")
  })
})
