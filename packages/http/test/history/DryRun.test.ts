/** Dry runs of policies on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

const policy = (rules: string) => `_schema: https://example.org/v1\nartifacts:\n${rules}`
const PROVENANCE = policy("  provenance:\n    required: true\n")
const NEVER = policy("  attestations:\n    - name: never\n      type: generic\n")
const SCANNED = policy("  attestations:\n    - name: scan\n      type: generic\n")

interface Row {
  readonly name: string
  readonly member?: string
  readonly compliant: boolean | null
  readonly was: boolean | null
  readonly policy_decisions: ReadonlyArray<{
    readonly policy_name: string
    readonly policy_version: number | null
    readonly status: string
    readonly environment?: string
  }>
  readonly reasons_for_incompliance: ReadonlyArray<unknown>
  readonly remedies?: ReadonlyArray<unknown>
}

interface Answer {
  readonly compliant: boolean | null
  readonly counts: { readonly true: number; readonly false: number; readonly null: number }
  readonly snapshot: { readonly index: number; readonly compliant: boolean | null } | null
  readonly remarks: ReadonlyArray<{ readonly code: string }>
  readonly rows: ReadonlyArray<Row>
  readonly left_out: number
}

onBothStores("POST /policies/{org}/dry-run", (server) => {
  const { call } = server
  const ask = (body: object) => call("POST /policies/{org}/dry-run", { body })
  const run = async (body: object): Promise<Answer> => {
    const { status, body: answer } = await ask(body)
    assert.strictEqual(status, 200, JSON.stringify(answer))
    return answer as Answer
  }
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
  const evidence = evidenceOf(server, "dry")

  it("evaluates a snapshot in the place of the attached policy, by what it was evaluated by", async () => {
    await call("PUT /policies/{org}", { body: { name: "dry", policy_file: PROVENANCE } })
    await call("PUT /environments/{org}", {
      body: { name: "dry-1", type: "server", policies: ["dry"] }
    })
    await evidence.begin("t1")
    await evidence.artifact("t1", "app", print("a"), c1)
    await report("dry-1", ["app", "a"], ["other", "b"])
    const same = await run({
      candidate: { policy_name: "dry" },
      on: { environment: "dry-1", snapshot: "~0" },
      show: "all"
    })
    assert.deepStrictEqual(same.counts, { true: 1, false: 1, null: 0 })
    assert.strictEqual(same.compliant, false)
    assert.strictEqual(same.snapshot?.index, 1)
    for (const { compliant, was } of same.rows) assert.strictEqual(compliant, was)
    const on = { environment: "dry-1" }
    const flips = await run({ candidate: { policy_name: "dry" }, on, show: "flips" })
    assert.deepStrictEqual(flips.rows, [])
    const scanned = await run({ candidate: { policy_yaml: SCANNED, name: "dry" }, on })
    assert.deepStrictEqual(scanned.rows.map(({ name, was }) => [name, was]).sort(), [
      ["app", true],
      ["other", false]
    ])
    assert.deepStrictEqual(
      scanned.rows[0]?.policy_decisions.map(({ policy_name, policy_version }) => [
        policy_name,
        policy_version
      ]),
      [["dry", null]]
    )
    const beside = await run({ candidate: { policy_yaml: SCANNED }, on, remedies: 1 })
    assert.deepStrictEqual(
      beside.rows[0]?.policy_decisions.map(({ policy_name }) => policy_name),
      ["candidate", "dry"]
    )
    assert.isNotEmpty(beside.rows.find(({ name }) => name === "app")?.remedies ?? [])
  })

  it("knows later evidence only when it is asked about now, or about a later time", async () => {
    await evidence.generic("t1", "scan", true, { artifact_fingerprint: print("a") })
    const candidate = { policy_yaml: SCANNED, name: "dry" }
    const on = { environment: "dry-1", snapshot: "1" }
    const failing = async (as_of: unknown) =>
      (await run({ candidate, on, as_of })).rows.map(({ name }) => name).sort()
    assert.deepStrictEqual(await failing("judged"), ["app", "other"])
    assert.deepStrictEqual(await failing("now"), ["other"])
    assert.deepStrictEqual(await failing(1_000_000_000), ["app", "other"])
    assert.deepStrictEqual(await failing(4_000_000_000), ["other"])
  })

  it("heeds the allow-list among attached policies, and not alone", async () => {
    await call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name: "dry-1" },
      body: { artifact_fingerprint: print("b"), artifact_name: "other", description: "known" }
    })
    const body = { candidate: { policy_yaml: SCANNED, name: "dry" }, on: { environment: "dry-1" } }
    const names = ({ rows }: Answer) => rows.map(({ name }) => name)
    assert.deepStrictEqual(names(await run({ ...body, as_of: "now" })), [])
    assert.deepStrictEqual(names(await run({ ...body, as_of: "now", against: "alone" })), ["other"])
  })

  it("evaluates an artifact, in an environment or alone, and facts", async () => {
    const candidate = { policy_yaml: SCANNED, name: "dry" }
    const fingerprint = print("a")
    const alone = await run({ candidate, on: { fingerprint }, show: "all" })
    assert.deepStrictEqual(
      alone.rows.map(({ compliant, name, was }) => [name, compliant, was]),
      [["app.tar", true, null]]
    )
    const placed = await run({
      candidate,
      on: { fingerprint, environment: "dry-1", flow_name: "dry" },
      show: "all"
    })
    assert.deepStrictEqual(
      placed.rows.map(({ compliant, was }) => [compliant, was]),
      [[true, true]]
    )
    const { body: facts } = await call("GET /facts/{org}/{fingerprint}", { path: { fingerprint } })
    const given = await run({ candidate, on: { facts: [facts] }, show: "all" })
    assert.deepStrictEqual(given.rows[0]?.policy_decisions, alone.rows[0]?.policy_decisions)
  })

  it("evaluates the rows of members of a logical environment, including its policies", async () => {
    await call("PUT /policies/{org}", { body: { name: "dry-group", policy_file: SCANNED } })
    await call("PUT /environments/{org}", { body: { name: "dry-2", type: "server" } })
    await call("PUT /environments/{org}", {
      body: {
        name: "dry-all",
        type: "logical",
        policies: ["dry-group"],
        included_environments: ["dry-1", "dry-2"]
      }
    })
    await report("dry-2", ["app", "a"], ["third", "c"])
    const on = { environment: "dry-all" }
    const same = await run({ candidate: { policy_name: "dry-group" }, on, show: "all" })
    for (const { compliant, name, was } of same.rows) assert.strictEqual(compliant, was, name)
    assert.strictEqual(same.compliant, same.snapshot?.compliant)
    const shown = ({ rows }: Answer) =>
      rows.map(({ compliant, member, name }) => [member, name, compliant]).sort()
    assert.deepStrictEqual(shown(same), [
      ["dry-1", "app", true],
      ["dry-1", "other", true],
      ["dry-2", "app", null],
      ["dry-2", "third", false]
    ])
    const own = await run({
      candidate: { policy_yaml: PROVENANCE, name: "dry-group" },
      on,
      show: "all"
    })
    assert.deepStrictEqual(
      own.rows
        .find(({ member, name }) => member === "dry-1" && name === "app")
        ?.policy_decisions.map(({ environment, policy_name, policy_version, status }) => [
          environment,
          policy_name,
          policy_version,
          status
        ]),
      [
        ["dry-1", "dry", 1, "COMPLIANT"],
        ["dry-all", "dry-group", null, "COMPLIANT"]
      ]
    )
    const inMember = await run({ candidate: { policy_yaml: NEVER, name: "dry" }, on })
    assert.deepStrictEqual(shown(inMember), [
      ["dry-1", "app", false],
      ["dry-2", "third", false]
    ])
    const beside = await run({ candidate: { policy_yaml: NEVER }, on, remedies: 1 })
    assert.deepStrictEqual(
      shown(beside).map(([member, name]) => [member, name]),
      [
        ["dry-1", "app"],
        ["dry-2", "app"],
        ["dry-2", "third"]
      ],
      "what is allowed in its member stays compliant"
    )
    for (const { name, remedies = [] } of beside.rows)
      assert.strictEqual(remedies.length > 0, name === "app", "what no flow knows has no remedy")
    const alone = await run({ candidate: { policy_yaml: SCANNED }, on, against: "alone" })
    assert.deepStrictEqual(shown(alone), [
      ["dry-1", "other", false],
      ["dry-2", "third", false]
    ])
    assert.strictEqual(
      (await ask({ candidate: { policy_name: "dry" }, on: { ...on, snapshot: "99" } })).status,
      404
    )
  })

  it("stores nothing, and leaves pending work pending", async () => {
    const before = await call("GET /journal/{org}")
    await run({ candidate: { policy_yaml: SCANNED }, on: { environment: "dry-1" } })
    assert.deepStrictEqual((await call("GET /journal/{org}")).body, before.body)
  })

  it("says what is probably a mistake", async () => {
    const text = policy(
      "  attestations:\n    - name: x\n      type: decision\n      for_control: NONE-1\n"
    )
    const { remarks } = await run({
      candidate: { policy_yaml: text },
      on: { environment: "dry-1" }
    })
    assert.include(
      remarks.map(({ code }) => code),
      "unknown_control"
    )
  })

  it("is 404 for what does not exist", async () => {
    const candidate = { policy_yaml: SCANNED }
    for (const body of [
      { candidate: { policy_name: "nowhere" }, on: { environment: "dry-1" } },
      { candidate: { policy_name: "dry", version: 99 }, on: { environment: "dry-1" } },
      { candidate, on: { environment: "nowhere" } },
      { candidate, on: { environment: "dry-1", snapshot: "99" } },
      { candidate, on: { fingerprint: print("9") } }
    ])
      assert.strictEqual((await ask(body)).status, 404, JSON.stringify(body))
  })

  it("is 400 for a bad text and for a question that is none, by its field", async () => {
    const candidate = { policy_yaml: SCANNED }
    const on = { environment: "dry-1" }
    const facts = [{ artifact: { name: "x", fingerprint: "" }, flows: [] }]
    for (const [body, field] of [
      [{ candidate: { policy_yaml: "artifacts: 1" }, on }, "artifacts"],
      [{ candidate: {}, on }, "candidate.policy_yaml"],
      [{ candidate: { policy_yaml: "x", policy_name: "dry" }, on }, "candidate.policy_yaml"],
      [{ candidate: { policy_name: "dry", name: "x" }, on }, "candidate.name"],
      [{ candidate, on: {} }, "on.environment"],
      [{ candidate, on: { environment: "dry-1", facts } }, "on.environment"],
      [{ candidate, on: { fingerprint: print("a"), snapshot: "1" } }, "on.snapshot"],
      [{ candidate, on: { ...on, flow_name: "dry" } }, "on.flow_name"],
      [{ candidate, on: { facts: [] } }, "on.facts"],
      [{ candidate, on: { facts }, against: "attached" }, "against"],
      [{ candidate, on: { facts }, as_of: "judged" }, "as_of"],
      [{ candidate, on, remedies: 6 }, "remedies"],
      [{ candidate, on, show: "some" }, "show"]
    ] as const) {
      const { status, body: answer } = await ask(body)
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.include(JSON.stringify(answer), field)
    }
    assert.strictEqual((await ask({ candidate, on, remedies: 5 })).status, 200)
  })
})
