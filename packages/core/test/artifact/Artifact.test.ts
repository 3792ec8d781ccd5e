/** Reports of artifacts: their fields, their slot, and repeated reports. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as Artifact from "../../src/artifact/Artifact.js"
import * as FieldErrors from "../../src/shared/FieldErrors.js"
import { ArtifactId, FlowId, OrgId, TrailId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { artifactReport } from "../../testing/arbitrary/Artifact.js"

const fingerprint = "a".repeat(64)

const least = { fingerprint, filename: "shop.tar", build_url: "ci/1", commit_url: "git/1" }

const errorsOf = (input: unknown): FieldErrors.FieldErrors =>
  Either.match(Schema.decodeUnknownEither(Artifact.ArtifactReport, { errors: "all" })(input), {
    onLeft: ({ issue }) => FieldErrors.fromParseIssue(issue),
    onRight: () => ({})
  })

const fieldsOf = (input: unknown) => Object.keys(errorsOf(input)).sort()

const recordOf = (report: Artifact.ArtifactReport): Artifact.Artifact => ({
  org_id: OrgId.make("org-1"),
  id: ArtifactId.make("artifact-1"),
  flow_id: FlowId.make("flow-1"),
  trail_id: TrailId.make("trail-1"),
  sequence: 1,
  repo_id: null,
  slot: Artifact.slotName(report),
  fingerprint: report.fingerprint,
  report,
  created_by: "anna",
  created_at: Timestamp.fromMicros(0)
})

describe("Artifact", () => {
  it.prop("reads back every report as it was sent", { report: artifactReport }, ({ report }) => {
    const sent: unknown = JSON.parse(JSON.stringify(report))
    assert.deepStrictEqual(Schema.decodeUnknownSync(Artifact.ArtifactReport)(sent), report)
  })

  it.prop("has a trail and a slot for every report", { report: artifactReport }, ({ report }) => {
    assert.strictEqual(
      Artifact.trailName(report),
      report.trail_name ?? report.git_commit ?? report.fingerprint
    )
    assert.strictEqual(Artifact.slotName(report), report.template_reference_name ?? "artifact")
  })

  it.prop(
    "a report repeats itself in any order of keys, and no other report",
    { one: artifactReport, other: artifactReport },
    ({ one, other }) => {
      const turned = Object.fromEntries(Object.entries(one).reverse()) as typeof one
      assert.strictEqual(Artifact.repeats(turned, recordOf(one)), true)
      const same = Artifact.repeats(other, recordOf(one))
      assert.strictEqual(same, Artifact.repeats(one, recordOf(other)))
      if (same) assert.deepStrictEqual(one, other)
      const changed = { ...one, description: `${one.description ?? ""}.` }
      assert.strictEqual(Artifact.repeats(changed, recordOf(one)), false)
    }
  )

  it("requires four fields, with an error for each", () => {
    assert.deepStrictEqual(fieldsOf(least), [])
    assert.deepStrictEqual(errorsOf({}), {
      fingerprint: "Field required [input: None]",
      filename: "Field required [input: None]",
      build_url: "Field required [input: None]",
      commit_url: "Field required [input: None]"
    })
  })

  it.each([
    [{}, []],
    [{ trail_name: "run-1", template_reference_name: "backend" }, []],
    [{ trail_name: "run-1" }, ["template_reference_name"]],
    [{ template_reference_name: "backend" }, ["trail_name"]]
  ])("takes trail and slot together or not at all: %j", (place, fields) =>
    assert.deepStrictEqual(fieldsOf({ ...least, ...place }), fields)
  )

  it.each([
    ["filename", "a", true],
    ["filename", "", false],
    ["filename", "a".repeat(1024), true],
    ["filename", "a".repeat(1025), false],
    ["build_url", "x", true],
    ["build_url", "", false],
    ["commit_url", "", false],
    ["fingerprint", "A".repeat(64), false],
    ["fingerprint", "a".repeat(63), false],
    ["git_commit", "1".repeat(40), true],
    ["git_commit", "1".repeat(7), false],
    ["git_commit", null, true],
    ["repo_url", "", true],
    ["repo_url", "https://git.example.org/acme", true],
    ["repo_url", "ftp://git.example.org", false],
    ["repo_url", "https://", false],
    ["annotations", { team: "shop" }, true],
    ["annotations", { "a team": "shop" }, false],
    ["external_urls", { run: { href: "x" } }, true],
    ["external_urls", { "a=b": { href: "x" } }, false],
    ["user_data", { any: [1, null] }, true],
    ["user_data", [1, { a: null }], true],
    ["user_data", "text", false]
  ])("%s may be %j: %s", (field, value, accepted) =>
    assert.strictEqual(fieldsOf({ ...least, [field]: value }).length === 0, accepted)
  )

  it("refuses invalid names of trails and slots", () => {
    const place = { trail_name: "-", template_reference_name: "a.b" }
    assert.deepStrictEqual(fieldsOf({ ...least, ...place }), [
      "template_reference_name",
      "trail_name"
    ])
  })
})
