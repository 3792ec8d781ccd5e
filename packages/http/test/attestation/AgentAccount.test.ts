/** The agent accounts of an org: read and written, and recorded with the pull requests that they are in. */
import { assert, describe, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

interface Accounts {
  readonly accounts: ReadonlyArray<string>
}

interface Shown {
  readonly attestation_name: string
  readonly agents?: ReadonlyArray<{ readonly username: string }>
}

onEveryStore("agent accounts", ({ call, journal }) => {
  const put = (accounts: ReadonlyArray<string>) =>
    call("PUT /agent-accounts/{org}", { body: { accounts } })
  const pull = (author: string, approver: string) => ({
    git_provider: "github",
    pull_requests: [
      {
        url: "https://git.example.com/acme/shop/pull/1",
        merge_commit: "1".repeat(40),
        state: "merged",
        author,
        approvers: [{ username: approver, state: "APPROVED", timestamp: 1_700_000_000 }]
      }
    ]
  })
  const report = async (attestation_name: string, author: string, approver: string) => {
    const { body, status } = await call(
      "POST /attestations/{org}/{flow_name}/trail/{trail_name}/pull_request",
      {
        path: { flow_name: "agents", trail_name: "run" },
        body: { attestation_name, ...pull(author, approver) }
      }
    )
    assert.include([200, 201], status, JSON.stringify(body))
    const shown = await call("GET /attestations/{org}/{flow_name}", {
      path: { flow_name: "agents" }
    })
    const { data } = shown.body as { readonly data: ReadonlyArray<Shown> }
    return data.filter((each) => each.attestation_name === attestation_name)
  }

  describe("the list", () => {
    it("is empty, and then what was set, each account once", async () => {
      const read = async () => (await call("GET /agent-accounts/{org}", { as: "reader" })).body
      assert.deepStrictEqual(await read(), { accounts: [] })
      const { body, status } = await put(["Acme-Coder", "acme-coder", "b@example.org"])
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body as Accounts, { accounts: ["Acme-Coder", "b@example.org"] })
      assert.deepStrictEqual(await read(), body)
      const before = (await journal()).length
      await put(["Acme-Coder", "b@example.org"])
      assert.strictEqual((await journal()).length, before)
    })

    it("has at most 200 accounts without wildcards", async () => {
      const many = Array.from({ length: 201 }, (_, index) => `bot-${index}`)
      assert.strictEqual((await put(many)).status, 400)
      assert.strictEqual((await put(many.slice(1))).status, 200)
      for (const account of ["*", "acme-*", "a?", "two words", "", "x".repeat(255)])
        assert.strictEqual((await put([account])).status, 400, account)
      assert.strictEqual((await put(["x".repeat(254)])).status, 200)
    })
  })

  describe("an attestation of pull requests", () => {
    it("has the accounts that are in it, as they were when it was recorded", async () => {
      await put(["Acme-Coder", "acme-reviewer", "absent"])
      const [written] = await report("written", "acme-coder", "Mia")
      assert.deepStrictEqual(written?.agents, [{ username: "acme-coder" }])
      const [reviewed] = await report("reviewed", "mia", "ACME-Reviewer")
      assert.deepStrictEqual(reviewed?.agents, [{ username: "acme-reviewer" }])
      const [plain] = await report("plain", "mia", "tom")
      assert.notProperty(plain, "agents")
      await put([])
      assert.strictEqual((await report("written", "acme-coder", "Mia")).length, 2)
      const [now, before] = await report("written", "acme-coder", "Mia")
      assert.notProperty(now, "agents")
      assert.deepStrictEqual(before, written)
    })

    it("takes no accounts from its reporter", async () => {
      const { status } = await call(
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/pull_request",
        {
          path: { flow_name: "agents", trail_name: "run" },
          body: { attestation_name: "own", ...pull("mia", "tom"), agents: [{ username: "mia" }] }
        }
      )
      assert.strictEqual(status, 400)
    })
  })
})
