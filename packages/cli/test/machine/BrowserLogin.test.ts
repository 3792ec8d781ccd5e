/** `attestry login --browser` with a browser that this test plays: what it stores, and what it refuses. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

interface Browser {
  readonly address: URL
  /** The address to which the page sends the browser. */
  readonly allow: () => Promise<string>
}

onEveryStore("attestry login --browser", (deployment) => {
  const post = (path: string, body: object, headers: { readonly [name: string]: string } = {}) =>
    fetch(`${deployment().url}/api/v2${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })

  /** A browser in which ada is signed in, at the address that the command prints. */
  const browse = async (printed: string): Promise<Browser> => {
    const address = new URL(/https?:\S+/.exec(printed)?.[0] ?? "")
    const parameter = (name: string) => address.searchParams.get(name) ?? ""
    const opened = await post("/session", { api_key: deployment().keys.member })
    const { csrf_token } = Object(await opened.json())
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? ""
    return {
      address,
      allow: async () => {
        const challenge = parameter("challenge")
        const headers = { cookie, "x-csrf-token": csrf_token }
        const offered = await post("/session/codes", { challenge }, headers)
        const query = new URLSearchParams({
          code: Object(await offered.json()).code,
          state: parameter("state")
        })
        return `http://127.0.0.1:${parameter("port")}/?${query}`
      }
    }
  }

  const login = async (
    home: string,
    visit: (browser: Browser) => Promise<void>,
    signal = new AbortController().signal
  ) => {
    let visited: Promise<void> | undefined
    let printed = ""
    const write = (text: string) => {
      printed += text
      if (visited === undefined && printed.includes("/_/command-line?"))
        visited = browse(printed).then(visit)
    }
    const argv = ["login", "--browser", "--url", deployment().url, "-o", "json"]
    const ran = await run(argv, {
      home,
      host: { stderr: { write, isTerminal: false, columns: 200 }, signal }
    })
    await visited
    return { ...ran, stderr: printed }
  }

  it("stores the session that the browser gives, and ends it on logout", async () => {
    const home = folder()
    const { code, stdout, stderr } = await login(home, async ({ address, allow }) => {
      assert.strictEqual(address.pathname, "/_/command-line")
      const arrived = await fetch(await allow(), { redirect: "manual" })
      assert.strictEqual(arrived.status, 303)
      assert.include(arrived.headers.get("location") ?? "", "/_/command-line?done=yes")
    })
    assert.strictEqual(code, 0, stderr)
    const answer = JSON.parse(stdout)
    assert.isAbove(answer.session_expires_at, Date.now() / 1_000)
    const who = await run(["whoami", "-o", "json"], { home })
    assert.strictEqual(who.code, 0, who.stderr)
    const file = join(home, ".config/attestry/default.key")
    const token = readFileSync(file, "utf8").trim()
    assert.notInclude(stdout + stderr, token)
    const out = await run(["logout"], { home })
    assert.include(out.stdout, "its session has ended")
    assert.isFalse(existsSync(file))
    const after = await fetch(`${deployment().url}/api/v2/whoami`, {
      headers: { authorization: `Bearer ${token}` }
    })
    assert.strictEqual(after.status, 401)
  })

  it("answers no other request, and stores nothing for a code that is wrong", async () => {
    const home = folder()
    const { code, stderr } = await login(home, async ({ address, allow }) => {
      const right = new URL(await allow())
      const foreign = new URL(right)
      foreign.searchParams.set("state", "another")
      assert.strictEqual((await fetch(foreign)).status, 404)
      assert.strictEqual((await fetch(right, { method: "POST" })).status, 404)
      assert.strictEqual(address.searchParams.get("state")?.length, 43)
      right.searchParams.set("code", `${"0".repeat(32)}.${"0".repeat(64)}`)
      await fetch(right, { redirect: "manual" })
    })
    assert.strictEqual(code, 6, stderr)
    assert.include(stderr, "log in again")
    assert.isFalse(existsSync(join(home, ".config/attestry/default.key")))
  })

  it("stops when it is interrupted, and takes one way to sign in", async () => {
    const interrupt = new AbortController()
    const stopped = await login(
      folder(),
      async () => interrupt.abort(new Error("interrupted")),
      interrupt.signal
    )
    assert.notStrictEqual(stopped.code, 0)
    const both = await run(["login", "--browser", "--key-stdin", "--url", deployment().url])
    assert.strictEqual(both.code, 2)
  })
})
