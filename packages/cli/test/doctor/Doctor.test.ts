/** `attestry doctor`: a way out for each failure, and the code of the first. */
import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import { onEveryStore } from "../shared/TestDeployment.js"

onEveryStore("doctor", (deployment) => {
  const cwd = folder()
  const place = {
    DOCKER_HOST: "unix:///nowhere/docker.sock",
    KUBECONFIG: "/nowhere/kubeconfig",
    ATTESTRY_SPOOL_DIR: "/nowhere/spool",
    GITHUB_ACTIONS: "true",
    GITHUB_SHA: "a".repeat(40)
  }
  const stage = { cwd, deployment, env: place }

  it("finds nothing wrong", async () => {
    await player(stage)("doctor", ["doctor"])
    const { stdout } = await run(["doctor", "-q"], machineOf(stage)())
    assert.strictEqual(stdout, "OK\n")
  })

  it("says that a key opens nothing, and ends with 4", async () => {
    const env = { ATTESTRY_API_KEY: "attestry_user_wrong" }
    await player({ ...stage, env: { ...place, ...env } })("doctor-key", ["doctor"], 4)
  })

  it("counts what waits in the spool, and names what is damaged and a folder that others may write to", async () => {
    const spool = join(folder(), "spool")
    const env = { ...place, ATTESTRY_SPOOL_DIR: spool, ATTESTRY_IF_UNREACHABLE: "spool" }
    const machine = machineOf({ ...stage, env })()
    const down = { ATTESTRY_URL: "http://127.0.0.1:1", ATTESTRY_RETRIES: "0" }
    const attest = ["attest", "generic", "-n", "a", "-f", "shop", "-T", "t"]
    await run(attest, { ...machine, env: { ...machine.env, ...down } })
    const one = await run(["doctor"], machine)
    assert.strictEqual(one.code, 0)
    assert.match(one.stdout, /warn {2}spool +1 entry waits since \d+ s/)
    assert.include(one.stdout, "attestry spool send")
    const id = "0".repeat(26)
    mkdirSync(join(spool, id))
    const damaged = await run(["doctor"], machine)
    assert.match(damaged.stdout, /warn {2}spool +1 damaged/)
    assert.include(damaged.stdout, `attestry spool drop ${id}`)
    chmodSync(spool, 0o777)
    const open = await run(["doctor"], machine)
    assert.strictEqual(open.code, 2)
    assert.match(open.stdout, /fail {2}spool +others may write/)
  })
})

describe("attestry doctor", () => {
  const asked = async (url: string) => {
    const env = { ATTESTRY_URL: url, ATTESTRY_API_KEY: "abcdefghijkl", ATTESTRY_ORG: "acme" }
    return run(["doctor", "--timeout", "10s"], { env })
  }

  it("ends with 2 without an address, and looks at the rest of the machine", async () => {
    const { code, stdout } = await run(["doctor"])
    assert.strictEqual(code, 2)
    assert.match(stdout, /fail {2}settings/)
    assert.match(stdout, /ok {4}node/)
  })

  it("ends with 5 where nothing listens, and where the server is not ready", async () => {
    const nothing = await asked("http://127.0.0.1:1")
    assert.strictEqual(nothing.code, 5)
    assert.match(nothing.stdout, /fail {2}reach .*\n +do: /)
    assert.match(nothing.stdout, /skip {2}key/)
    const server = await StubServer.start(() => ({ status: 503, body: "not ready" }))
    const { code, stdout } = await asked(server.url)
    await server.stop()
    assert.strictEqual(code, 5)
    assert.include(stdout, "answered 503")
  })

  it("warns of a clock that is more than a minute off, and of a key that ends soon", async () => {
    const soon = Date.now() / 1_000 + 3 * 86_400
    const body = JSON.stringify({
      name: "ci",
      type: "service-account",
      orgs: [{ name: "acme", role: "member" }],
      api_key: { expires_at: soon },
      environments: []
    })
    const date = new Date(Date.now() - 120_000).toUTCString()
    const server = await StubServer.start(() => ({ headers: { date }, body }))
    const { code, stdout } = await asked(server.url)
    await server.stop()
    assert.strictEqual(code, 0)
    assert.match(stdout, /warn {2}clock +1[12]\d s/)
    assert.match(stdout, /warn {2}key +of ci \(service-account\).*ends in [23] days/)
  })
})
