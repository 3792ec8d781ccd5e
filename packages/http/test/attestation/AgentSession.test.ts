/** Sessions of coding agents, as evidence on the wire. */
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const data = {
  tool: { name: "agent", version: "2.1" },
  model: "model-1",
  started_at: 1_790_000_000,
  ended_at: 1_790_000_600,
  transcript_sha256: E,
  files_changed: [{ path: "src/shop.ts", added: 12, removed: 3 }],
  commits: [c1],
  prompted_by: { username: "ada" },
  turns: 7
}

const sessionOf = (name: string, more: object = {}) => ({
  attestation_name: name,
  type_name: "agent_session",
  attestation_data: data,
  ...more
})

onEveryStore(
  "POST /attestations/{org}/{flow_name}/trail/{trail_name}/system, session",
  (server) => {
    const { attest, artifact, named, putFlow, trail } = evidenceOf(server, "written-by")
    const send = (body: object, on = "t") => attest(on, "system", body)

    it("stores it as it was sent, of a trail and of an artifact", async () => {
      assert.strictEqual((await artifact("t", "app", F, c1)).status, 201)
      for (const [name, more] of [
        ["of-trail", { type_name: "system:agent_session" }],
        ["of-artifact", { artifact_fingerprint: F }]
      ] as const) {
        const sent = await send(sessionOf(name, more))
        assert.deepStrictEqual([sent.status, sent.body], [201, "OK"])
        assert.deepInclude((await named("t", name))[0], {
          attestation_type: "system:agent_session",
          is_compliant: true,
          attestation_data: data
        })
      }
    })

    it("is listed by its type, in both spellings", async () => {
      for (const word of ["agent_session", "system:agent_session"]) {
        const { body } = await server.call("GET /attestations/{org}", {
          query: `?attestation_type=${word}`
        })
        const shown = body as {
          readonly data: ReadonlyArray<{ readonly attestation_name: string }>
        }
        assert.deepStrictEqual(
          shown.data.map(({ attestation_name }) => attestation_name),
          ["of-artifact", "of-trail"]
        )
      }
    })

    it("fills its place in a template, and can be overridden", async () => {
      await putFlow(
        "version: 1\ntrail:\n  artifacts:\n    - name: app\n      attestations:\n" +
          "        - name: session\n          type: agent_session\n"
      )
      await artifact("templated", "app", F, c1)
      assert.strictEqual((await trail("templated")).compliance_state, "INCOMPLETE")
      await send(sessionOf("session", { artifact_fingerprint: F }), "templated")
      assert.strictEqual((await trail("templated")).compliance_state, "COMPLIANT")
      const overridden = await attest("templated", "override", {
        attestation_name: "session",
        artifact_fingerprint: F,
        reason: "the transcript is another one",
        new_compliance_status: false,
        original_attestation_type: "agent_session"
      })
      assert.strictEqual(overridden.status, 200)
      assert.strictEqual((await trail("templated")).compliance_state, "NON-COMPLIANT")
    })

    it("refuses what is not well-formed, by field", async () => {
      for (const [wrong, field] of [
        [{ model: "" }, "attestation_data.model"],
        [{ model: "<MODEL>" }, "attestation_data.model"],
        [{ tool: {} }, "attestation_data.tool.name"],
        [{ ended_at: 1_789_999_999 }, "attestation_data.ended_at"],
        [{ files_changed: [{ path: "" }] }, "attestation_data.files_changed[0].path"],
        [{ commits: ["x"] }, "attestation_data.commits[0]"],
        [{ prompted_by: "ada" }, "attestation_data.prompted_by"]
      ] as const) {
        const { status, body } = await send(
          sessionOf("wrong", { attestation_data: { ...data, ...wrong } })
        )
        const { errors } = body as { readonly errors: object }
        assert.deepStrictEqual([status, ...Object.keys(errors)], [400, field])
      }
    })
  }
)
