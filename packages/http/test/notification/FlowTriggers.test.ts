/** What the writes of a flow add to the outbox for flow notifications. */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore, type TestServer } from "../shared/TestServer.js"

const TRIGGERS = ["ON_STARTED_TRAIL", "ON_ATTESTED_PROVENANCE", "ON_ATTESTATION", "ON_APPROVAL"]

/** The fields of a notification that tests use. */
interface Fired {
  readonly event_type: string
  readonly flow?: string
  readonly attestation?: { readonly name: string } | null
  readonly [name: string]: unknown
}

/** The notifications that wait, oldest first; none waits afterwards. */
const takeAll = async ({ run }: TestServer): Promise<ReadonlyArray<Fired>> =>
  run(
    Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const claimed = yield* outbox.claim({ limit: 100, perQueue: 100, leaseMillis: 60_000 })
      yield* outbox.settle(
        claimed.map(({ org_id, id, token }) => ({
          org_id,
          id,
          token,
          outcome: { _tag: "Delivered" as const }
        }))
      )
      return claimed.map(({ notification }): Fired => ({ ...notification }))
    })
  )

onEveryStore("the triggers of flows", (server) => {
  const { begin, artifact, generic, attest } = evidenceOf(server, "shop")
  const watch = (triggers: ReadonlyArray<string>, flows = ["shop"], path = "a") =>
    server.call("PUT /actions/{org}/flows", {
      body: {
        name: "watch",
        flows,
        triggers,
        targets: [{ type: "CHAT", webhook: `https://chat.example.org/${path}` }]
      }
    })
  const types = async () => (await takeAll(server)).map(({ event_type }) => event_type)

  it("fire for what is stored, with the trail, the artifact and the attestation", async () => {
    await server.call("PUT /flows/{org}", { body: { name: "shop", description: "" } })
    assert.strictEqual((await watch(TRIGGERS)).status, 200)
    await begin("t1")
    const [started] = await takeAll(server)
    assert.deepInclude(started, {
      event_type: "TRAIL_STARTED",
      org: server.org,
      description: "trail t1 of flow shop was begun",
      flow: "shop",
      trail: { name: "t1", status: "COMPLIANT" },
      artifact: null,
      attestation: null
    })
    await artifact("t1", "backend", F, c1)
    const shown = {
      name: "backend.tar",
      fingerprint: F,
      provenance: {
        flow: "shop",
        trail: "t1",
        slot: "backend",
        status: "COMPLIANT",
        commit: c1,
        commit_url: "https://git.example.org/1",
        build_url: "https://ci.example.org/1"
      }
    }
    const [reported] = await takeAll(server)
    assert.deepInclude(reported, { event_type: "ARTIFACT_ATTESTED", artifact: shown })
    await generic("t1", "unit", false, { artifact_fingerprint: F })
    const [attested] = await takeAll(server)
    assert.deepInclude(attested, {
      event_type: "ATTESTATION_REPORTED",
      description: "attestation unit was reported to trail t1 of flow shop: not compliant",
      trail: { name: "t1", status: "NON-COMPLIANT" }
    })
    assert.strictEqual(attested?.attestation?.name, "unit")
    const approval = await server.call("POST /approvals/{org}/{flow_name}", {
      path: { flow_name: "shop" },
      body: {
        artifact_fingerprint: F,
        description: "go",
        reviews: [{ state: "APPROVED", approved_by: "eve", approval_url: "https://example.org/1" }],
        oldest_commit: c1,
        newest_commit: c1
      }
    })
    assert.isBelow(approval.status, 300, JSON.stringify(approval.body))
    assert.deepStrictEqual(await types(), ["APPROVAL_REPORTED"])
  })

  it("fire for an override, and for a trail that a report begins", async () => {
    await attest("t1", "override", {
      attestation_name: "unit",
      original_attestation_type: "generic",
      new_compliance_status: true,
      reason: "reviewed",
      artifact_fingerprint: F
    })
    assert.deepStrictEqual(await types(), ["ATTESTATION_REPORTED"])
    await generic("t2", "unit", true)
    assert.deepStrictEqual((await types()).sort(), ["ATTESTATION_REPORTED", "TRAIL_STARTED"])
  })

  it("do not fire for a repetition, an update of a trail, or another flow", async () => {
    await begin("t1", { description: "changed" })
    await begin("t1", { description: "changed" })
    await artifact("t1", "backend", F, c1)
    await generic("t2", "unit", true)
    const other = evidenceOf(server, "other")
    await other.begin("t1")
    await other.generic("t1", "unit", true)
    assert.deepStrictEqual(await types(), [])
  })

  it("fire for each subscription and target, and for a flow that was renamed", async () => {
    await watch(["ON_STARTED_TRAIL", "ON_RELEASE"], ["shop", "other"], "b")
    await begin("t3")
    assert.deepStrictEqual(await types(), ["TRAIL_STARTED", "TRAIL_STARTED"])
    await server.call("PUT /flows/{org}/{flow_name}/rename", {
      path: { flow_name: "shop" },
      body: { new_name: "store" }
    })
    await evidenceOf(server, "store").begin("t4")
    const fired = await takeAll(server)
    assert.deepStrictEqual(
      fired.map(({ flow }) => flow),
      ["store", "store"]
    )
    assert.deepStrictEqual(
      (await server.call("DELETE /actions/{org}/{action_number}", { path: { action_number: "1" } }))
        .status,
      200
    )
    await evidenceOf(server, "store").begin("t5")
    assert.deepStrictEqual(await types(), ["TRAIL_STARTED"])
  })

  it("fire once for each of many reports that arrive together", async () => {
    await watch(["ON_ATTESTATION"], ["store"], "c")
    const { generic: report } = evidenceOf(server, "store")
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => report("t5", `check-${index % 10}`, true))
    )
    assert.deepStrictEqual(
      await types(),
      Array.from({ length: 10 }, () => "ATTESTATION_REPORTED")
    )
  })
})
