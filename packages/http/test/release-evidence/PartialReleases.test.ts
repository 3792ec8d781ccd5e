/** What a person sees of releases whose flows it may not read. AC-10, AC-11 */
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { CANARY, HIDDEN, MISSING, partialWorld, text } from "../space/PartialWorld.js"

interface Shown {
  readonly totals: { readonly releases: number }
  readonly releases: ReadonlyArray<{
    readonly flow_name: string | null
    readonly hidden?: true
    readonly results: ReadonlyArray<{
      readonly state: string
      readonly attestations: ReadonlyArray<object>
    }>
  }>
}

onEveryStore("GET /release-evidence/{org} for who reads a part of the org", (server) => {
  const { call, pat, prepare } = partialWorld(server)
  beforeAll(prepare)
  const OPERATIONS = ["GET /release-evidence/{org}", "GET /release-evidence/{org}/csv"] as const

  it("AC-11: shows releases to its environments, and nothing of hidden flows", async () => {
    for (const query of ["", "?policy=mine", "?flow=mine"])
      for (const operation of OPERATIONS) {
        const answer = await pat(operation, { query })
        assert.strictEqual(answer.status, 200, text(answer))
        assert.notInclude(text(answer), CANARY)
      }
    const { releases, totals } = (await pat(OPERATIONS[0], { query: "?policy=mine" })).body as Shown
    assert.strictEqual(totals.releases, 2)
    assert.sameDeepMembers(
      releases.map(({ flow_name, hidden, results }) => ({
        flow_name,
        hidden,
        states: results.map(({ state }) => state)
      })),
      [
        { flow_name: "mine", hidden: undefined, states: ["met"] },
        { flow_name: null, hidden: true, states: ["met"] }
      ]
    )
  })

  it("AC-10: answers for hidden flows, environments and policies as for those that never were", async () => {
    for (const filter of ["flow", "environment", "policy"])
      for (const operation of OPERATIONS) {
        const [hidden, missing] = await Promise.all(
          [HIDDEN, MISSING].map((name) => pat(operation, { query: `?${filter}=${name}` }))
        )
        assert.isDefined(hidden)
        assert.isDefined(missing)
        assert.strictEqual(missing.status, 404)
        assert.strictEqual(text(hidden).replaceAll(HIDDEN, MISSING), text(missing))
      }
  })

  it("shows the whole org all of it", async () => {
    const { totals } = (await call(OPERATIONS[0])).body as Shown
    assert.strictEqual(totals.releases, 4)
  })
})
