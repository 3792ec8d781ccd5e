/** The series of a repository's deployments. */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DeploymentSeries from "../../src/deployment/DeploymentSeries.js"
import type { DeploymentSeries as Series } from "../../src/deployment/StoredDeployment.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Fixture from "../../testing/Fixture.js"

const deployment = (deployed: number, reported: number) => ({
  deployedAt: Timestamp.fromSeconds(deployed),
  firstReportedAt: Timestamp.fromSeconds(reported)
})

describe("DeploymentSeries", () => {
  it("has lead times in the order of deployments, also negative ones", () => {
    const series = { deployments: [deployment(9, 4), deployment(10, 12)] }
    assert.deepStrictEqual(DeploymentSeries.leadTimes(series), [5, -2])
  })

  it.effect("has each physical environment that is asked for once, by name", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.newOrg
      const prod = yield* Fixture.newEnvironment(org, "prod")
      const dev = yield* Fixture.newEnvironment(org, "dev")
      const all = { ...(yield* Fixture.newEnvironment(org, "all")), type: "logical" as const }
      const known: Series = {
        environmentId: prod.id,
        environmentName: prod.name,
        deployments: [deployment(2, 1)]
      }
      assert.deepStrictEqual(DeploymentSeries.of([prod, all, dev, prod], [known]), [
        { environmentId: dev.id, environmentName: dev.name, deployments: [] },
        known
      ])
    })
  )
})
