/** The history of an environment in columns, on the wire. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

interface Shown {
  readonly from: number
  readonly to: number
  readonly step: number
  readonly first: { readonly index: number; readonly timestamp: number } | null
  readonly latest: { readonly index: number; readonly timestamp: number } | null
  readonly snapshots: ReadonlyArray<number>
  readonly first_index: ReadonlyArray<number>
  readonly compliant: ReadonlyArray<number>
  readonly non_compliant: ReadonlyArray<number>
  readonly unknown: ReadonlyArray<number>
  readonly bands: ReadonlyArray<{
    readonly from: number
    readonly to: number
    readonly verdict: string
    readonly first_index: number
    readonly last_index: number
  }> | null
}

const POLICY = "_schema: https://example.org/policy/v1\nartifacts: {provenance: {required: true}}\n"
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

onBothStores("GET /snapshots/{org}/{env_name}/timeline", ({ call }) => {
  const path = { env_name: "prod" }
  const ask = (query = "", env_name = "prod") =>
    call("GET /snapshots/{org}/{env_name}/timeline", { path: { env_name }, query })
  const timeline = async (query = "") => (await ask(query)).body as Shown
  const report = (letters: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path,
      body: {
        artifacts: letters.map((letter) => ({
          digests: { app: letter.repeat(64) },
          creationTimestamp: 7
        }))
      }
    })

  it("has empty columns before the first snapshot", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    const shown = await timeline("?buckets=3")
    assert.deepStrictEqual(
      [shown.first, shown.latest, shown.snapshots, shown.first_index, shown.unknown, shown.bands],
      [null, null, [0, 0, 0], [0, 0, 0], [0, 0, 0], []]
    )
    assert.closeTo(shown.to - shown.from, 30 * 86_400, 1)
    assert.closeTo(shown.step * 3, 30 * 86_400, 1)
    assert.lengthOf((await timeline()).snapshots, 200)
  })

  it("counts snapshots and the seconds of each verdict, and names the bands", async () => {
    await report(["a"])
    await report(["b"])
    await call("PUT /policies/{org}/{name}", {
      path: { name: "known" },
      body: { policy_yaml: POLICY }
    })
    await call("POST /environments/{org}/{env_name}/policies", {
      path,
      body: { policy_names: ["known"] }
    })
    await report([])
    const shown = await timeline("?buckets=10")
    assert.deepStrictEqual([shown.first?.index, shown.latest?.index], [1, 4])
    assert.strictEqual(sum(shown.snapshots), 4)
    assert.strictEqual(shown.snapshots[9], 4)
    assert.strictEqual(shown.first_index[9], 1)
    const bands = shown.bands ?? []
    assert.deepStrictEqual(
      bands.map(({ verdict, first_index, last_index }) => [verdict, first_index, last_index]),
      [
        ["Unknown", 1, 2],
        ["NonCompliant", 3, 3],
        ["Compliant", 4, 4]
      ]
    )
    const seconds = (verdict: string) =>
      sum(bands.filter((band) => band.verdict === verdict).map(({ from, to }) => to - from))
    assert.closeTo(sum(shown.non_compliant), seconds("NonCompliant"), 0.001)
    assert.closeTo(sum(shown.unknown), seconds("Unknown"), 0.001)
    assert.closeTo(sum(shown.compliant), seconds("Compliant"), 0.001)
  })

  it("zooms into a window, with what was in force when it began", async () => {
    const { first, latest } = await timeline()
    const from = (first?.timestamp ?? 0) + 0.000_001
    const to = latest?.timestamp ?? 0
    const shown = await timeline(`?from=${from}&to=${to}&buckets=5`)
    assert.strictEqual(shown.first_index[0], 1)
    assert.strictEqual(shown.bands?.[0]?.verdict, "Unknown")
    const total = sum([...shown.compliant, ...shown.non_compliant, ...shown.unknown])
    assert.closeTo(total, to - from, 0.001)
    const later = await timeline(`?from=${to + 1_000_000}&to=${to + 1_000_001}&buckets=2`)
    assert.deepStrictEqual([later.first_index, later.bands], [[0, 0], []])
  })

  it("accepts limits, and refuses what lies beyond them", async () => {
    for (const query of ["?buckets=1", "?buckets=2000", "?from=0&to=0", "?from=9007199254"])
      assert.strictEqual((await ask(query)).status, 200, query)
    for (const [query, field] of [
      ["?buckets=0", "buckets"],
      ["?buckets=2001", "buckets"],
      ["?buckets=many", "buckets"],
      ["?from=-1", "from"],
      ["?from=2&to=1", "from"],
      ["?to=soon", "to"]
    ] as const) {
      const { status, body } = await ask(query)
      assert.strictEqual(status, 400, query)
      assert.deepStrictEqual(Object.keys((body as { errors: object }).errors), [`query.${field}`])
    }
    assert.strictEqual((await ask("", "nowhere")).status, 404)
  })
})
