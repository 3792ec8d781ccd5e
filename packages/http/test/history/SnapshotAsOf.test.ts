/**
 * Snapshots and facts as of an instant, on the wire: hindsight, late evidence, what was known then. HIST-30 to HIST-34
 */
import { assert, it } from "vitest"
import { evidenceOf } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

const yaml = (artifacts: string): string =>
  `_schema: https://example.org/policy/v1\nartifacts:\n${artifacts}`

const SCANNED = yaml("  attestations: [{type: generic, name: scan}]\n")

interface Late {
  readonly attestation_name: string
  readonly is_compliant: boolean
  readonly late_by_seconds: number
  readonly reported_at: number
  readonly decisive: boolean
}

interface Shown {
  readonly index: number
  readonly timestamp: number
  readonly compliant: boolean
  readonly as_of?: number
  readonly recorded?: { readonly compliant: boolean }
  readonly artifact_compliance_count: object
  readonly applied_policies: ReadonlyArray<{
    readonly version: number
    readonly failing_artifacts: ReadonlyArray<string>
  }>
  readonly artifacts: ReadonlyArray<{
    readonly name: string
    readonly compliant: boolean
    readonly recorded?: { readonly compliant: boolean }
    readonly late_evidence?: ReadonlyArray<Late>
    readonly reasons_for_incompliance: ReadonlyArray<object>
  }>
}

interface ShownFacts {
  readonly as_of?: number
  readonly rows: ReadonlyArray<{
    readonly facts: {
      readonly flows: ReadonlyArray<{ readonly attestations: ReadonlyArray<{ name: string }> }>
    }
  }>
}

onBothStores("GET /snapshots/{org}/{env_name}/{snapshot_expression}?as_of=", (server) => {
  const { call } = server
  const SNAPSHOT = "GET /snapshots/{org}/{env_name}/{snapshot_expression}"
  const report = (env_name: string, digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests, creationTimestamp: 1_777_550_805 }] }
    })
  const save = (name: string, policy_yaml: string) =>
    call("PUT /policies/{org}/{name}", { path: { name }, body: { policy_yaml } })
  const create = (name: string, policies: ReadonlyArray<string>) =>
    call("PUT /environments/{org}", { body: { name, type: "server", policies } })
  const ask = (env_name: string, query: string, snapshot_expression = "1") =>
    call(SNAPSHOT, {
      path: { env_name, snapshot_expression },
      query: query === "" ? "" : `?${query}`
    })
  const shown = async (env_name: string, query = "", snapshot_expression = "1") => {
    const answer = await ask(env_name, query, snapshot_expression)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as Shown
  }
  const factsOf = async (env_name: string, query: string) =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts", {
        path: { env_name, snapshot_expression: "1" },
        query: query === "" ? "" : `?${query}`
      })
    ).body as ShownFacts

  /** An environment whose artifact was scanned only after it started. */
  const scannedLater = async (name: string, letter: string) => {
    const evidence = evidenceOf(server, `${name}-flow`)
    await save(`${name}-policy`, SCANNED)
    await create(name, [`${name}-policy`])
    await evidence.artifact("run", "shop", print(letter), "c1".repeat(20))
    await report(name, { shop: print(letter) })
    const before = await shown(name)
    await evidence.generic("run", "scan", true, { artifact_fingerprint: print(letter) })
    return { evidence, before }
  }

  it("evaluates by everything that is known now, beside what was recorded", async () => {
    const { before } = await scannedLater("hindsight", "a")
    const now = await shown("hindsight", "as_of=now")
    assert.deepStrictEqual(
      [before.compliant, before.as_of, before.recorded, before.artifacts[0]?.late_evidence],
      [false, undefined, undefined, undefined]
    )
    assert.deepStrictEqual(
      [now.compliant, now.recorded, now.artifact_compliance_count],
      [true, { compliant: false }, { true: 1, false: 0, null: 0 }]
    )
    assert.isAtLeast(now.as_of ?? 0, before.timestamp)
    assert.deepStrictEqual(now.applied_policies[0]?.failing_artifacts, [])
    const [row] = now.artifacts
    assert.deepStrictEqual(
      [row?.compliant, row?.recorded, row?.reasons_for_incompliance],
      [true, { compliant: false }, []]
    )
    const [late] = row?.late_evidence ?? []
    assert.deepInclude(late as object, {
      attestation_name: "scan",
      attestation_type: "generic",
      is_compliant: true,
      decisive: true
    })
    assert.isAbove(late?.late_by_seconds ?? 0, 0)
    assert.deepStrictEqual(await shown("hindsight"), before, "the record stays as it was")
  })

  it("HIST-30, HIST-31: gives the recorded verdict at the instant of the snapshot, and no later evidence", async () => {
    const { before } = await scannedLater("then", "b")
    const then = await shown("then", `as_of=${before.timestamp}`)
    assert.deepStrictEqual(
      [then.compliant, then.as_of, then.artifacts[0]?.late_evidence],
      [false, before.timestamp, []]
    )
    assert.deepStrictEqual(then.artifacts[0]?.reasons_for_incompliance.length, 1)
  })

  it("HIST-34: shows nested evidence for rising instants", async () => {
    const { evidence, before } = await scannedLater("rising", "c")
    await evidence.generic("run", "review", false)
    const [, second] = (await shown("rising", "as_of=now")).artifacts[0]?.late_evidence ?? []
    assert.deepStrictEqual([second?.attestation_name, second?.decisive], ["review", false])
    const names = async (query: string) =>
      ((await factsOf("rising", query)).rows[0]?.facts.flows[0]?.attestations ?? [])
        .map(({ name }) => name)
        .sort()
    const between = (second?.reported_at ?? 0) - 0.000_001
    assert.deepStrictEqual(
      [
        await names(`as_of=${before.timestamp}`),
        await names(`as_of=${between}`),
        await names("as_of=now"),
        await names("")
      ],
      [[], ["scan"], ["review", "scan"], ["review", "scan"]]
    )
    assert.strictEqual(
      (await factsOf("rising", `as_of=${before.timestamp}`)).as_of,
      before.timestamp
    )
  })

  it("evaluates by the policies of now with policies=latest", async () => {
    await scannedLater("latest", "d")
    await save("latest-policy", yaml("  attestations: [{type: generic, name: other}]\n"))
    const recorded = await shown("latest", "as_of=now")
    const latest = await shown("latest", "as_of=now&policies=latest")
    assert.deepStrictEqual([recorded.compliant, recorded.applied_policies[0]?.version], [true, 1])
    assert.deepStrictEqual([latest.compliant, latest.applied_policies[0]?.version], [false, 2])
  })

  it("keeps what the allow-list of then allowed", async () => {
    const { before } = await scannedLater("allowed", "e")
    assert.isFalse(before.compliant)
    await call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name: "allowed" },
      body: { artifact_fingerprint: print("e"), artifact_name: "shop", description: "known" }
    })
    assert.isTrue((await shown("allowed", "", "-1")).compliant)
    const then = await shown("allowed", `as_of=${before.timestamp}`)
    assert.isFalse(then.compliant, "it was not allowed yet")
  })

  it("HIST-32: gives the record where nothing was late", async () => {
    const evidence = evidenceOf(server, "punctual-flow")
    await save("punctual-policy", SCANNED)
    await create("punctual", ["punctual-policy"])
    await evidence.artifact("run", "shop", print("1"), "c1".repeat(20))
    await evidence.generic("run", "scan", true, { artifact_fingerprint: print("1") })
    await report("punctual", { shop: print("1"), unknown: print("2") })
    const plain = await shown("punctual")
    const { as_of, recorded, ...now } = await shown("punctual", "as_of=@%7Bnow%7D")
    assert.deepStrictEqual(recorded, { compliant: plain.compliant })
    assert.deepStrictEqual(
      now.artifacts.map(({ late_evidence, recorded: was, ...row }) => {
        assert.deepStrictEqual([late_evidence, was?.compliant], [[], row.compliant])
        return row
      }),
      plain.artifacts.map((row) => ({ ...row }))
    )
    assert.deepStrictEqual({ ...now, artifacts: [] }, { ...plain, artifacts: [] })
  })

  it("takes now, epoch seconds and moments, and the future for now", async () => {
    await scannedLater("forms", "9")
    for (const text of ["now", "99999999999", "@{now}", "@{2100-01-01T00:00:00}"]) {
      const answer = await ask("forms", `as_of=${encodeURIComponent(text)}`)
      const expected = text === "99999999999" ? 400 : 200
      assert.strictEqual(answer.status, expected, `${text} ${JSON.stringify(answer.body)}`)
    }
    assert.isTrue((await shown("forms", "as_of=9007199254")).compliant)
  })

  it("refuses other forms, an instant before the snapshot, and policies without as_of", async () => {
    await scannedLater("refused", "8")
    for (const text of ["", "yesterday", "-1", "1e9", "@{}", "~1", "1", "@{1.hours.ago}"]) {
      const { body, status } = await ask("refused", `as_of=${encodeURIComponent(text)}`)
      assert.strictEqual(status, 400, text)
      assert.hasAllKeys((body as { readonly errors: object }).errors, ["query.as_of"], text)
    }
    const alone = await ask("refused", "policies=latest")
    assert.strictEqual(alone.status, 400)
    assert.hasAllKeys((alone.body as { readonly errors: object }).errors, ["query.policies"])
  })
})
