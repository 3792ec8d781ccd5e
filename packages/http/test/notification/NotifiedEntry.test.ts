/** Notifications name the entry of the evidence log that records their cause. */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const TARGETS = [{ type: "WEBHOOK", webhook: "https://hooks.example.org/a" }]

onEveryStore("log_entry of notifications", ({ call, run, journal }) => {
  /** The recorded notifications, by type. */
  const told = () =>
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
        return new Map(
          claimed.map(({ notification }) => [
            notification.event_type,
            "log_entry" in notification ? notification.log_entry : undefined
          ])
        )
      })
    )
  /** The kind of the entry with that id. */
  const kindOf = async (entry: string | undefined) => {
    const { body } = await call("GET /events/{org}", { query: "?limit=1000" })
    const { events } = body as { events: ReadonlyArray<{ entry: string; kind: string }> }
    return events.find((event) => event.entry === entry)?.kind
  }

  beforeAll(async () => {
    const environments = ["PUT /environments/{org}", "PUT /flows/{org}"] as const
    await call(environments[0], { body: { name: "prod", type: "docker" } })
    await call(environments[0], { body: { name: "all", type: "logical" } })
    const joined = await call("PUT /environments/{org}/{env_name}/join", {
      path: { env_name: "all" },
      body: { physical_env_name: "prod" }
    })
    assert.isBelow(joined.status, 300, JSON.stringify(joined.body))
    await call(environments[1], { body: { name: "shop", description: "" } })
    const watched = await call("PUT /organizations/{org}/environments_notifications", {
      body: {
        name: "all",
        environments: ["prod", "all"],
        targets: TARGETS,
        triggers: ["ON_STARTED_ARTIFACT", "ON_ALLOWED_ARTIFACT", "ON_NON_COMPLIANT_ENV"]
      }
    })
    assert.isBelow(watched.status, 300, JSON.stringify(watched.body))
    const followed = await call("PUT /actions/{org}/flows", {
      body: {
        name: "flows",
        flows: ["shop"],
        targets: TARGETS,
        triggers: ["ON_STARTED_TRAIL", "ON_ATTESTED_PROVENANCE", "ON_ATTESTATION", "ON_APPROVAL"]
      }
    })
    assert.strictEqual(followed.status, 200, JSON.stringify(followed.body))
  })

  it("is of the snapshot that a report makes, and among the entries of the answer", async () => {
    const answer = await call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name: "prod" },
      body: { artifacts: [{ digests: { "shop:1": "a".repeat(64) }, creationTimestamp: 1 }] }
    })
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    const entry = (await told()).get("ARTIFACT_STARTED")
    assert.include((answer.headers.get("attestry-entries") ?? "").split(", "), entry)
    assert.strictEqual(await kindOf(entry), "snapshot_created")
  })

  it("is of the entry of the allow-list that is added", async () => {
    const answer = await call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name: "prod" },
      body: { artifact_fingerprint: "c".repeat(64), artifact_name: "tool", description: "ok" }
    })
    assert.isBelow(answer.status, 300, JSON.stringify(answer.body))
    assert.strictEqual(await kindOf((await told()).get("ARTIFACT_ALLOWED")), "artifact_allowed")
  })

  it("is of what was stored about a trail, and of its begin where a report begins it", async () => {
    const { begin, artifact, generic } = evidenceOf({ call }, "shop")
    await begin("t1")
    assert.strictEqual(await kindOf((await told()).get("TRAIL_STARTED")), "trail_reported")
    await artifact("t1", "backend", F, c1)
    const reported = (await told()).get("ARTIFACT_ATTESTED")
    assert.strictEqual(await kindOf(reported), "artifact_creation_reported")
    await generic("t2", "unit", true)
    const both = await told()
    assert.strictEqual(await kindOf(both.get("TRAIL_STARTED")), "trail_reported")
    const attested = await kindOf(both.get("ATTESTATION_REPORTED"))
    assert.strictEqual(attested, "trail_attestation_reported")
    assert.notStrictEqual(both.get("TRAIL_STARTED"), both.get("ATTESTATION_REPORTED"))
    const approval = await call("POST /approvals/{org}/{flow_name}", {
      path: { flow_name: "shop" },
      body: {
        artifact_fingerprint: F,
        description: "go",
        oldest_commit: c1,
        newest_commit: c1,
        reviews: [{ state: "APPROVED", approved_by: "eve" }]
      }
    })
    assert.isBelow(approval.status, 300, JSON.stringify(approval.body))
    const approved = await kindOf((await told()).get("APPROVAL_REPORTED"))
    assert.strictEqual(approved, "artifact_approval_reported")
    assert.isNotEmpty(await journal())
  })
})
