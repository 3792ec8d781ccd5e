/** Reporting artifacts: where a report goes, and when it is no news. */
import type { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { CommitSha, FlowName, SlotName, TrailName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { assert, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const { as, inOrg, journalOf, tagOf } = UseCaseLayer
const flow = FlowName.make("build")

const report: ArtifactReport = {
  fingerprint: Fingerprint.make("a".repeat(64)),
  filename: "shop.tar",
  build_url: "https://ci.example.org/1",
  commit_url: "https://git.example.org/1"
}

const placed: ArtifactReport = {
  ...report,
  trail_name: TrailName.make("run-1"),
  template_reference_name: SlotName.make("backend")
}

it.layer(UseCaseLayer.layer)("Artifacts", (it) => {
  it.effect("create the flow and the trail that they belong to", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const artifacts = yield* Artifacts
        assert.strictEqual(yield* artifacts.report(org.name, flow, placed), "created")
        deepStrictEqual(yield* journalOf(org), [
          "flow_created flow",
          "trail_reported trail",
          "artifact_creation_reported trail"
        ])
      })
    )
  )

  it.effect("are no news when they say what the newest record of the slot says", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const artifacts = yield* Artifacts
        const other = { ...placed, fingerprint: Fingerprint.make("b".repeat(64)) }
        const elsewhere = { ...placed, template_reference_name: SlotName.make("frontend") }
        const turned: ArtifactReport = { user_data: { b: 1, a: 2 }, ...placed }
        const outcomes = yield* Effect.forEach(
          [
            placed,
            placed,
            elsewhere,
            other,
            placed,
            turned,
            { ...placed, user_data: { a: 2, b: 1 } }
          ],
          (body) => artifacts.report(org.name, flow, body)
        )
        deepStrictEqual(outcomes, [
          "created",
          "unchanged",
          "created",
          "created",
          "created",
          "created",
          "unchanged"
        ])
      })
    )
  )

  it.effect("go to a trail named after their commit or content when they name none", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const artifacts = yield* Artifacts
        const commit = CommitSha.make("c".repeat(40))
        yield* artifacts.report(org.name, flow, { ...report, git_commit: commit })
        yield* artifacts.report(org.name, flow, report)
        const journal = yield* JournalStore
        const entries = yield* journal.listAfter({ org: org.id, after: 0, limit: 9 })
        const trails = entries.filter(({ kind }) => kind === "trail_reported")
        deepStrictEqual(
          trails.map(({ content }) => JSON.parse(content).name),
          [commit, report.fingerprint]
        )
      })
    )
  )

  it.effect("are reported by members, and nothing is created for others", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const artifacts = yield* Artifacts
        const reported = artifacts.report(org.name, flow, placed)
        assert.strictEqual(yield* as(org, "snapshotter")(tagOf(reported)), "AccessDenied")
        deepStrictEqual(yield* journalOf(org), [])
        assert.strictEqual(yield* as(org, "member")(reported), "created")
      })
    )
  )
})
