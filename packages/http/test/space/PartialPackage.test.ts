/**
 * The audit package of a snapshot, for a person who reads the environment and some of the flows that its rows are of.
 *
 * AC-10: the package of an environment elsewhere is as absent as one that never was. AC-11: a word that hidden things
 * have in every text is in no member, and in no payload of a receipt. AC-13: verdicts are those of the whole org.
 */
import { assert, beforeAll, it } from "vitest"
import { unpack } from "../audit-package/Unpacked.js"
import { policyYaml } from "../policy/Policies.js"
import { onEveryStore } from "../shared/TestServer.js"
import { CANARY, FINGERPRINT, HIDDEN, MISSING, partialWorld, text } from "./PartialWorld.js"

interface Row {
  readonly name: string
  readonly fingerprint: string
  readonly verdict: string
  readonly hidden?: true
  readonly flow_name: string | null
  readonly evidence: ReadonlyArray<{ readonly attestation_name: string }>
}

const PACKAGE = "GET /snapshots/{org}/{env_name}/{snapshot_expression}/audit_package"

onEveryStore("the package of a snapshot for a person with a grant in one space", (server) => {
  const { call, pat, prepare } = partialWorld(server)

  beforeAll(async () => {
    await prepare()
    const policy_yaml = `# ${CANARY}\n${policyYaml("  trail-compliance:\n    required: true\n")}`
    const body = { policy_yaml, description: CANARY, space: "platform" }
    assert.strictEqual(
      (await call("PUT /policies/{org}/{name}", { path: { name: "far" }, body })).status,
      201
    )
    const attached = await call("POST /environments/{org}/{env_name}/policies", {
      path: { env_name: "mine" },
      body: { policy_names: ["far"] }
    })
    assert.isBelow(attached.status, 300, text(attached))
  }, 90_000)

  const at = (env_name: string) => ({ path: { env_name, snapshot_expression: "-1" } })

  const filesOf = async (ask: typeof call) => {
    const answer = await ask(PACKAGE, at("mine"))
    assert.strictEqual(answer.status, 200, text(answer))
    const files = await unpack(answer.body as Uint8Array)
    return new Map(files.map(({ bytes, name }) => [name, new TextDecoder().decode(bytes)]))
  }
  const rowsOf = (files: ReadonlyMap<string, string>): ReadonlyArray<Row> =>
    [...files].flatMap(([name, body]) => (name.startsWith("rows/") ? [JSON.parse(body)] : []))

  it("keeps the verdicts of rows of hidden flows, and has nothing else of these flows: AC-11, AC-13", async () => {
    const answer = await pat(PACKAGE, at("mine"))
    assert.strictEqual(answer.headers.get("attestry-view"), "partial")
    assert.notInclude(text(answer), CANARY)
    const [whole, part] = [await filesOf(call), await filesOf(pat)]
    assert.include([...whole.values()].join(" "), CANARY)
    const verdicts = (files: ReadonlyMap<string, string>) =>
      rowsOf(files).map(({ fingerprint, verdict }) => [fingerprint, verdict])
    assert.deepStrictEqual(verdicts(part), verdicts(whole))
    const row = (fingerprint: string) =>
      rowsOf(part).find((each) => each.fingerprint === fingerprint)
    const shown = (found: Row | undefined) => [
      found?.flow_name,
      found?.hidden,
      found?.evidence.map(({ attestation_name }) => attestation_name)
    ]
    assert.deepStrictEqual(shown(row(FINGERPRINT.mine)), ["mine", undefined, ["mine"]])
    assert.deepStrictEqual(shown(row(FINGERPRINT[HIDDEN])), [null, true, []])
    assert.strictEqual(JSON.parse(part.get("manifest.json") ?? "").view, "partial")
    assert.notProperty(JSON.parse(whole.get("manifest.json") ?? ""), "view")
    assert.include(part.get("index.html") ?? "", "a flow that you may not read")
  })

  it("has the texts of readable policies alone, and no receipt of what a hidden flow knows", async () => {
    const names = async (ask: typeof call, begin: string) =>
      [...(await filesOf(ask)).keys()].filter((name) => name.startsWith(begin))
    assert.deepStrictEqual(await names(call, "policies/"), [
      "policies/far/1.yaml",
      "policies/mine/1.yaml"
    ])
    assert.deepStrictEqual(await names(pat, "policies/"), ["policies/mine/1.yaml"])
    assert.lengthOf(await names(call, "receipts/"), 4)
    assert.sameMembers(
      (await names(pat, "receipts/")).map((name) => name.replace(/\d+/, "N")),
      [
        "receipts/mine/N.vsa.json",
        `receipts/mine/N-${FINGERPRINT.mine}.vsa.json`,
        "receipts/keys.json"
      ]
    )
  })

  it("is absent elsewhere: AC-10", async () => {
    const [hidden, missing] = [await pat(PACKAGE, at(HIDDEN)), await pat(PACKAGE, at(MISSING))]
    assert.strictEqual(missing.status, 404, text(missing))
    assert.strictEqual(text(hidden).replaceAll(HIDDEN, MISSING), text(missing))
  })
})
