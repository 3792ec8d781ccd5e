/** Modes of attached policies on the wire. SPEC §3.12, MODE-1 to MODE-4 */
import { assert, it } from "vitest"
import { E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml, type ShownPolicy } from "./Policies.js"
import {
  annotations,
  NEEDS_PROVENANCE,
  policyEnvironment,
  type ShownRow,
  type ShownSnapshot
} from "./PolicyEnvironment.js"

const NEEDS_SCAN = policyYaml("  attestations:\n    - {type: generic, name: scan}\n")

type Warned = ShownRow & { readonly warnings?: ReadonlyArray<Record<string, unknown>> }

/** What must not change with a warning policy: verdicts, counts and reasons. */
const verdictsOf = ({ artifact_compliance_count, artifacts, compliant }: ShownSnapshot) => [
  compliant,
  artifact_compliance_count,
  artifacts.map(({ compliant: verdict, name, reasons_for_incompliance }) => [
    name,
    verdict,
    reasons_for_incompliance
  ])
]

interface Released {
  readonly mode: string
  readonly now: object
  readonly after: object
  readonly rows_warning: number
  readonly turning_red: ReadonlyArray<unknown>
  readonly no_longer_red: ReadonlyArray<{
    readonly name: string
    readonly reasons_for_incompliance: ReadonlyArray<{ readonly policy_name: string }>
  }>
  readonly left_out: number
}

onEveryStore("modes of attached policies", (server) => {
  const { call } = server
  const attach = (env_name: string, policy_names: ReadonlyArray<string>, mode?: string) =>
    call("POST /environments/{org}/{env_name}/policies", {
      path: { env_name },
      body: { policy_names, ...(mode === undefined ? {} : { mode }) }
    })
  const modes = async (env_name: string) =>
    (
      (await call("GET /environments/{org}/{env_name}", { path: { env_name } })).body as {
        readonly policy_modes: object
      }
    ).policy_modes
  const events = async (name: string) =>
    ((await call("GET /policies/{org}/{name}", { path: { name } })).body as ShownPolicy).events.map(
      ({ data, type }) => [type, data]
    )

  it("MODE-1: a warning policy changes no verdict and no count, and is recorded and shown", async () => {
    const env = policyEnvironment(server, "warned")
    await env.create()
    await env.policy("warned-prov", NEEDS_PROVENANCE)
    await env.policy("warned-scan", NEEDS_SCAN)
    await evidenceOf(server, "warned").artifact("t1", "api", F, "c1".repeat(20))
    await env.report(["known", F], ["unknown", E])
    await env.attach("warned-prov")
    const before = await env.snapshot()
    assert.strictEqual((await attach("warned", ["warned-scan"], "warn")).status, 200)
    const during = await env.snapshot()
    assert.deepStrictEqual(verdictsOf(during), verdictsOf(before))
    assert.strictEqual(during.index, before.index + 1)
    assert.deepStrictEqual(annotations(during), ["known changed", "unknown changed"])
    assert.deepStrictEqual(await modes("warned"), {
      "warned-prov": "enforce",
      "warned-scan": "warn"
    })
    const row = during.artifacts.find(({ name }) => name === "known") as Warned
    assert.deepStrictEqual(
      row.policy_decisions.map((decision) => [
        decision.policy_name,
        decision.status,
        "mode" in decision ? decision.mode : undefined
      ]),
      [
        ["warned-prov", "COMPLIANT", undefined],
        ["warned-scan", "NON-COMPLIANT", "warn"]
      ]
    )
    assert.deepStrictEqual(
      row.warnings?.map(({ policy_name, type }) => [policy_name, type]),
      [["warned-scan", "missing_attestation"]]
    )
    assert.deepStrictEqual(
      during.applied_policies.map((policy) => ("mode" in policy ? policy.mode : undefined)),
      [undefined, "warn"]
    )
    await env.policy("warned-scan", NEEDS_PROVENANCE)
    const changed = await env.snapshot()
    assert.deepStrictEqual(verdictsOf(changed), verdictsOf(before))
    await env.detach("warned-scan")
    assert.deepStrictEqual(verdictsOf(await env.snapshot()), verdictsOf(before))
    assert.deepStrictEqual(await modes("warned"), { "warned-prov": "enforce" })
  })

  it("MODE-2, MODE-4: switching gives the verdicts of attaching, and warnings become reasons", async () => {
    const [one, two] = [policyEnvironment(server, "switched"), policyEnvironment(server, "plain")]
    await one.policy("switched", NEEDS_SCAN)
    for (const env of [one, two]) {
      await env.create()
      await env.report(["known", F], ["unknown", E])
    }
    await attach("switched", ["switched"], "warn")
    const warned = await one.snapshot()
    const counts = { true: 0, false: 0, null: 2 }
    assert.deepStrictEqual([warned.compliant, warned.artifact_compliance_count], [false, counts])
    assert.strictEqual((await one.state()).state, null)
    await attach("switched", ["switched"])
    assert.strictEqual(await one.count(), 2, "attaching again without a mode keeps the mode")
    await attach("switched", ["switched"], "enforce")
    await two.attach("switched")
    const [switched, plain] = [await one.snapshot(), await two.snapshot()]
    assert.strictEqual(switched.index, 3)
    assert.deepStrictEqual(verdictsOf(switched), verdictsOf(plain))
    assert.deepStrictEqual(
      switched.artifacts.map(({ policy_decisions }) => policy_decisions),
      plain.artifacts.map(({ policy_decisions }) => policy_decisions)
    )
    assert.deepStrictEqual(
      warned.artifacts.map((row) => (row as Warned).warnings),
      switched.artifacts.map((row) => row.reasons_for_incompliance)
    )
    assert.deepStrictEqual(await events("switched"), [
      ["policy_created", { version: 1 }],
      ["policy_attached", { environment: "switched", mode: "warn" }],
      ["policy_mode_changed", { environment: "switched", mode: "enforce" }],
      ["policy_attached", { environment: "plain" }]
    ])
  })

  it("takes modes with the settings of an environment", async () => {
    const env = policyEnvironment(server, "settings")
    await env.policy("settings-a", NEEDS_SCAN)
    await env.policy("settings-b", NEEDS_SCAN)
    await env.create({ policies: ["settings-a"], policy_modes: { "settings-a": "warn" } })
    assert.deepStrictEqual(await modes("settings"), { "settings-a": "warn" })
    const patch = (body: object) =>
      call("PATCH /environments/{org}/{env_name}", { path: { env_name: "settings" }, body })
    await patch({ policies: ["settings-b", "settings-a"] })
    assert.deepStrictEqual(await modes("settings"), {
      "settings-a": "warn",
      "settings-b": "enforce"
    })
    await patch({ policy_modes: { "settings-a": "enforce", "settings-b": "warn" } })
    assert.deepStrictEqual(await modes("settings"), {
      "settings-a": "enforce",
      "settings-b": "warn"
    })
    await env.create({ description: "kept" })
    assert.deepStrictEqual(await modes("settings"), {
      "settings-a": "enforce",
      "settings-b": "warn"
    })
    const unknown = await patch({ policy_modes: { other: "warn" } })
    assert.strictEqual(unknown.status, 400)
    assert.match(JSON.stringify(unknown.body), /policy_modes\.other/)
    const badMode = await attach("settings", ["settings-a"], "maybe")
    assert.strictEqual(badMode.status, 400)
    assert.match(JSON.stringify(badMode.body), /mode/)
  })

  it("shows what would turn red before a policy counts", async () => {
    const env = policyEnvironment(server, "previewed")
    await env.create()
    await env.policy("previewed", NEEDS_SCAN)
    await env.policy("previewed-prov", NEEDS_PROVENANCE)
    const build = evidenceOf(server, "previewed")
    await build.artifact("t1", "api", F, "c1".repeat(20))
    await build.generic("t1", "other", true)
    await env.report(["known", F], ["unknown", E])
    const preview = async (query: string) => {
      const { body, status } = await call("GET /environments/{org}/{env_name}/policies/preview", {
        path: { env_name: "previewed" },
        query
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as {
        readonly now: object
        readonly after: object
        readonly rows_warning: number
        readonly turning_red: ReadonlyArray<{ readonly name: string }>
      }
    }
    const first = await preview("?policy_name=previewed-prov")
    assert.deepStrictEqual(
      [first.now, first.after],
      [
        { true: 0, false: 0, null: 2 },
        { true: 1, false: 1, null: 0 }
      ]
    )
    assert.deepStrictEqual(
      first.turning_red.map(({ name }) => name),
      ["unknown"]
    )
    assert.strictEqual((await preview("?policy_name=previewed&mode=warn")).rows_warning, 2)
    await env.attach("previewed-prov")
    await attach("previewed", ["previewed"], "warn")
    const count = await env.count()
    const switched = await preview("")
    assert.deepStrictEqual(
      switched.turning_red.map(({ name }) => name),
      ["known"]
    )
    assert.strictEqual(await env.count(), count)
    await attach("previewed", ["previewed"], "enforce")
    const { artifact_compliance_count, artifacts } = await env.snapshot()
    assert.deepStrictEqual(artifact_compliance_count, switched.after)
    assert.isTrue(artifacts.every(({ compliant }) => !compliant))
    const missing = await call("GET /environments/{org}/{env_name}/policies/preview", {
      path: { env_name: "previewed" },
      query: "?policy_name=none"
    })
    assert.strictEqual(missing.status, 404)
  })

  it("shows what would no longer be red before a policy warns or is detached, and keeps the reason", async () => {
    const env = policyEnvironment(server, "released")
    await env.create()
    await env.policy("released", NEEDS_SCAN)
    await env.policy("released-prov", NEEDS_PROVENANCE)
    await evidenceOf(server, "released").artifact("t1", "api", F, "c1".repeat(20))
    await env.report(["known", F], ["unknown", E])
    await env.attach("released", "released-prov")
    const count = await env.count()
    const preview = async (mode: string, name = "released") =>
      (
        await call("GET /environments/{org}/{env_name}/policies/preview", {
          path: { env_name: "released" },
          query: `?policy_name=${name}&mode=${mode}`
        })
      ).body as Released
    for (const mode of ["warn", "detach"]) {
      const shown = await preview(mode)
      assert.deepStrictEqual(
        [shown.mode, shown.now, shown.after, shown.turning_red, shown.left_out],
        [mode, { true: 0, false: 2, null: 0 }, { true: 1, false: 1, null: 0 }, [], 0]
      )
      assert.deepStrictEqual(
        shown.no_longer_red.map(({ name, reasons_for_incompliance: [first] }) => [
          name,
          first?.policy_name
        ]),
        [["known", "released"]]
      )
      assert.strictEqual(shown.rows_warning, mode === "warn" ? 2 : 0)
    }
    assert.deepStrictEqual((await preview("enforce")).no_longer_red, [])
    assert.strictEqual(await env.count(), count)
    const body = { policy_names: ["released"], reason: "the scanner is down" }
    const at = { path: { env_name: "released" } }
    const detached = await call("DELETE /environments/{org}/{env_name}/policies", { ...at, body })
    assert.strictEqual(detached.status, 200)
    const after = await env.snapshot()
    assert.deepStrictEqual(after.artifact_compliance_count, { true: 1, false: 1, null: 0 })
    assert.deepStrictEqual((await preview("detach", "released-prov")).after, {
      true: 0,
      false: 0,
      null: 2
    })
    await call("POST /environments/{org}/{env_name}/policies", {
      ...at,
      body: { ...body, mode: "warn", reason: "to try it" }
    })
    assert.deepStrictEqual((await events("released")).slice(2), [
      ["policy_detached", { environment: "released", reason: "the scanner is down" }],
      ["policy_attached", { environment: "released", mode: "warn", reason: "to try it" }]
    ])
    const empty = await call("DELETE /environments/{org}/{env_name}/policies", {
      ...at,
      body: { ...body, reason: "" }
    })
    assert.strictEqual(empty.status, 400)
  })

  it("warns in logical environments without changing their verdict", async () => {
    const [group, member] = [
      policyEnvironment(server, "warn-group"),
      policyEnvironment(server, "warn-member")
    ]
    await member.create()
    await member.policy("warn-group", NEEDS_PROVENANCE)
    await group.create({ type: "logical", included_environments: ["warn-member"] })
    await member.report(["unknown", E])
    const before = await group.state()
    await attach("warn-group", ["warn-group"], "warn")
    assert.strictEqual((await group.state()).state, before.state)
    const { applied_policies } = await group.snapshot()
    assert.deepStrictEqual(
      applied_policies.map(({ failing_artifacts, name }) => [name, failing_artifacts]),
      [["warn-group", [E]]]
    )
    await attach("warn-group", ["warn-group"], "enforce")
    assert.strictEqual((await group.state()).state, false)
  })
})
