/** A real terminal: the built program under `script`, whose output is that of a pty. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const BUNDLE = join(import.meta.dirname, "../../dist/bundle/attestry.js")
const CAN_RUN = existsSync(BUNDLE) && spawnSync("sh", ["-c", "command -v script"]).status === 0

interface Shown {
  readonly code: number | null
  readonly text: string
}

/** Runs a command line in a terminal of that width; what is typed is sent once the text appears. */
const inTerminal = (
  line: string,
  {
    env = {},
    columns = 100,
    typed = []
  }: Partial<{
    readonly env: { readonly [name: string]: string }
    readonly columns: number
    readonly typed: ReadonlyArray<readonly [after: string, keys: string]>
  }> = {}
): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const home = folder()
    const command = `stty cols ${columns}; exec node ${BUNDLE} ${line}`
    const child = spawn("script", ["-qefc", command, "/dev/null"], {
      cwd: home,
      env: { PATH: process.env.PATH ?? "", HOME: home, TERM: "xterm", SHELL: "/bin/sh", ...env }
    })
    const waiting = [...typed]
    let text = ""
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString("utf8")
      const [next] = waiting
      if (next !== undefined && text.includes(next[0])) {
        waiting.shift()
        child.stdin.write(next[1])
      }
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, text }))
  })

const FLOWS = JSON.stringify([{ name: "a-flow-with-a-rather-long-name-for-a-narrow-terminal" }])

describe.skipIf(!CAN_RUN)("in a terminal", () => {
  const serving = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
    const server = await StubServer.start(() => ({ body: FLOWS }))
    try {
      return await work(server.url)
    } finally {
      await server.stop()
    }
  }
  const env = (url: string) => ({
    ATTESTRY_URL: url,
    ATTESTRY_API_KEY: "canary-key-0123456789",
    ATTESTRY_ORG: "acme"
  })

  it("a failure is coloured, and plain with NO_COLOR and with TERM=dumb", async () => {
    const coloured = await inTerminal("lisst")
    assert.strictEqual(coloured.code, 2)
    assert.include(coloured.text, "\u001b[")
    for (const more of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const plain = await inTerminal("lisst", { env: more })
      assert.notInclude(plain.text, "\u001b[")
    }
  })

  it("no line is wider than the terminal, at 40 columns and at 200", () =>
    serving(async (url) => {
      for (const columns of [40, 200]) {
        const { code, text } = await inTerminal("list flows", { env: env(url), columns })
        assert.strictEqual(code, 0, text)
      }
    }))

  it("JSON is indented, and holds no sequence that steers the terminal", () =>
    serving(async (url) => {
      const { code, text } = await inTerminal("list flows -o json", { env: env(url) })
      assert.strictEqual(code, 0, text)
      assert.include(text, "\n  ")
      assert.notInclude(text, "\u001b[")
    }))

  it("a key that is typed is not shown", () =>
    serving(async (url) => {
      const { text } = await inTerminal(`login --url ${url}`, {
        typed: [["key", "typed-secret-123\r"]]
      })
      assert.notInclude(text, "typed-secret-123")
    }))

  it("Ctrl-C at a question ends with 130", async () => {
    const { code } = await inTerminal("login --url http://127.0.0.1:1", {
      typed: [["key", "\u0003"]]
    })
    assert.strictEqual(code, 130)
  })
})
