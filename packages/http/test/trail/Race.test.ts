/** Concurrent identical creates: all succeed and one creates, in every round. SPEC §3.2, P-CONV */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const ROUNDS = process.env.ATTESTRY_DEEP === undefined ? 3 : 20
const CALLS = 64

onBothStores("racing PUTs", ({ call, journal }) => {
  const race = async (put: () => Promise<{ readonly status: number }>): Promise<void> => {
    const statuses = (await Promise.all(Array.from({ length: CALLS }, put))).map(
      ({ status }) => status
    )
    assert.strictEqual(statuses.filter((status) => status === 201).length, 1)
    assert.strictEqual(statuses.filter((status) => status === 200).length, CALLS - 1)
  }

  it("lets 64 identical PUTs of a flow with a template all succeed, one version each", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = { name: `flow-${round}`, description: "", template_file: "version: 1\n" }
      await race(() => call("PUT /flows/{org}/template_file", { body }))
    }
    const entries = (await journal()).filter(({ subject }) => subject.type === "flow")
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      Array.from({ length: ROUNDS }, () => "flow_created")
    )
  }, 120_000)

  it("lets 64 identical PUTs of a trail all succeed, with one event each", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = { name: `trail-${round}`, git_commit_info: { sha1: "ab".repeat(20) } }
      await race(() =>
        call("PUT /trails/{org}/{flow_name}", { path: { flow_name: "racing" }, body })
      )
    }
    const entries = (await journal()).filter(({ subject }) => subject.type === "trail")
    assert.strictEqual(entries.length, ROUNDS)
  }, 120_000)
})
