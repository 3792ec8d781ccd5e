/** Which answers count as no server, and where the spool lies. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as SpoolEntry from "../../src/spool/SpoolEntry.js"
import * as SpoolFolder from "../../src/spool/SpoolFolder.js"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const argv = ["attest", "generic", "-n", "a", "-f", "shop", "-T", "t", "--org", "acme"]

const JSON_ERROR = JSON.stringify({ message: "no" })
const HTML = { headers: { "content-type": "text/html" }, body: "<title>Portal</title>" }

describe("evidence", () => {
  const cases: ReadonlyArray<readonly [string, StubServer.StubAnswer, number, boolean]> = [
    ["429", { status: 429, body: JSON_ERROR }, 0, true],
    ["500", { status: 500, body: JSON_ERROR }, 0, true],
    ["503", { status: 503, body: JSON_ERROR }, 0, true],
    ["a page of a proxy with 502", { status: 502, ...HTML }, 0, true],
    ["a broken connection", { breaks: true }, 0, true],
    ["silence", { hangs: true }, 0, true],
    ["a portal", { status: 200, ...HTML }, 5, false],
    ["a page that is not found", { status: 404, ...HTML }, 5, false],
    ["a redirect", { status: 302, headers: { location: "https://x.example.org" } }, 5, false],
    ["400", { status: 400, body: JSON_ERROR }, 6, false],
    ["401", { status: 401, body: JSON_ERROR }, 4, false],
    ["403", { status: 403, body: JSON_ERROR }, 4, false],
    ["404", { status: 404, body: JSON_ERROR }, 3, false],
    ["409", { status: 409, body: JSON_ERROR }, 6, false]
  ]
  it.each(cases)("answered by %s", async (_, answer, code, isKept) => {
    const server = await StubServer.start(() => answer)
    const home = folder()
    const ran = await run([...argv, "--if-unreachable", "spool"], {
      home,
      env: {
        ATTESTRY_URL: server.url,
        ATTESTRY_API_KEY: "abcdefghijkl",
        ATTESTRY_RETRIES: "0",
        ATTESTRY_TIMEOUT: answer.hangs === true ? "300ms" : "30s"
      }
    })
    await server.stop()
    assert.strictEqual(ran.code, code, ran.stderr)
    assert.strictEqual(existsSync(join(home, ".local/state/attestry/spool")), isKept)
  })

  it("is kept where the repository's file says so", async () => {
    const home = folder()
    mkdirSync(join(home, ".git"))
    const file = join(home, ".attestry.yaml")
    writeFileSync(file, "version: 1\nif_unreachable: spool\n")
    const env = { ATTESTRY_URL: "http://127.0.0.1:1", ATTESTRY_API_KEY: "abcdefghijkl" }
    const machine = { home, env: { ...env, ATTESTRY_RETRIES: "0" } }
    assert.strictEqual((await run(argv, machine)).code, 0)
    writeFileSync(file, "version: 1\nif_unreachable: maybe\n")
    assert.strictEqual((await run(argv, machine)).code, 2)
  })
})

describe("the folder of the spool", () => {
  const pathOf = (env: { readonly [name: string]: string }, platform = "linux") =>
    SpoolFolder.pathOf({ env, home: "/users/ada", platform } as never)

  it("is a variable's, that of the state of the user, or that of Windows", () => {
    assert.strictEqual(pathOf({ ATTESTRY_SPOOL_DIR: "/s" }), "/s")
    assert.strictEqual(pathOf({ XDG_STATE_HOME: "/x" }), "/x/attestry/spool")
    assert.strictEqual(pathOf({}), "/users/ada/.local/state/attestry/spool")
    assert.include(pathOf({ LOCALAPPDATA: "C:\\l" }, "win32"), "C:\\l")
  })
})

describe("the id of an entry", () => {
  it("has its time, and the order of times", () => {
    const ids = [0, 1, 1_794_650_400_000, 2 ** 48 - 1].map(SpoolEntry.newId)
    assert.deepStrictEqual([...ids].sort(), ids)
    assert.deepStrictEqual(ids.map(SpoolEntry.timeOf), [0, 1, 1_794_650_400_000, 2 ** 48 - 1])
    assert.isTrue(ids.every(SpoolEntry.isId))
    assert.isFalse(SpoolEntry.isId("../x"))
  })
})
