/** Lists and comparisons of snapshots on the wire. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Line {
  readonly index: number
  readonly from: number
  readonly to: number
  readonly duration: number
}

onBothStores("GET /snapshots/{org}/{env_name}", ({ call }) => {
  const report = (env_name: string, letters: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: letters.map((letter) => ({
          digests: { [`app-${letter}`]: print(letter) },
          creationTimestamp: 7
        }))
      }
    })
  const list = (query = "", env_name = "prod") =>
    call("GET /snapshots/{org}/{env_name}", { path: { env_name }, query })
  const indexes = async (query: string) =>
    ((await list(query)).body as Array<Line>).map(({ index }) => index)
  const diff = (one: string, two: string) =>
    call("GET /env-diff/{org}", {
      query: `?snappish1=${encodeURIComponent(one)}&snappish2=${encodeURIComponent(two)}`
    })

  it("lists newest first, each from its own instant to the next one", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    assert.deepStrictEqual((await list()).body, [])
    for (const letter of ["a", "b", "c", "d", "e"]) await report("prod", [letter])
    const lines = (await list()).body as Array<Line>
    assert.deepStrictEqual(
      lines.map(({ index }) => index),
      [5, 4, 3, 2, 1]
    )
    assert.strictEqual(lines[0]?.to, 0)
    assert.strictEqual(lines[1]?.to, lines[0]?.from)
    assert.isAtLeast(lines[0]?.duration ?? -1, 0)
  })

  it("supports ranges, pages and directions", async () => {
    assert.deepStrictEqual(await indexes("?interval=2..4"), [4, 3, 2])
    assert.deepStrictEqual(await indexes("?interval=4..2&reverse=true"), [2, 3, 4])
    assert.deepStrictEqual(await indexes("?interval=~1"), [5, 4])
    assert.deepStrictEqual(await indexes("?interval=99..now"), [5])
    assert.deepStrictEqual(await indexes("?page=2&per_page=2"), [3, 2])
    assert.deepStrictEqual(await indexes("?page=9&per_page=2"), [])
    assert.deepStrictEqual(await indexes("?interval=&reverse=false"), [5, 4, 3, 2, 1])
  })

  it("reports an invalid range, page or direction", async () => {
    const { status, body } = await list("?interval=x..2")
    assert.strictEqual(status, 400)
    assert.include((body as { message: string }).message, "is not a valid snapshot index")
    for (const query of ["?reverse=maybe", "?per_page=many", "?page=0"]) {
      assert.strictEqual((await list(query)).status, 400, query)
    }
    assert.strictEqual((await list("", "nowhere")).status, 404)
  })

  it("compares two snapshots, of one environment or of two", async () => {
    await call("PUT /environments/{org}", { body: { name: "next", type: "server" } })
    await report("next", ["d", "e", "e"])
    const { status, body } = await diff("prod", "next#1")
    assert.strictEqual(status, 200)
    const shown = (fingerprint: string, counts: object) => ({
      fingerprint: print(fingerprint),
      name: `app-${fingerprint}`,
      most_recent_timestamp: 7,
      flow: "",
      commit_url: "",
      ...counts
    })
    assert.deepStrictEqual(body, {
      snappish1: { snapshot_id: "prod#5", artifacts: [] },
      snappish2: { snapshot_id: "next#1", artifacts: [shown("d", { instance_count: 1 })] },
      changed: { artifacts: [shown("e", { s1_instance_count: 1, s2_instance_count: 2 })] },
      "not-changed": { artifacts: [] }
    })
    const same = (await diff("prod~1", "prod#4")).body as Record<string, { artifacts: unknown[] }>
    assert.deepStrictEqual(
      [same.snappish1, same.snappish2, same.changed].map((part) => part?.artifacts),
      [[], [], []]
    )
  })

  it("refuses an expression without a snapshot", async () => {
    const bad = await diff("prod#x", "prod")
    assert.deepStrictEqual([bad.status, bad.body], [400, { message: "Bad snappish prod#x" }])
    assert.strictEqual((await diff("prod#9", "prod")).status, 404)
    assert.strictEqual((await diff("nowhere", "prod")).status, 404)
    assert.strictEqual((await call("GET /env-diff/{org}")).status, 400)
  })
})

onBothStores("a snapshot that does not exist", ({ call }) => {
  const refusal = (asked: string, index: number, count: number) =>
    `Org: 'acme'. Snapshot '${asked}' resolves to 'prod#${index}'. len(snapshots) == ${count}. Indexes are 1-based`

  it("is refused with the expression as it was typed", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    const get = async (snapshot_expression: string) => {
      const { status, body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name: "prod", snapshot_expression }
      })
      return [status, body]
    }
    const compare = async (snappish1: string, snappish2: string) => {
      const query = `?${new URLSearchParams({ snappish1, snappish2 })}`
      const { status, body } = await call("GET /env-diff/{org}", { query })
      return [status, body]
    }
    assert.deepStrictEqual(await get("-1"), [404, { message: refusal("prod#-1", 0, 0) }])
    assert.deepStrictEqual(await compare("prod", "prod"), [404, { message: refusal("prod", 0, 0) }])
    await call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: { artifacts: [] }
    })
    const forms = [
      ["42", "prod#42", 42],
      ["#42", "prod#42", 42],
      ["0042", "prod#0042", 42],
      ["~3", "prod#~3", -2],
      ["~003", "prod#~003", -2],
      ["@{2001-01-01T00:00:00}", "prod#@{2001-01-01T00:00:00}", 0],
      ["@{09999.weeks.ago}", "prod#@{09999.weeks.ago}", 0]
    ] as const
    for (const [typed, asked, index] of forms)
      assert.deepStrictEqual(await get(typed), [404, { message: refusal(asked, index, 1) }], typed)
    const sides = [
      ["prod#0042", 42],
      ["prod~3", -2],
      ["prod@{2001-01-01T00:00:00}", 0]
    ] as const
    for (const [asked, index] of sides) {
      const expected = [404, { message: refusal(asked, index, 1) }]
      assert.deepStrictEqual(await compare(asked, "prod"), expected)
      assert.deepStrictEqual(await compare("prod", asked), expected)
    }
  })
})
