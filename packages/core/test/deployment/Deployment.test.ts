import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as Deployment from "../../src/deployment/Deployment.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as NewDeployments from "../../src/snapshot/internal/NewDeployments.js"
import * as Generated from "../../testing/EnvironmentReport.js"

const row = FastCheck.record({
  name: Generated.artifactName,
  fingerprint: Generated.reportedFingerprint
})
const rows = FastCheck.array(row, { maxLength: 6 })
const fingerprintsOf = (given: ReadonlyArray<{ readonly fingerprint: string }>) =>
  new Set(given.map(({ fingerprint }) => fingerprint))

describe("Deployment", () => {
  it.prop(
    "DEPLOY-3: exactly the fingerprints that run now and did not before",
    { before: rows, after: rows },
    (given) => {
      const found = NewDeployments.deployed(given.before, given.after)
      const running = fingerprintsOf(given.before)
      assert.deepStrictEqual(
        found.map(({ fingerprint }) => fingerprint).sort(),
        [...fingerprintsOf(given.after)].filter((one) => one !== "" && !running.has(one)).sort()
      )
    }
  )

  it.prop("a running fingerprint is not deployed again", { rows }, (given) =>
    assert.deepStrictEqual(NewDeployments.deployed(given.rows, given.rows), [])
  )

  it("a second name is no deployment, and of two names the first counts", () => {
    const [fingerprint] = Generated.fingerprints
    const named = (name: string) => ({ name, fingerprint })
    assert.deepStrictEqual(NewDeployments.deployed([named("a")], [named("a"), named("b")]), [])
    assert.deepStrictEqual(
      NewDeployments.deployed([], [named("b"), named("a")]).map(({ name }) => name),
      ["a"]
    )
    assert.deepStrictEqual(NewDeployments.deployed([], [{ name: "a", fingerprint: "" }]), [])
  })

  it("has the time from the first record to the deployment, also negative", () => {
    const { leadTimeSeconds } = Deployment
    assert.strictEqual(leadTimeSeconds(Timestamp.fromSeconds(10.5), Timestamp.fromSeconds(4)), 6.5)
    assert.strictEqual(leadTimeSeconds(Timestamp.fromSeconds(4), Timestamp.fromSeconds(10)), -6)
    assert.strictEqual(leadTimeSeconds(Timestamp.fromSeconds(4), null), null)
  })

  it("has the decided fields", () => {
    const wire = {
      id: "d-1",
      environment: "prod",
      env_name: "prod",
      fingerprint: Generated.fingerprints[0],
      name: "shop",
      artifact_name: "shop",
      flow_name: "build",
      trail_name: "t1",
      git_commit: "c".repeat(40),
      commit_url: "https://example.org/c",
      snapshot_index: 3,
      deployed_at: 12.5,
      lead_time_seconds: null,
      compliant: true,
      verdict: "Compliant" as const,
      replaced: { name: "shop", fingerprint: Generated.fingerprints[1] },
      artifact: {
        flow_name: "build",
        trail_name: "t1",
        template_reference_name: "app",
        git_commit: null,
        git_commit_info: null,
        repo_info: { name: "shop", repo_id: "1" }
      },
      replaced_artifact: {
        fingerprint: Generated.fingerprints[1],
        artifact_name: "shop",
        snapshot_index: 1,
        artifact: null
      },
      diff_url: null
    }
    const deployment = Schema.decodeUnknownSync(Deployment.Deployment)(wire)
    assert.strictEqual(deployment.deployed_at, Timestamp.fromSeconds(12.5))
    assert.deepStrictEqual(Schema.encodeUnknownSync(Deployment.Deployment)(deployment), wire)
  })
})
