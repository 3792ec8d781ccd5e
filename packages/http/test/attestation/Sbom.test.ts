/** What artifacts are made of, as evidence on the wire. */
import { createHash } from "node:crypto"
import { assert, it } from "vitest"
import * as FeatureFlags from "../../src/shared/FeatureFlags.js"
import { policyYaml } from "../policy/Policies.js"
import { policyEnvironment } from "../policy/PolicyEnvironment.js"
import { c1, E, evidenceOf, F, type ShownAttestation } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const file = '{"spdxVersion":"SPDX-2.3"}'
const fingerprint = createHash("sha256").update(file).digest("hex")

const dataOf = (sha256: string | null) => ({
  format: "spdx-json",
  original_fingerprint: fingerprint,
  document: {
    created_at: "2026-11-01T10:00:00Z",
    tools: ["scanner 1.2"],
    subject: { name: "shop", version: "1.4", purl: "pkg:oci/shop@1.4", sha256 },
    package_count: 317
  }
})

const sbomOf = (name: string, sha256: string | null, more: object = {}) => ({
  attestation_name: name,
  type_name: "sbom",
  attestation_data: dataOf(sha256),
  ...more
})

onEveryStore("POST /attestations/{org}/{flow_name}/trail/{trail_name}/system, sbom", (server) => {
  const { call } = server
  const { attest, artifact, named, putFlow, trail } = evidenceOf(server, "made-of")
  const send = (body: object, on = "t") => attest(on, "system", body)
  const list = async (query: string) => {
    const { body } = await call("GET /attestations/{org}", { query })
    return (body as { data: ReadonlyArray<ShownAttestation> }).data.map(
      ({ attestation_name }) => attestation_name
    )
  }

  it("stores it with its file, and gives both back", async () => {
    assert.strictEqual((await artifact("t", "app", F, c1)).status, 201)
    const form = new FormData()
    const body = sbomOf("contents", F, { artifact_fingerprint: F, annotations: { by: "ci" } })
    form.append("data_json", JSON.stringify(body))
    form.append("attachment_file", new Blob([file]), "sbom.spdx.json")
    const sent = await attest("t", "system", {}, { raw: form, body: undefined })
    assert.deepStrictEqual([sent.status, sent.body], [201, "OK"])
    const [shown] = await named("t", "contents")
    assert.deepInclude(shown, {
      attestation_type: "system:sbom",
      is_compliant: true,
      artifact_fingerprint: F,
      attestation_data: dataOf(F),
      annotations: { by: "ci" }
    })
    const got = await call(
      "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
      {
        path: { flow_name: "made-of", trail_name: "t", attestation_id: shown?.attestation_id ?? "" }
      }
    )
    assert.deepStrictEqual(got.body, new TextEncoder().encode(file))
    const events = (await trail("t")).events.map((event) => event.attestation_type)
    assert.include(events, "system:sbom")
  })

  it("is compliant unless its subject is another one than the artifact", async () => {
    const outcomes = [
      ["same", F, { artifact_fingerprint: F }, true],
      ["capitals", F.toUpperCase(), { artifact_fingerprint: F }, true],
      ["other", E, { artifact_fingerprint: F }, false],
      ["unsaid", null, { artifact_fingerprint: F }, true],
      ["empty", "", { artifact_fingerprint: F }, true],
      ["trail", E, {}, true]
    ] as const
    for (const [name, sha256, more, expected] of outcomes) {
      assert.strictEqual((await send(sbomOf(name, sha256, more))).status, 201, name)
      assert.strictEqual((await named("t", name))[0]?.is_compliant, expected, name)
    }
    const missing = await send(sbomOf("x", F, { artifact_fingerprint: E }))
    assert.strictEqual(missing.status, 404)
  })

  it("is listed by its type, in both spellings, and apart from decisions", async () => {
    const decision = { type_name: "decision", control: "C-1" }
    await send({
      attestation_name: "decided",
      ...decision,
      attestation_data: { is_compliant: true }
    })
    const all = ["trail", "empty", "unsaid", "other", "capitals", "same", "contents"]
    for (const word of ["sbom", "system:sbom"]) {
      assert.deepStrictEqual(await list(`?attestation_type=${word}`), all)
    }
    assert.deepStrictEqual(await list("?attestation_type=sbom&is_compliant=false"), ["other"])
    assert.deepStrictEqual(await list("?attestation_type=decision"), ["decided"])
  })

  it("can be overridden, and fills its place in a template", async () => {
    await putFlow(
      "version: 1\ntrail:\n  artifacts:\n    - name: app\n      attestations:\n" +
        "        - name: contents\n          type: sbom\n"
    )
    await artifact("templated", "app", F, c1)
    assert.strictEqual((await trail("templated")).compliance_state, "INCOMPLETE")
    await send(sbomOf("contents", E, { artifact_fingerprint: F }), "templated")
    assert.strictEqual((await trail("templated")).compliance_state, "NON-COMPLIANT")
    for (const original_attestation_type of ["sbom", "system:sbom"]) {
      const overridden = await attest("templated", "override", {
        attestation_name: "contents",
        artifact_fingerprint: F,
        reason: `looked at, ${original_attestation_type}`,
        new_compliance_status: true,
        original_attestation_type
      })
      assert.strictEqual(overridden.status, 200)
      assert.strictEqual((await trail("templated")).compliance_state, "COMPLIANT")
    }
  })

  it("refuses what is not well-formed, by field", async () => {
    const data = dataOf(F)
    for (const [attestation_data, field] of [
      [{ ...data, format: undefined }, "attestation_data.format"],
      [{ ...data, document: undefined }, "attestation_data.document"],
      [
        { ...data, document: { subject: { sha256: "x" } } },
        "attestation_data.document.subject.sha256"
      ],
      ["no json", "attestation_data"]
    ] as const) {
      const { status, body } = await send({ ...sbomOf("wrong", F), attestation_data })
      const { errors } = body as { readonly errors: object }
      assert.deepStrictEqual([status, ...Object.keys(errors)], [400, field])
    }
    const unknown = await send({ ...sbomOf("wrong", F), type_name: "other" })
    assert.strictEqual(unknown.status, 400)
    assert.match(JSON.stringify(unknown.body), /"type_name":"Input should be 'decision', .*'sbom'/)
  })
})

onEveryStore("a policy that asks for an sbom", (server) => {
  const { attach, create, policy, report, snapshot } = policyEnvironment(server, "made")
  const { artifact, attest } = evidenceOf(server, "judged-contents")
  const compliance = async () =>
    new Map((await snapshot()).artifacts.map(({ name, compliant }) => [name, compliant]))

  it("is satisfied by a compliant one alone", async () => {
    await policy("contents", policyYaml("  attestations:\n    - { type: sbom }\n"))
    await create()
    await attach("contents")
    const running = [["app", F] as const, ["job", E] as const, ["web", "d".repeat(64)] as const]
    for (const [slot, digest] of running) await artifact("t", slot, digest, c1)
    await attest("t", "system", sbomOf("a", F, { artifact_fingerprint: F }))
    await attest("t", "system", sbomOf("b", F, { artifact_fingerprint: E }))
    await report(...running)
    assert.deepStrictEqual(
      await compliance(),
      new Map([
        ["app", true],
        ["job", false],
        ["web", false]
      ])
    )
  })
})

onEveryStore(
  "an sbom without the feature of controls",
  (server) => {
    it("is accepted, and a decision is not", async () => {
      const { attest } = evidenceOf(server, "closed")
      assert.strictEqual((await attest("t", "system", sbomOf("a", null))).status, 201)
      const decision = {
        attestation_name: "d",
        type_name: "decision",
        control: "C-1",
        attestation_data: { is_compliant: true }
      }
      assert.strictEqual((await attest("t", "system", decision)).status, 403)
    })
  },
  { flags: FeatureFlags.byMode("off", "ask the operator") }
)
