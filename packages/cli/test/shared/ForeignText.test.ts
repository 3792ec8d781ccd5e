/** Text of others can steer neither a terminal nor a CI. */
import { assert, describe, it } from "vitest"
import * as ForeignText from "../../src/shared/ForeignText.js"
import { run } from "./Run.js"
import * as StubServer from "./StubServer.js"

const HOSTILE =
  "a\u001b[2J\u009b31m\u0007\r\nb::error::x ##vso[task] ##[group] ##teamcity[x] \u202Eevil\u2028"

describe("a text of others", () => {
  it("is one line without control characters and without commands of a CI", () => {
    const text = ForeignText.line(HOSTILE)
    assert.notMatch(text, /\p{Cc}|\u202E|\u2028/u)
    assert.notInclude(text, "::")
    assert.notMatch(text, /##(?:vso)?\[|##teamcity\[/)
  })

  it("stays as it is where it is harmless", () => {
    const text = "Über cool – 修正 #12 a:b"
    assert.strictEqual(ForeignText.line(text), text)
  })

  it("reads as itself in Markdown", () => {
    assert.strictEqual(ForeignText.markdown("a|b[x](y)"), "a\\|b\\[x\\]\\(y\\)")
    assert.strictEqual(ForeignText.code("a`|b"), "`a'\\|b`")
  })

  it("of a server is harmless in results and in errors, and exact in JSON", async () => {
    const body = JSON.stringify({ message: HOSTILE, errors: { [HOSTILE]: HOSTILE } })
    const flow = JSON.stringify([{ name: HOSTILE, description: HOSTILE }])
    for (const answer of [{ status: 400, body }, { body: flow }]) {
      const server = await StubServer.start(() => answer)
      const env = { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "abcdefghijkl" }
      const argv = ["list", "flows", "--org", "acme", "--color", "never"]
      for (const more of [[], ["-q"]]) {
        const { stdout, stderr } = await run([...argv, ...more], { env, tty: true })
        assert.notMatch((stdout + stderr).replaceAll("\n", ""), /\p{Cc}|\u202E/u)
        assert.notInclude(stdout + stderr, "##vso[")
      }
      const { stdout, stderr } = await run([...argv, "-o", "json"], { env })
      const value = JSON.parse(stdout === "" ? stderr : stdout)
      assert.include(JSON.stringify(value), JSON.stringify(HOSTILE).slice(1, -1))
      await server.stop()
    }
  })
})
