/** Waivers on the wire: requests, decisions, their effect on rows and gates, lists, debt and settings. */
import { wrap } from "@attestry/core/PolicyExpression"
import { assert, describe, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"

const DAY = 86_400
const FINGERPRINT = "a".repeat(64)
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * DAY

type Shown = Record<string, unknown> & { readonly number: number }
type As = CallOptions["as"]

onEveryStore("waivers", ({ call, journal }) => {
  const request = (fields: object = {}, as: As = "member") =>
    call("POST /waivers/{org}", {
      body: {
        policy_name: "rules",
        reason: "the scanner is down",
        owner: "max",
        expires_at: inDays(3),
        ...fields
      },
      ...(as === undefined ? {} : { as })
    })
  const decide = (
    what: "approve" | "reject" | "revoke",
    number: number,
    options: CallOptions = {}
  ) =>
    call(`POST /waivers/{org}/{number}/${what}`, { path: { number: String(number) }, ...options })
  const get = async (number: number) =>
    (await call("GET /waivers/{org}/{number}", { path: { number: String(number) } })).body as Shown
  const snapshot = async () =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name: "prod", snapshot_expression: "-1" }
      })
    ).body as Record<string, unknown> & {
      readonly artifacts: ReadonlyArray<Record<string, unknown>>
    }

  const prepare = async () => {
    await call("PUT /policies/{org}/{name}", {
      path: { name: "rules" },
      body: { policy_yaml: policyYaml("  provenance:\n    required: true\n") }
    })
    await call("PUT /environments/{org}", {
      body: { name: "prod", type: "server", policies: ["rules"] }
    })
    await call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: { artifacts: [{ digests: { shop: FINGERPRINT }, creationTimestamp: 1 }] }
    })
  }

  describe("a waiver", () => {
    it("is requested, approved by another user, shown on rows and gates, and revoked", async () => {
      await prepare()
      const before = await snapshot()
      assert.deepInclude(before, { compliant: false })
      assert.notProperty(before, "waived_rows")
      const made = await request({ environment: "prod", if: wrap('artifact.name == "shop"') })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const { number, ...shown } = made.body as Shown
      assert.deepInclude(shown, {
        state: "requested",
        policy_name: "rules",
        rule: null,
        environment: "prod",
        if: wrap('artifact.name == "shop"'),
        owner: "max",
        ticket_url: null,
        extends: null,
        requested_by: "max",
        approvals_required: 1,
        approver_role: "admin",
        approvals: [],
        activated_at: null,
        rejected: null,
        revoked: null
      })
      assert.strictEqual((await decide("approve", number, { as: "member" })).status, 403)
      const approved = await decide("approve", number, { body: { comment: "until Friday" } })
      assert.deepInclude(approved.body, { state: "active" })
      const waived = {
        waiver: number,
        policy_name: "rules",
        rule_index: 0,
        flow_name: null,
        expires_at: shown.expires_at
      }
      const after = await snapshot()
      assert.deepInclude(after, { compliant: true, waived_rows: 1 })
      assert.deepInclude(after.artifacts[0], { compliant: true, waived: [waived] })
      assert.deepInclude(await get(number), {
        in_use: [{ environment: "prod", rows: 1 }],
        orphan: null
      })
      assert.strictEqual((await decide("approve", number)).status, 409)
      const debt = await call("GET /waivers/{org}/debt")
      assert.deepInclude(debt.body, { active: 1, rows_waived: 1, requested: 0, orphans: 0 })
      const revoked = await decide("revoke", number, {
        as: "member",
        body: { reason: "it is up again" }
      })
      assert.deepInclude(revoked.body, { state: "revoked" })
      assert.deepInclude(await snapshot(), { compliant: false })
      assert.deepStrictEqual(
        (await journal())
          .filter(({ subject }) => subject.type === "waiver")
          .map(({ kind }) => kind),
        ["waiver_requested", "waiver_approved", "waiver_activated", "waiver_revoked"]
      )
    })

    it("opens the gate of its environment, for an artifact that no flow knows", async () => {
      const { number } = (await request({ artifact_fingerprint: FINGERPRINT }, "admin"))
        .body as Shown
      const gate = async () =>
        (
          await call("GET /asserts/{org}/fingerprint/{fingerprint}", {
            path: { fingerprint: FINGERPRINT },
            query: "?environment_name=prod"
          })
        ).body
      assert.deepInclude(await gate(), { compliant: false })
      assert.strictEqual((await decide("approve", number)).status, 403)
      await call("PUT /waiver-settings/{org}", {
        body: { max_days: 7, approvals_required: 0, approver_role: "admin", self_approval: false }
      })
      const free = (await request({ artifact_fingerprint: FINGERPRINT })).body as Shown
      assert.deepInclude(free, {
        state: "active",
        if: wrap(`artifact.fingerprint == "${FINGERPRINT}"`)
      })
      assert.deepInclude(await gate(), { compliant: true })
      await decide("reject", number, { as: "member" })
      await decide("revoke", free.number, { body: { reason: "done" } })
      assert.deepInclude(await gate(), { compliant: false })
    })

    it("is refused with every problem at once", async () => {
      const { body, status } = await request({
        owner: "fay",
        expires_at: inDays(8),
        if: "true",
        rule: { type: "attestation", attestation_type: "snyk" },
        extends: 999
      })
      assert.strictEqual(status, 400)
      const { errors } = body as { readonly errors: Record<string, string> }
      assert.deepStrictEqual(Object.keys(errors).sort(), [
        "expires_at",
        "extends",
        "if",
        "owner",
        "rule"
      ])
      assert.strictEqual((await request({ reason: " " })).status, 400)
      assert.strictEqual((await request({ ticket_url: "http://tickets.example.org" })).status, 400)
      assert.strictEqual((await request({ policy_name: "none" })).status, 404)
      assert.strictEqual((await request({ environment: "none" })).status, 404)
    })

    it("is listed by state, policy, environment and owner, newest first", async () => {
      const list = async (query: string) =>
        (
          (await call("GET /waivers/{org}", { query })).body as {
            readonly waivers: ReadonlyArray<Shown>
            readonly total_count: number
          }
        ).waivers.map(({ number }) => number)
      const all = await list("")
      assert.deepStrictEqual(
        all,
        [...all].sort((left, right) => right - left)
      )
      assert.deepStrictEqual(await list("?state=revoked,rejected&policy_name=rules"), [3, 1])
      assert.deepStrictEqual(await list("?environment=prod"), [1])
      assert.deepStrictEqual(await list("?owner=nobody"), [])
      assert.deepStrictEqual(await list("?state=active"), [])
      assert.strictEqual((await call("GET /waivers/{org}", { query: "?state=gone" })).status, 400)
    })
  })
})
