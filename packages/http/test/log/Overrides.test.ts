/** Verification of overrides: what is stored of each is what the journal says, whatever was overridden and how. */
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect, FastCheck } from "effect"
import { assert, beforeAll, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

/** A report of every type, and every spelling of the type in an override. */
const TYPES: ReadonlyArray<{
  readonly operation: string
  readonly body: object
  readonly spellings: readonly [string, ...ReadonlyArray<string>]
}> = [
  { operation: "generic", body: { is_compliant: false }, spellings: ["generic"] },
  {
    operation: "junit",
    body: {
      junit_results: [{ name: "unit", failures: 1, errors: 0, skipped: 0, total: 1, duration: 0.5 }]
    },
    spellings: ["junit"]
  },
  { operation: "snyk", body: { snyk_results: { results: [] } }, spellings: ["snyk"] },
  {
    operation: "sonar",
    body: {
      sonar_results: {
        analysedAt: "2026-01-01",
        revision: c1,
        project: { key: "k", url: "u" }
      }
    },
    spellings: ["sonar"]
  },
  { operation: "jira", body: { jira_results: [] }, spellings: ["jira"] },
  {
    operation: "pull_request",
    body: { git_provider: "github", pull_requests: [] },
    spellings: ["pull_request"]
  },
  {
    operation: "system",
    body: { type_name: "decision", control: "CTL-1", attestation_data: { is_compliant: false } },
    spellings: ["decision", "system:decision"]
  },
  {
    operation: "system",
    body: { type_name: "sbom", attestation_data: { format: "spdx", document: {} } },
    spellings: ["sbom", "system:sbom"]
  },
  {
    operation: "custom",
    body: { type_name: "cover", attestation_data: { percent: 50 } },
    spellings: ["custom", "custom:cover"]
  },
  {
    operation: "custom",
    body: { type_name: "lint", attestation_data: {} },
    spellings: ["custom", "custom:lint"]
  }
]

/** The artifact or the slots that an attestation is about; none for the trail. */
const SCOPES = [
  {},
  { artifact_fingerprint: F },
  { target_artifacts: ["app"], artifact_fingerprint: F }
]

/** A report, or an override that spells its type. */
type Step =
  | { readonly _tag: "Report"; readonly type: (typeof TYPES)[number] }
  | { readonly _tag: "Override"; readonly spelling: string; readonly isCompliant: boolean }

const SPELLINGS = [...new Set(TYPES.flatMap(({ spellings }) => spellings))]

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({
    _tag: FastCheck.constant("Report" as const),
    type: FastCheck.constantFrom(...TYPES)
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Override" as const),
    spelling: FastCheck.constantFrom(...SPELLINGS),
    isCompliant: FastCheck.boolean()
  })
)

onBothStores("overrides and the journal", (server) => {
  const { attest, artifact, named } = evidenceOf(server, "overridden")
  let trails = 0

  const found = () =>
    server
      .run(
        Effect.gen(function* () {
          const org = (yield* (yield* OrgStore).list).find(({ name }) => name === server.org)
          return org === undefined
            ? assert.fail("there is no org")
            : yield* (yield* RecordVerification).report(org.id, 3)
        })
      )
      .then(({ findings }) => findings.map(TableFinding.print))

  const begin = async () => {
    const trail = `trail-${trails++}`
    assert.strictEqual((await artifact(trail, "app", F, c1)).status, 201)
    return trail
  }

  const send = async (trail: string, scope: object, said: Step) => {
    const common = { attestation_name: "scan", ...scope }
    const { status, body } =
      said._tag === "Report"
        ? await attest(trail, said.type.operation, { ...common, ...said.type.body })
        : await attest(trail, "override", {
            ...common,
            reason: "seen by hand",
            new_compliance_status: said.isCompliant,
            original_attestation_type: said.spelling
          })
    assert.isBelow(status, 300, JSON.stringify(body))
  }

  beforeAll(async () => {
    for (const name of ["cover", "lint"])
      await server.call("POST /custom-attestation-types/{org}", { body: { name, description: "" } })
    await server.call("POST /controls/{org}", { body: { identifier: "CTL-1", name: "one" } })
  })

  it("agree for every type, spelling and scope, and for overrides of overrides", async () => {
    for (const type of TYPES)
      for (const spelling of type.spellings)
        for (const scope of SCOPES) {
          const trail = await begin()
          await send(trail, scope, { _tag: "Report", type })
          for (const isCompliant of [true, false])
            await send(trail, scope, { _tag: "Override", spelling, isCompliant })
        }
    assert.deepStrictEqual(await found(), [])
  })

  it("agree after any sequence, and a repeated override is stored once", async () => {
    const sequences = FastCheck.tuple(
      FastCheck.array(step, { minLength: 1, maxLength: 6 }),
      FastCheck.constantFrom(...SCOPES)
    )
    await FastCheck.assert(
      FastCheck.asyncProperty(sequences, async ([steps, scope]) => {
        const trail = await begin()
        for (const said of steps) {
          await send(trail, scope, said)
          const before = (await named(trail, "scan")).length
          await send(trail, scope, said)
          assert.strictEqual((await named(trail, "scan")).length, before)
        }
      }),
      { numRuns: 12 }
    )
    assert.deepStrictEqual(await found(), [])
  })
})
