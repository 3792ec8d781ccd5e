/** The exchange of id tokens on the wire, with a real issuer; what is forged, old, or of another is refused alike. */
import { createHmac } from "node:crypto"
import { IssuerRefresh } from "@attestry/core/IssuerRefresh"
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import * as TestIssuer from "./TestIssuer.js"

const EXCHANGE = "POST /workload-identity/{org}/token"
const RULES = "PUT /service-accounts/{org}/{name}/identity-rules"
const AUDIENCE = "https://attestry.example.com"
const SUBJECT = "repo:acme/shop:ref:refs/heads/main"

const claims = (more: object = {}) => {
  const now = Math.floor(Date.now() / 1_000)
  return {
    iss: TestIssuer.ISSUER,
    aud: AUDIENCE,
    sub: SUBJECT,
    iat: now,
    nbf: now,
    exp: now + 300,
    jti: "run-7",
    repository_id: "42",
    run_id: "9876543210",
    ...more
  }
}

const RULE = {
  issuer: TestIssuer.ISSUER,
  audience: AUDIENCE,
  subject: "repo:acme/shop:**",
  claims: { repository_id: "42" }
}

const REFUSED = { message: "the id token is not accepted" }

const refreshFrom = ({ fetchJson }: TestIssuer.TestIssuer) =>
  Effect.flatMap(IssuerRefresh, ({ refresh }) => refresh(fetchJson))

onEveryStore("POST /workload-identity/{org}/token", ({ call, journal, run }) => {
  const keys = {
    first: TestIssuer.makeKey("k1", "RS256"),
    second: TestIssuer.makeKey("k2", "ES256"),
    foreign: TestIssuer.makeKey("k1", "RS256")
  }
  const started: { issuer?: TestIssuer.TestIssuer } = {}
  const issuer = (): TestIssuer.TestIssuer => {
    if (started.issuer === undefined) throw new Error("the issuer has not started")
    return started.issuer
  }
  const refresh = () => run(refreshFrom(issuer()))
  /** Fetches the keys although they were fetched just now. */
  const refreshNow = async () => {
    await run(
      Effect.flatMap(WorkloadIdentityStore, (store) => store.wantKeys(TestIssuer.ISSUER, 0))
    )
    return refresh()
  }
  const put = (name: string, rules: ReadonlyArray<object>) =>
    call(RULES, { path: { name }, body: { rules } })
  const exchange = (subject_token: string, more: object = {}) =>
    call(EXCHANGE, {
      as: "nobody",
      body: {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        subject_token,
        ...more
      }
    })
  const isRefused = async (token: string, more: object = {}) => {
    const { status, body } = await exchange(token, more)
    assert.deepStrictEqual([status, body], [401, REFUSED])
  }

  beforeAll(async () => {
    started.issuer = await TestIssuer.start([keys.first])
    for (const [name, privilege] of [
      ["ci", "member"],
      ["boss", "admin"],
      ["once", "reader"]
    ])
      await call("POST /service-accounts/{org}", { body: { name, privilege } })
  })
  afterAll(() => started.issuer?.stop())

  it("refuses every token before there is a rule, and asks no issuer", async () => {
    await isRefused(TestIssuer.signed(keys.first, claims()))
    await refresh()
    assert.lengthOf(issuer().requests, 0)
  })

  it("answers 503 until the keys of the issuer are fetched, and then a key", async () => {
    assert.strictEqual((await put("ci", [RULE])).status, 200)
    const token = TestIssuer.signed(keys.first, claims())
    const early = await exchange(token)
    assert.strictEqual(early.status, 503)
    assert.isNotNull(early.headers.get("retry-after"))
    assert.strictEqual(await refresh(), 1)
    const { status, body, headers } = await exchange(token)
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.include(headers.get("cache-control") ?? "", "no-store")
    const { access_token, ...rest } = body as { access_token: string }
    assert.deepStrictEqual(rest, {
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
      token_type: "Bearer",
      expires_in: 900,
      service_account: "ci"
    })
    assert.match(access_token, /^attestry_oidc_/)
    const asked = await call("GET /whoami", {
      as: "nobody",
      headers: { authorization: `Bearer ${access_token}` }
    })
    assert.strictEqual(asked.status, 200)
    assert.include(JSON.stringify(asked.body), '"ci"')
  })

  it("records issuer, subject, rule and run, and never the token", async () => {
    const [entry] = (await journal()).filter(({ kind }) => kind === "credential_exchanged")
    const content = JSON.parse(entry?.content ?? "{}")
    assert.deepStrictEqual(
      [content.issuer, content.subject, content.jti, content.claims, content.service_account],
      [TestIssuer.ISSUER, SUBJECT, "run-7", { repository_id: "42", run_id: "9876543210" }, "ci"]
    )
    assert.strictEqual(content.rule.subject, RULE.subject)
    assert.notMatch(entry?.content ?? "", /eyJ/)
  })

  it("refuses a token for another audience, of another subject, or without a claim", async () => {
    for (const more of [
      { aud: "https://other.example.com" },
      { aud: [] },
      { sub: "repo:acme/shop-evil:ref:refs/heads/main" },
      { sub: "repo:eve/shop:ref" },
      { repository_id: "43" },
      { repository_id: undefined },
      { repository_id: ["42"] }
    ])
      await isRefused(TestIssuer.signed(keys.first, claims(more)))
    const several = claims({ aud: ["https://other.example.com", AUDIENCE], repository_id: 42 })
    assert.strictEqual((await exchange(TestIssuer.signed(keys.first, several))).status, 200)
  })

  it("refuses a token that has ended, is not valid yet, or is too old, with a minute of leeway", async () => {
    const now = Math.floor(Date.now() / 1_000)
    const ROWS: ReadonlyArray<readonly [object, number]> = [
      [{ exp: now - 70 }, 401],
      [{ exp: now - 30 }, 200],
      [{ nbf: now + 90 }, 401],
      [{ nbf: now + 30 }, 200],
      [{ iat: now + 90 }, 401],
      [{ iat: now - 1_000, exp: now + 3_600 }, 401],
      [{ iat: now - 800, exp: now + 3_600 }, 200],
      [{ exp: undefined }, 401],
      [{ iat: undefined }, 401],
      [{ exp: "never" }, 401]
    ]
    for (const [more, status] of ROWS) {
      const answer = await exchange(TestIssuer.signed(keys.first, claims(more)))
      assert.strictEqual(answer.status, status, JSON.stringify(more))
    }
  })

  it("refuses what is not signed by a key of the issuer: none, HMAC, another key, a changed text", async () => {
    const token = TestIssuer.signed(keys.first, claims())
    const [header = "", payload = "", signature = ""] = token.split(".")
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const none = encode({ alg: "none", kid: "k1" })
    await isRefused(`${none}.${payload}.`)
    await isRefused(`${none}.${payload}.${signature}`)
    const hmac = encode({ alg: "HS256", kid: "k1" })
    const mac = createHmac("sha256", JSON.stringify(keys.first.jwk)).update(`${hmac}.${payload}`)
    await isRefused(`${hmac}.${payload}.${mac.digest("base64url")}`)
    await isRefused(TestIssuer.signed(keys.foreign, claims()))
    await isRefused(
      `${header}.${encode(claims({ repository_id: "42", sub: SUBJECT, x: 1 }))}.${signature}`
    )
    await isRefused(TestIssuer.signed(keys.first, claims(), { alg: "PS256" }))
    await isRefused(TestIssuer.signed(keys.first, claims(), { alg: "ES256" }))
    await isRefused(TestIssuer.signed(keys.first, claims(), { crit: ["b64"], b64: false }))
    await isRefused(
      TestIssuer.signed(keys.first, claims(), { kid: undefined, jwk: keys.first.jwk })
    )
    for (const text of [
      "",
      "a",
      "a.b",
      "a.b.c",
      `${token}.x`,
      ` ${token}`,
      `${header}..${signature}`
    ])
      await isRefused(text)
  })

  it("refuses a token of another issuer, and of another org, and for another account", async () => {
    await isRefused(TestIssuer.signed(keys.first, claims({ iss: `${TestIssuer.ISSUER}/` })))
    await isRefused(TestIssuer.signed(keys.first, claims({ iss: "https://evil.example.org" })))
    const token = TestIssuer.signed(keys.first, claims())
    for (const org of ["globex", "nowhere"]) {
      const answer = await call(EXCHANGE, {
        as: "nobody",
        path: { org },
        body: {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
          subject_token: token
        }
      })
      assert.deepStrictEqual([answer.status, answer.body], [401, REFUSED])
    }
    await isRefused(token, { service_account: "boss" })
    await isRefused(token, { service_account: "missing" })
  })

  it("gives the least privileged account that fits, or the one that is named", async () => {
    assert.strictEqual((await put("boss", [{ ...RULE, lifetime: 60 }])).status, 200)
    const token = TestIssuer.signed(keys.first, claims())
    const named = async (more: object) =>
      ((await exchange(token, more)).body as { service_account: string }).service_account
    assert.strictEqual(await named({}), "ci")
    assert.strictEqual(await named({ service_account: "boss" }), "boss")
    await put("boss", [])
  })

  it("accepts a token once where the rule says so, and none without an id", async () => {
    await put("once", [{ ...RULE, single_use: true }])
    const token = TestIssuer.signed(keys.first, claims({ jti: "only-once" }))
    const named = { service_account: "once" }
    const answers = await Promise.all([exchange(token, named), exchange(token, named)])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 401])
    await isRefused(TestIssuer.signed(keys.first, claims({ jti: undefined })), named)
    await put("once", [])
  })

  it("knows a key after it was rotated in, and keeps keys while the issuer is down", async () => {
    const token = TestIssuer.signed(keys.second, claims())
    issuer().published.keys = [keys.second]
    issuer().published.isDown = true
    await refresh()
    const old = TestIssuer.signed(keys.first, claims())
    assert.strictEqual((await exchange(old)).status, 200)
    issuer().published.isDown = false
    await isRefused(token)
    await refreshNow()
    assert.strictEqual((await exchange(token)).status, 200)
    await isRefused(old)
    issuer().published.keys = [keys.first]
    await refreshNow()
    assert.strictEqual((await exchange(old)).status, 200)
  })

  it("asks the issuer once for a flood of unknown keys", async () => {
    const before = issuer().requests.length
    for (let count = 0; count < 20; count++) {
      await isRefused(TestIssuer.signed({ ...keys.second, kid: `unknown-${count}` }, claims()))
      await refresh()
    }
    assert.isAtMost(issuer().requests.length - before, 2)
  })

  it("gives a key that is not rotated, is listed while it lives, and ends with its account", async () => {
    const { body } = await exchange(TestIssuer.signed(keys.first, claims()))
    const { access_token } = body as { access_token: string }
    const path = { name: "ci" }
    const listed = (await call("GET /service-accounts/{org}/{name}/api-keys", { path }))
      .body as ReadonlyArray<{ id: string; description: string }>
    const key = listed.at(-1)
    assert.strictEqual(key?.description, `id token of ${SUBJECT}`)
    const rotated = await call("POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate", {
      path: { ...path, key_id: key?.id ?? "" },
      body: {}
    })
    assert.isAtLeast(rotated.status, 400)
    await call("DELETE /service-accounts/{org}/{name}", { path })
    const asked = await call("GET /whoami", {
      as: "nobody",
      headers: { authorization: `Bearer ${access_token}` }
    })
    assert.strictEqual(asked.status, 401)
    await isRefused(TestIssuer.signed(keys.first, claims()), { service_account: "ci" })
  })

  it("answers 400 for a body that is no exchange", async () => {
    for (const body of [
      {},
      { grant_type: "password", subject_token: "x", subject_token_type: "y" },
      { subject_token: "a.b.c" }
    ]) {
      const { status } = await call(EXCHANGE, { as: "nobody", body })
      assert.strictEqual(status, 400)
    }
    const long = await exchange("x".repeat(16_385))
    assert.strictEqual(long.status, 400)
    assert.notInclude(JSON.stringify(long.body), "xxxx")
    assert.strictEqual((await exchange("x".repeat(30_000))).status, 413)
  })
})

onEveryStore("each algorithm of an id token", ({ call, run }) => {
  for (const algorithm of ["RS256", "PS256", "ES256", "ES384", "EdDSA"] as const)
    it(`${algorithm} is verified`, async () => {
      const key = TestIssuer.makeKey(`k-${algorithm}`, algorithm)
      const issuer = await TestIssuer.start([key])
      const name = `ci-${algorithm}`
      await call("POST /service-accounts/{org}", { body: { name, privilege: "member" } })
      await call(RULES, { path: { name }, body: { rules: [RULE] } })
      await run(
        Effect.flatMap(WorkloadIdentityStore, (store) => store.wantKeys(TestIssuer.ISSUER, 0))
      )
      await run(refreshFrom(issuer))
      const body = (token: string) => ({
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        subject_token: token,
        service_account: name
      })
      const token = TestIssuer.signed(key, claims())
      const right = await call(EXCHANGE, { as: "nobody", body: body(token) })
      assert.strictEqual(right.status, 200, JSON.stringify(right.body))
      const forged = TestIssuer.signed(TestIssuer.makeKey(key.kid, algorithm), claims())
      assert.strictEqual((await call(EXCHANGE, { as: "nobody", body: body(forged) })).status, 401)
      await call("DELETE /service-accounts/{org}/{name}", { path: { name } })
      await issuer.stop()
    })
})
