/** Protections and proposals on the wire: what is held, who decides, what is made, and what the journal says of it. */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Effect, Option, Redacted } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"

const by = { kind: "system", id: "test", name: "test" } as const

/** A rule for id tokens that gives keys of a preset. */
const rulesOf = (preset: string) => ({
  rules: [
    {
      issuer: "https://issuer.example.org",
      audience: "attestry",
      subject: "repo:acme/shop:ref:refs/heads/main",
      scope: { permissions: [preset] }
    }
  ]
})

type Shown = Record<string, unknown> & {
  readonly number: number
  readonly digest: string
  readonly state: string
}

const YAML = policyYaml("  provenance:\n    required: true\n")
const OTHER = policyYaml("  provenance:\n    required: false\n")

onEveryStore("proposals", (server) => {
  const { call, journal, run } = server
  const keys = new Map<string, string>()

  /** Adds an admin with a key. */
  const person = (login: string, role: "admin" | "member" = "admin") =>
    run(
      Effect.gen(function* () {
        const org = Option.getOrThrow(
          yield* (yield* OrgStore).find({ name: OrgName.make(server.org) })
        )
        const user = yield* (yield* Memberships).add({
          org,
          login: Login.make(login),
          role,
          displayName: null,
          email: null,
          by,
          source: "script"
        })
        const { key } = yield* (yield* ApiKeys).issue({
          org: org.id,
          user: user.id,
          by,
          description: "test",
          lifetimeSeconds: null
        })
        keys.set(login, Redacted.value(key))
      })
    )
  const as = (login: string): CallOptions => ({
    as: "nobody",
    headers: { authorization: `Bearer ${keys.get(login) ?? server.keyOf("admin")}` }
  })

  const protect = (protections: ReadonlyArray<object>, who = "ada") =>
    call("PUT /protections/{org}", { ...as(who), body: { protections } })
  const putPolicy = (name: string, policy_yaml: string, who = "ada") =>
    call("PUT /policies/{org}/{name}", { ...as(who), path: { name }, body: { policy_yaml } })
  const propose = (body: object, who = "ada") =>
    call("POST /proposals/{org}", { ...as(who), body: { reason: "we need it", ...body } })
  const proposePolicy = async (name: string, policy_yaml: string, who = "ada") => {
    const made = await propose(
      { operation: "policy.put", params: { name }, body: { policy_yaml } },
      who
    )
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    return made.body as Shown
  }
  const decide = (
    what: "approve" | "reject" | "withdraw",
    { digest, number }: Pick<Shown, "number" | "digest">,
    who: string
  ) =>
    call(`POST /proposals/{org}/{number}/${what}`, {
      ...as(who),
      path: { number: String(number) },
      ...(what === "approve" ? { body: { digest } } : {})
    })
  const versionsOf = async (name: string) =>
    (
      (await call("GET /policies/{org}/{name}", { path: { name } })).body as {
        versions?: ReadonlyArray<unknown>
      }
    ).versions?.length ?? 0

  beforeAll(async () => {
    for (const login of ["tom", "zoe"]) await person(login)
    await person("mia", "member")
  })

  describe("a protected change", () => {
    it("is made by the last approval, by two people, and says so in the journal", async () => {
      assert.strictEqual((await putPolicy("gate", YAML)).status, 201)
      const none = await propose({
        operation: "policy.put",
        params: { name: "gate" },
        body: { policy_yaml: OTHER }
      })
      assert.strictEqual(none.status, 409)
      assert.strictEqual((await protect([{ kinds: ["policy"] }])).status, 200)

      const refused = await putPolicy("gate", OTHER)
      assert.strictEqual(refused.status, 403)
      assert.deepStrictEqual(refused.body, {
        message: "this change needs the approval of another person: propose it"
      })
      assert.match(
        refused.headers.get("link") ?? "",
        /\/api\/v2\/proposals\/acme>; rel="proposal"$/
      )
      // The same text changes nothing, so that nothing is held.
      assert.strictEqual((await putPolicy("gate", YAML)).status, 200)

      const made = await proposePolicy("gate", OTHER)
      assert.strictEqual(await versionsOf("gate"), 1)
      assert.deepInclude(made, { state: "made", approvals_required: 1, proposed_by: "ada" })
      assert.deepStrictEqual(made.changes, [
        {
          type: "policy",
          name: "gate",
          before: { description: "", policy_yaml: YAML, version: 1 },
          after: { description: "", policy_yaml: OTHER }
        }
      ])
      assert.strictEqual((await decide("approve", made, "ada")).status, 403)
      assert.strictEqual((await decide("approve", made, "mia")).status, 403)
      const wrong = { number: made.number, digest: "0".repeat(64) }
      assert.strictEqual((await decide("approve", wrong, "tom")).status, 409)
      const applied = await decide("approve", made, "tom")
      assert.strictEqual(applied.status, 200, JSON.stringify(applied.body))
      assert.deepInclude(applied.body as Shown, { state: "applied" })
      assert.strictEqual(await versionsOf("gate"), 2)
      assert.strictEqual((await decide("approve", made, "zoe")).status, 409)

      const entries = await journal()
      const version = entries.filter(({ kind }) => kind === "policy_version_created").at(-1)
      assert.strictEqual(version?.actor.name, "ada")
      assert.deepStrictEqual(JSON.parse(version?.content ?? "{}").proposal, {
        number: made.number,
        approved_by: ["tom"]
      })
      assert.deepStrictEqual(
        entries
          .filter(({ subject }) => subject.type === "proposal")
          .map(({ actor, kind }) => [kind, actor.name]),
        [
          ["proposal_made", "ada"],
          ["proposal_approved", "tom"],
          ["proposal_applied", "tom"]
        ]
      )
    })

    it("needs as many people as the strictest protection says at the last approval", async () => {
      await protect([{ kinds: ["policy"], approvals: 2 }, { kinds: ["policy", "control"] }])
      const made = await proposePolicy("gate", `${YAML}# two\n`)
      assert.deepInclude(made, { approvals_required: 2 })
      const first = await decide("approve", made, "tom")
      assert.deepInclude(first.body as Shown, { state: "approved" })
      assert.strictEqual(await versionsOf("gate"), 2)
      assert.strictEqual((await decide("approve", made, "tom")).status, 409)
      assert.deepInclude((await decide("approve", made, "zoe")).body as Shown, {
        state: "applied"
      })
      assert.strictEqual(await versionsOf("gate"), 3)
    })

    it("is stale once what it changes has changed", async () => {
      const [one, two] = [
        await proposePolicy("gate", `${YAML}# three\n`),
        await proposePolicy("gate", `${YAML}# four\n`)
      ]
      for (const who of ["tom", "zoe"]) await decide("approve", one, who)
      await decide("approve", two, "tom")
      const stale = await decide("approve", two, "zoe")
      assert.strictEqual(stale.status, 409, JSON.stringify(stale.body))
      const path = { number: String(two.number) }
      const shown = await call("GET /proposals/{org}/{number}", { path, as: "admin" })
      assert.deepInclude(shown.body as Shown, { state: "stale" })
      assert.strictEqual(await versionsOf("gate"), 4)
    })

    it("fails with the errors of the change when it is proposed", async () => {
      const bad = await propose({
        operation: "policy.put",
        params: { name: "gate" },
        body: { policy_yaml: "nothing" }
      })
      assert.strictEqual(bad.status, 400)
      const body = { policy_yaml: OTHER, unknown: 1 }
      assert.strictEqual(
        (await propose({ operation: "policy.put", params: { name: "gate" }, body })).status,
        400
      )
      assert.strictEqual((await propose({ operation: "policy.put" })).status, 400)
      for (const operation of ["proposal.make", "apiKey.create", "trail.begin", "nothing", ""])
        assert.strictEqual((await propose({ operation })).status, 400, operation)
      const other = { operation: "policy.put", params: { org: "globex", name: "gate" } }
      assert.strictEqual((await propose({ ...other, body: { policy_yaml: OTHER } })).status, 400)
      const control = { identifier: "C-9", name: "nine" }
      assert.strictEqual(
        (await propose({ operation: "control.create", body: control }, "mia")).status,
        403
      )
    })

    it("fails where the proposer has lost the right meanwhile", async () => {
      await protect([{ kinds: ["policy", "control"] }]).then(({ status }) =>
        assert.strictEqual(status, 403)
      )
      const made = await proposePolicy("other", YAML, "mia")
      await call("PUT /memberships/{org}/{login}", {
        ...as("ada"),
        path: { login: "mia" },
        body: { role: "reader" }
      })
      await decide("approve", made, "tom")
      const failed = await decide("approve", made, "zoe")
      assert.strictEqual(failed.status, 409)
      assert.include(JSON.stringify(failed.body), "has failed")
      assert.strictEqual(await versionsOf("other"), 0)
      await call("PUT /memberships/{org}/{login}", {
        ...as("ada"),
        path: { login: "mia" },
        body: { role: "member" }
      })
    })

    it("is rejected by another person, and withdrawn by its proposer", async () => {
      const made = await proposePolicy("other", YAML, "mia")
      assert.strictEqual((await decide("reject", made, "mia")).status, 403)
      assert.deepInclude((await decide("reject", made, "tom")).body as Shown, { state: "rejected" })
      assert.strictEqual((await decide("approve", made, "zoe")).status, 409)
      const again = await proposePolicy("other", YAML, "mia")
      assert.deepInclude((await decide("withdraw", again, "mia")).body as Shown, {
        state: "withdrawn"
      })
      const own = (await call("GET /proposals/{org}", as("mia"))).body as { total_count: number }
      const all = (await call("GET /proposals/{org}", as("tom"))).body as { total_count: number }
      assert.isBelow(own.total_count, all.total_count)
      const open = await call("GET /proposals/{org}", {
        ...as("tom"),
        query: "?state=made,approved"
      })
      assert.deepInclude(open.body as object, { total_count: 0 })
    })
  })

  describe("weakening a protection", () => {
    it("is itself held by it, and strengthening is not", async () => {
      const two = [{ kinds: ["policy"], approvals: 2 }, { kinds: ["control"] }]
      assert.strictEqual((await protect([])).status, 403)
      assert.strictEqual((await protect([{ kinds: ["policy"] }])).status, 403)
      assert.strictEqual((await protect([...two, { kinds: ["override"] }])).status, 200)
      assert.strictEqual((await protect([{ ...two[0], team: "nobody" }])).status, 400)
      const made = (await propose({ operation: "protection.put", body: { protections: [] } }))
        .body as Shown
      assert.deepInclude(made, { approvals_required: 2 })
      await decide("approve", made, "tom")
      assert.deepInclude((await decide("approve", made, "zoe")).body as Shown, {
        state: "applied"
      })
      assert.strictEqual((await putPolicy("gate", YAML)).status, 200)
    })
  })

  describe("an account", () => {
    it("may propose, and its maker may not approve", async () => {
      await call("POST /service-accounts/{org}", {
        ...as("tom"),
        body: { name: "ci", privilege: "member" }
      })
      const { body } = await call("POST /service-accounts/{org}/{name}/api-keys", {
        ...as("zoe"),
        path: { name: "ci" },
        body: { description: "ci" }
      })
      keys.set("ci", (body as { key: string }).key)
      await protect([{ kinds: ["policy"] }])
      const made = await proposePolicy("ci", YAML, "ci")
      assert.deepInclude(made, { proposer_kind: "service-account" })
      for (const who of ["tom", "zoe", "ci"])
        assert.strictEqual((await decide("approve", made, who)).status, 403, who)
      assert.deepInclude((await decide("approve", made, "ada")).body as Shown, {
        state: "applied"
      })
    })
  })

  describe("changes of every kind", () => {
    it("are held where they give, and not where they take away", async () => {
      const soon = Math.floor(Date.now() / 1_000) + 86_400
      const kinds = ["control", "attachment", "allow-list", "access", "sign-in", "override"]
      await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
      await call("PUT /teams/{org}/{team}", { path: { team: "team-a" } })
      assert.strictEqual((await protect([{ kinds: ["policy", ...kinds] }])).status, 200)
      const held: ReadonlyArray<readonly [string, CallOptions]> = [
        ["POST /controls/{org}", { body: { identifier: "C-1", name: "one" } }],
        [
          "POST /environments/{org}/{env_name}/policies",
          { path: { env_name: "prod" }, body: { policy_names: ["gate"] } }
        ],
        [
          "PATCH /environments/{org}/{env_name}",
          { path: { env_name: "prod" }, body: { policies: ["gate"] } }
        ],
        ["PUT /environments/{org}", { body: { name: "new", type: "server", policies: ["gate"] } }],
        [
          "PUT /allowlists/{org}/{env_name}",
          {
            path: { env_name: "prod" },
            body: {
              artifact_fingerprint: "a".repeat(64),
              artifact_name: "shop",
              description: "night"
            }
          }
        ],
        ["PUT /memberships/{org}/{login}", { path: { login: "mia" }, body: { role: "admin" } }],
        ["PUT /teams/{org}/{team}", { path: { team: "team-b" } }],
        ["PUT /teams/{org}/{team}/members/{login}", { path: { team: "team-a", login: "mia" } }],
        ["POST /service-accounts/{org}", { body: { name: "cd", privilege: "member" } }],
        [
          "PATCH /service-accounts/{org}/{name}",
          { path: { name: "ci" }, body: { privilege: "admin" } }
        ],
        [
          "POST /service-accounts/{org}/{name}/api-keys",
          { path: { name: "ci" }, body: { description: "for ever" } }
        ],
        [
          "POST /service-accounts/{org}/{name}/api-keys",
          {
            path: { name: "ci" },
            body: { description: "okta", expires_at: soon, scope: { permissions: ["provision"] } }
          }
        ],
        [
          "POST /service-accounts/{org}/{name}/api-keys",
          {
            path: { name: "ci" },
            body: {
              description: "okta",
              expires_at: soon,
              scope: { permissions: ["org.read", "scim.write"] }
            }
          }
        ],
        [
          "PUT /service-accounts/{org}/{name}/identity-rules",
          { path: { name: "ci" }, body: rulesOf("provision") }
        ],
        ["POST /invitations/{org}", { body: { role: "reader" } }],
        ["PUT /sign-in/{org}", { body: { session_hours: 3 } }]
      ]
      for (const [operation, options] of held) {
        const answer = await call(operation, options)
        assert.strictEqual(answer.status, 403, `${operation} ${JSON.stringify(answer.body)}`)
        assert.include(JSON.stringify(answer.body), "needs the approval", operation)
        const isSecret = /api-keys|invitations/.test(operation)
        assert.include(
          JSON.stringify(answer.body),
          isSecret ? "so it cannot be proposed: " : ": propose it",
          operation
        )
      }
      const free: ReadonlyArray<readonly [string, CallOptions]> = [
        ["PUT /environments/{org}", { body: { name: "free", type: "server" } }],
        ["PUT /memberships/{org}/{login}", { path: { login: "mia" }, body: { role: "reader" } }],
        ["POST /memberships/{org}/{login}/suspend", { path: { login: "mia" } }],
        [
          "PATCH /service-accounts/{org}/{name}",
          { path: { name: "ci" }, body: { privilege: "reader" } }
        ],
        [
          "POST /service-accounts/{org}/{name}/api-keys",
          {
            path: { name: "ci" },
            body: { description: "gate", expires_at: soon, scope: { permissions: ["gate"] } }
          }
        ],
        [
          "POST /service-accounts/{org}/{name}/api-keys",
          { path: { name: "ci" }, body: { description: "plain", expires_at: soon } }
        ],
        [
          "PUT /service-accounts/{org}/{name}/identity-rules",
          { path: { name: "ci" }, body: rulesOf("pipeline") }
        ],
        ["DELETE /teams/{org}/{team}", { path: { team: "team-a" } }]
      ]
      for (const [operation, options] of free) {
        const answer = await call(operation, options)
        assert.isBelow(answer.status, 300, `${operation} ${JSON.stringify(answer.body)}`)
      }
      const restored = await call("POST /memberships/{org}/{login}/restore", {
        path: { login: "mia" }
      })
      assert.strictEqual(restored.status, 403)
    })

    it("hold a rotation that takes away the end of a key, and no other", async () => {
      const path = { name: "ci" }
      const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
        path,
        body: { description: "ends", expires_at: Math.floor(Date.now() / 1_000) + 86_400 }
      })
      const key_id = (made.body as { readonly id: string }).id
      const rotate = (body: object) =>
        call("POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate", {
          path: { ...path, key_id },
          body
        })
      assert.strictEqual((await rotate({ expires_at: 0 })).status, 403)
      const later = Math.floor(Date.now() / 1_000) + 172_800
      assert.strictEqual((await rotate({ expires_at: later })).status, 201)
    })

    it("are made by proposals", async () => {
      const proposals: ReadonlyArray<object> = [
        { operation: "control.create", body: { identifier: "C-1", name: "one" } },
        {
          operation: "environment.attach",
          params: { env_name: "prod" },
          body: { policy_names: ["gate"] }
        },
        {
          operation: "allowList.put",
          params: { env_name: "prod" },
          body: {
            artifact_fingerprint: "a".repeat(64),
            artifact_name: "shop",
            description: "night"
          }
        },
        { operation: "membership.restore", params: { login: "mia" } },
        { operation: "membership.put", params: { login: "mia" }, body: { role: "member" } },
        { operation: "team.put", params: { team: "team-b" } },
        { operation: "team.addMember", params: { team: "team-b", login: "mia" } },
        {
          operation: "serviceAccount.update",
          params: { name: "ci" },
          body: { privilege: "member" }
        },
        { operation: "signIn.put", body: { session_hours: 3 } },
        {
          operation: "workloadIdentity.putRules",
          params: { name: "ci" },
          body: rulesOf("provision")
        }
      ]
      for (const proposal of proposals) {
        const made = await propose(proposal)
        assert.strictEqual(made.status, 201, JSON.stringify([proposal, made.body]))
        const applied = await decide("approve", made.body as Shown, "zoe")
        assert.strictEqual(applied.status, 200, JSON.stringify([proposal, applied.body]))
        assert.deepInclude(applied.body as Shown, { state: "applied" })
      }
      const { body } = await call("GET /teams/{org}/{team}/members", { path: { team: "team-b" } })
      assert.deepInclude(body as object, { total_count: 1 })
    })
  })

  it("leaves records that follow from the journal", async () => {
    const found = await run(
      Effect.gen(function* () {
        const org = Option.getOrThrow(
          yield* (yield* OrgStore).find({ name: OrgName.make(server.org) })
        )
        return yield* (yield* RecordVerification).verify(org.id, 3)
      })
    )
    assert.deepStrictEqual(found, [])
  })
})
