/** The cadence of environments on the wire. SPEC §3.23 */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

interface Shown {
  readonly report_every: number | null
  readonly when_silent: string
  readonly silent_since: number | null
}

onEveryStore("cadence of environments", ({ call }) => {
  const put = (body: object) => call("PUT /environments/{org}", { body })
  const patch = (env_name: string, body: object) =>
    call("PATCH /environments/{org}/{env_name}", { path: { env_name }, body })
  const cadenceOf = async (env_name: string) => {
    const { report_every, when_silent, silent_since } = (
      await call("GET /environments/{org}/{env_name}", { path: { env_name } })
    ).body as Shown
    return { report_every, when_silent, silent_since }
  }
  const NONE = { report_every: null, when_silent: "warn", silent_since: null }

  it("is none by default, is set by PUT and PATCH, stays where it is left out, and null ends it", async () => {
    await put({ name: "steady", type: "K8S" })
    assert.deepStrictEqual(await cadenceOf("steady"), NONE)
    await put({ name: "steady", type: "K8S", report_every: 900, when_silent: "non_compliant" })
    const set = { report_every: 900, when_silent: "non_compliant", silent_since: null }
    assert.deepStrictEqual(await cadenceOf("steady"), set)
    await put({ name: "steady", type: "K8S", description: "other" })
    assert.deepStrictEqual(await cadenceOf("steady"), set)
    assert.strictEqual((await patch("steady", { report_every: 60 })).status, 200)
    assert.deepStrictEqual(await cadenceOf("steady"), { ...set, report_every: 60 })
    await patch("steady", { report_every: null, when_silent: "warn" })
    assert.deepStrictEqual(await cadenceOf("steady"), NONE)
  })

  it("is between one minute and thirty days, and one of two effects", async () => {
    for (const body of [
      { report_every: 59 },
      { report_every: 2_592_001 },
      { report_every: 90.5 },
      { report_every: "60" },
      { when_silent: "red" }
    ]) {
      const { status, body: refused } = await put({ name: "bounded", type: "K8S", ...body })
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.deepStrictEqual(Object.keys((refused as { errors: object }).errors), Object.keys(body))
    }
    for (const report_every of [60, 2_592_000]) {
      assert.include([200, 201], (await put({ name: "bounded", type: "K8S", report_every })).status)
    }
  })

  it("is refused for a logical environment, which may be saved with none", async () => {
    await put({ name: "grouped", type: "logical" })
    for (const body of [{ report_every: 900 }, { when_silent: "non_compliant" }]) {
      const { status, body: refused } = await patch("grouped", body)
      assert.strictEqual(status, 400)
      assert.match(JSON.stringify(refused), /logical: set the cadence of its members/)
      assert.strictEqual((await put({ name: "other", type: "logical", ...body })).status, 400)
    }
    const none = { report_every: null, when_silent: "warn" }
    assert.strictEqual((await patch("grouped", none)).status, 200)
    assert.deepStrictEqual(await cadenceOf("grouped"), NONE)
  })
})
