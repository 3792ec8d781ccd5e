/** Searching for running artifacts without provenance, on the wire. */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

onEveryStore("GET /search/{org}/sha/{value}", (server) => {
  const { call } = server
  const report = (env_name: string, digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests, creationTimestamp: 1 }] }
    })
  const search = (value: string) => call("GET /search/{org}/sha/{value}", { path: { value } })
  const [A, B] = [`abcde${"1".repeat(59)}`, `abcde${"2".repeat(59)}`]

  it("finds a running artifact without a flow", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    await call("PUT /environments/{org}", { body: { name: "test", type: "server" } })
    await report("prod", { "nginx:latest": A })
    await report("test", { nginx: A })
    await report("test", {})
    const { status, body } = await search("abcde")
    assert.strictEqual(status, 200)
    const { resolved_to, artifacts } = body as {
      resolved_to: object
      artifacts: ReadonlyArray<{ history: ReadonlyArray<{ event: string }> }>
    }
    assert.deepStrictEqual(resolved_to, {
      type: "fingerprint",
      full_match: A,
      fingerprints: { type: "fingerprint", count: 1, matches: [A] },
      commits: { type: "commit", count: 0, matches: [] }
    })
    assert.deepStrictEqual(
      artifacts.map(({ history, ...rest }) => ({
        ...rest,
        history: history.map(({ event }) => event)
      })) as ReadonlyArray<object>,
      [
        {
          fingerprint: A,
          name: "nginx:latest",
          flow: "",
          git_commit: "",
          has_provenance: false,
          commit_url: "",
          build_url: "",
          html_url: "",
          compliance_state: "UNKNOWN",
          running_in: ["prod"],
          exited_from: ["test"],
          history: [
            "Started running in prod#1 environment",
            "Started running in test#1 environment",
            "No longer running in test#2 environment"
          ]
        }
      ]
    )
  })

  it("finds it beside an artifact of a flow, and distinguishes both", async () => {
    await evidenceOf(server, "known").artifact("t", "app", B, c1)
    const { resolved_to, artifacts } = (await search("abcde")).body as {
      resolved_to: { type: string; fingerprints: object }
      artifacts: ReadonlyArray<Record<string, unknown>>
    }
    assert.strictEqual(resolved_to.type, "multiple")
    assert.deepStrictEqual(resolved_to.fingerprints, {
      type: "fingerprint",
      count: 2,
      matches: [A, B]
    })
    assert.deepStrictEqual(
      artifacts.map((one) => [one.fingerprint, one.has_provenance, one.flow, one.name]),
      [
        [B, true, "known", "app.tar"],
        [A, false, "", "nginx:latest"]
      ]
    )
  })

  it("finds an artifact that has exited everywhere under its last name", async () => {
    await report("prod", { renamed: A })
    await report("prod", {})
    const { artifacts } = (await search(A)).body as {
      artifacts: ReadonlyArray<Record<string, unknown>>
    }
    assert.deepStrictEqual(
      artifacts.map((one) => [one.name, one.running_in, one.exited_from]),
      [["renamed", [], ["prod", "test"]]]
    )
  })

  it("finds nothing in archived environments, nor in other orgs", async () => {
    await call("PUT /environments/{org}", { body: { name: "old", type: "server" } })
    await report("old", { app: print("9") })
    const foreign = await call("GET /search/{org}/sha/{value}", {
      path: { org: "globex", value: "99999" },
      as: "foreigner"
    })
    assert.strictEqual(foreign.status, 404)
    assert.strictEqual((await search("99999")).status, 200)
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "old" } })
    assert.deepStrictEqual((await search("99999")).body, { message: "No matches for '99999'." })
  })

  it("shows its verdict where it runs", async () => {
    const text =
      "_schema: https://example.org/policy/v1\nartifacts:\n  provenance: {required: true}\n"
    await call("PUT /policies/{org}/{name}", {
      path: { name: "needs-provenance" },
      body: { policy_yaml: text }
    })
    await call("PUT /environments/{org}", {
      body: { name: "strict", type: "server", policies: ["needs-provenance"] }
    })
    await report("strict", { app: print("7") })
    const { artifacts } = (await search("77777")).body as {
      artifacts: ReadonlyArray<Record<string, unknown>>
    }
    assert.deepStrictEqual(
      artifacts.map((one) => one.compliance_state),
      ["NON-COMPLIANT"]
    )
  })
})
