/** Where artifacts ran, by what is known about them, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Exposed {
  readonly environment: string
  readonly name: string
  readonly fingerprint: string
  readonly first_index: number
  readonly last_index: number | null
  readonly from: number
  readonly to: number | null
  readonly seconds: number
  readonly flow_name: string | null
  readonly trail_name: string | null
  readonly git_commit: string | null
  readonly compliant: {
    readonly at_start: boolean | null
    readonly at_end: boolean | null
    readonly seconds_non_compliant: number
  }
}

interface Answer {
  readonly exposures: ReadonlyArray<Exposed>
  readonly total_count: number
  readonly summary: {
    readonly environments: number
    readonly running_now: number
    readonly first: number | null
    readonly total_seconds: number
  }
}

const POLICY = "_schema: https://example.org/v1\nartifacts:\n  provenance:\n    required: true\n"

const shown = ({ exposures }: Answer) =>
  exposures.map(
    ({ environment, name, fingerprint, first_index, last_index }) =>
      `${environment} ${name} ${fingerprint[0]} ${first_index}-${last_index ?? ""}`
  )

onEveryStore("GET /exposure/{org}", (server) => {
  const { call } = server
  const put = (name: string, more = {}) =>
    call("PUT /environments/{org}", { body: { name, type: "server", ...more } })
  const report = (env_name: string, ...rows: ReadonlyArray<readonly [string, string]>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: rows.map(([name, letter]) => ({
          digests: { [name]: print(letter) },
          creationTimestamp: 1
        }))
      }
    })
  const ask = (query: Record<string, string> | string) =>
    call("GET /exposure/{org}", {
      query: typeof query === "string" ? query : `?${new URLSearchParams(query)}`
    })
  const list = async (query: Record<string, string> | string): Promise<Answer> => {
    const { status, body } = await ask(query)
    assert.strictEqual(status, 200)
    return body as Answer
  }

  it("has each time under each name, newest start first, and all of them together", async () => {
    await call("PUT /policies/{org}", { body: { name: "exposed", policy_file: POLICY } })
    await put("ex-1", { policies: ["exposed"] })
    await put("ex-2")
    await report("ex-1", ["app", "1"])
    await report("ex-1", ["app", "2"])
    await report("ex-2", ["there", "1"])
    await report("ex-1", ["again", "1"], ["app", "1"])
    const found = await list({ fingerprint: print("1") })
    assert.deepStrictEqual(shown(found), [
      "ex-1 again 1 3-",
      "ex-1 app 1 3-",
      "ex-2 there 1 1-",
      "ex-1 app 1 1-1"
    ])
    const [running, , there, first] = found.exposures
    assert.deepStrictEqual(
      [running, there, first].map((one) => [one?.compliant.at_start, one?.compliant.at_end]),
      [
        [false, false],
        [null, null],
        [false, false]
      ]
    )
    assert.isNotNull(first?.to ?? null)
    assert.closeTo(first?.seconds ?? 0, (first?.to ?? 0) - (first?.from ?? 0), 1e-5)
    assert.closeTo(first?.compliant.seconds_non_compliant ?? 0, first?.seconds ?? -1, 1e-5)
    assert.strictEqual(there?.compliant.seconds_non_compliant, 0)
    assert.isNull(running?.to ?? null)
    assert.isNull(running?.flow_name ?? null)
    const { environments, running_now, first: began, total_seconds } = found.summary
    assert.deepStrictEqual([environments, running_now, began], [2, 3, first?.from])
    const sum = found.exposures.reduce((total, { seconds }) => total + seconds, 0)
    assert.closeTo(total_seconds, sum, 1e-4)
  })

  it("finds them by a prefix, and by what records of the artifact say", async () => {
    const { artifact, begin } = evidenceOf(server, "exposed")
    await begin("t1")
    await artifact("t1", "web", print("3"), c1, {
      build_url: "https://ci.exposed.example.org/7",
      git_commit_info: { sha1: c1, author: "Jo Doe <jo@example.org>" },
      repo_info: { id: "ex", name: "team/exposed", url: "https://git.example.org/ex" }
    })
    await artifact("t1", "api", print("4"), c2, { build_url: "no address" })
    await put("ex-3")
    await report("ex-3", ["web", "3"], ["api", "4"])
    const three = ["ex-3 web 3 1-"]
    const both = ["ex-3 web 3 1-", "ex-3 api 4 1-"]
    for (const [query, expected] of [
      [{ fingerprint: "33333" }, three],
      [{ commit: c1, environment: "ex-3" }, three],
      [{ flow_name: "exposed" }, both],
      [{ flow_name: "exposed", template_reference_name: "web" }, three],
      [{ repo_name: "team/exposed" }, three],
      [{ author: "Jo Doe <jo@example.org>" }, three],
      [{ builder: "https://ci.exposed.example.org" }, three],
      [{ builder: "no address" }, []],
      [{ author: "Jo" }, []],
      [{ commit: "d".repeat(40) }, []],
      [{ fingerprint: print("9") }, []]
    ] as ReadonlyArray<readonly [Record<string, string>, ReadonlyArray<string>]>)
      assert.deepStrictEqual(shown(await list(query)), expected, JSON.stringify(query))
    const [one] = (await list({ author: "Jo Doe <jo@example.org>" })).exposures
    assert.deepStrictEqual(
      [one?.flow_name, one?.trail_name, one?.git_commit],
      ["exposed", "t1", c1]
    )
  })

  it("filters by environment, time and what runs, and has pages", async () => {
    const whole = await list({ fingerprint: print("1") })
    const [, , there, first] = whole.exposures
    const ended = first?.to ?? 0
    const of = (query: Record<string, string>) => list({ fingerprint: print("1"), ...query })
    assert.deepStrictEqual(shown(await of({ environment: "ex-2" })), ["ex-2 there 1 1-"])
    assert.deepStrictEqual(
      shown(await list(`?fingerprint=${print("1")}&environment=ex-2&environment=ex-1`)),
      shown(whole)
    )
    assert.deepStrictEqual(shown(await of({ running: "false" })), ["ex-1 app 1 1-1"])
    assert.lengthOf((await of({ running: "true" })).exposures, 3)
    const during = { from_timestamp: `${first?.from}`, to_timestamp: `${first?.from}` }
    assert.deepStrictEqual(shown(await of(during)), ["ex-1 app 1 1-1"])
    assert.lengthOf((await of({ from_timestamp: `${ended}` })).exposures, 3)
    assert.deepStrictEqual(shown(await of({ to_timestamp: `${there?.from}` })), [
      "ex-2 there 1 1-",
      "ex-1 app 1 1-1"
    ])
    const second = await of({ per_page: "1", page: "2" })
    assert.deepStrictEqual([shown(second), second.total_count], [["ex-1 app 1 3-"], 4])
    assert.strictEqual(second.summary.running_now, 3)
    const past = await of({ per_page: "1", page: "9" })
    assert.deepStrictEqual([shown(past), past.total_count], [[], 4])
    await put("ex-all", { type: "logical", included_environments: ["ex-1", "ex-2"] })
    assert.deepStrictEqual(shown(await of({ environment: "ex-all" })), shown(whole))
  })

  it("ends with an archived environment", async () => {
    await put("ex-4")
    await report("ex-4", ["old", "5"])
    assert.deepStrictEqual(shown(await list({ fingerprint: print("5") })), ["ex-4 old 5 1-"])
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "ex-4" } })
    const found = await list({ fingerprint: print("5") })
    assert.match(shown(found)[0] ?? "", /^ex-4-archived-at-\d+ old 5 1-1$/)
    assert.strictEqual(found.summary.running_now, 0)
  })

  it("is 404 for a name that does not exist", async () => {
    for (const query of [
      { flow_name: "nowhere" },
      { repo_name: "nowhere" },
      { fingerprint: print("1"), environment: "nowhere" }
    ])
      assert.strictEqual((await ask(query)).status, 404, JSON.stringify(query))
  })

  it("is 400 without a subject, with two, and for values out of bounds, each by its field", async () => {
    const at = { author: "a" }
    for (const [query, field] of [
      [{}, "fingerprint"],
      [{ running: "true" }, "fingerprint"],
      [{ fingerprint: "12345", commit: c1 }, "commit"],
      [{ author: "a", builder: "b" }, "builder"],
      [{ author: "a", template_reference_name: "web" }, "template_reference_name"],
      [{ fingerprint: "1234" }, "fingerprint"],
      [{ fingerprint: "1".repeat(65) }, "fingerprint"],
      [{ commit: c1.slice(1) }, "commit"],
      [{ author: "" }, "author"],
      [{ author: "a".repeat(257) }, "author"],
      [{ builder: "a".repeat(257) }, "builder"],
      [{ repo_name: "a".repeat(513) }, "repo_name"],
      [{ ...at, running: "maybe" }, "running"],
      [{ ...at, per_page: "101" }, "per_page"],
      [{ ...at, from_timestamp: "2", to_timestamp: "1" }, "from_timestamp"]
    ] as ReadonlyArray<readonly [Record<string, string>, string]>) {
      const { status, body } = await ask(query)
      assert.strictEqual(status, 400, JSON.stringify(query))
      assert.include(JSON.stringify(body), field)
    }
    for (const query of [
      { author: "a".repeat(256) },
      { builder: "a".repeat(256) },
      { fingerprint: "1".repeat(64) },
      { ...at, from_timestamp: "1", to_timestamp: "1" }
    ])
      assert.strictEqual((await ask(query)).status, 200)
  })
})
