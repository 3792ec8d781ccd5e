/** Policies that ask about verification and facts: by stored facts, now and as of an instant, and by the journal. */
import { CurrentActor } from "@attestry/core/Actor"
import { AttestationName } from "@attestry/core/Attestation"
import * as AttestationReport from "@attestry/core/AttestationReport"
import { Attestations } from "@attestry/core/Attestations"
import { AttestationTypeName } from "@attestry/core/AttestationType"
import { FlowName, TrailName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import * as Fixture from "@attestry/core/testing/Fixture"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"
import { policyEnvironment } from "./PolicyEnvironment.js"

const TEXT = `_schema: https://example.org/schemas/environment-policy/v2
artifacts:
  attestations:
    - type: custom:attestry-scan
      must_be_verified: true
      where: \${{ facts.counts.critical == 0 }}
`

interface Assertion {
  readonly compliant: boolean
  readonly reasons_for_incompliance: ReadonlyArray<{ readonly type: string }>
}

onBothStores("facts of evidence", (server) => {
  const { call } = server
  const theOrg = Effect.gen(function* () {
    const org = (yield* (yield* OrgStore).list).find(({ name }) => name === server.org)
    return org ?? assert.fail("there is no org")
  })

  /** WHY not over the wire: evidence files alone make attestations of this type. */
  const scan = (state: string, critical: number) =>
    server.run(
      Effect.gen(function* () {
        const org = yield* theOrg
        const path = { org: org.name, flow: FlowName.make("build"), trail: TrailName.make("t1") }
        const body = {
          attestation_name: AttestationName.make("scan"),
          type_name: AttestationTypeName.make("attestry-scan"),
          attestation_data: { kind: "scan", counts: { critical }, verification: { state } }
        }
        const evaluated = { version: 1, isCompliant: true }
        const attestations = yield* Attestations
        yield* attestations
          .report(path, AttestationReport.custom(body, evaluated), [])
          .pipe(Effect.provideService(CurrentActor, Fixture.actor([org, "member"])))
      })
    )

  const ask = async (query = "") => {
    const { body } = await call("GET /asserts/{org}/fingerprint/{fingerprint}", {
      path: { fingerprint: F },
      query: `?policy_name=scan${query}`
    })
    const { compliant, reasons_for_incompliance } = body as Assertion
    return [compliant, ...reasons_for_incompliance.map(({ type }) => type)]
  }

  it("decide as they are stored, and verification finds them in the journal", async () => {
    await evidenceOf(server, "build").artifact("t1", "api", F, c1)
    await policyEnvironment(server, "gate").policy("scan", TEXT)
    assert.deepStrictEqual(await ask(), [false, "missing_attestation"])
    await scan("unsigned", 0)
    assert.deepStrictEqual(await ask(), [false, "unverified_attestation"])
    await scan("verified", 2)
    assert.deepStrictEqual(await ask(), [false, "unmet_facts"])
    await scan("verified", 0)
    assert.deepStrictEqual(await ask(), [true])
    const asOf = Math.ceil(Date.now() / 1_000)
    assert.deepStrictEqual(await ask(`&as_of=${asOf}`), [true])
    const { findings } = await server.run(
      Effect.gen(function* () {
        return yield* (yield* RecordVerification).report((yield* theOrg).id, 3)
      })
    )
    assert.deepStrictEqual(findings.map(TableFinding.print), [])
  })
})
