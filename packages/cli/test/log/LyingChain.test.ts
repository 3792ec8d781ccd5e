/**
 * `attestry log chain` against a deployment that leaves out an entry about an artifact: every way to do so is found.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

interface Shown {
  readonly complete: boolean
  readonly problem: string | null
  readonly chains: ReadonlyArray<{
    readonly links: ReadonlyArray<{ readonly entry: string; readonly kind: string }>
  }>
}

/** What is asked: another path than the one that was asked for, or another answer. */
interface Lie {
  readonly path?: (asked: string) => string
  readonly answer?: (asked: string, text: string) => string
}

onEveryStore("the chain of a deployment that lies", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "admin" as const }
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    return ran.stdout
  }
  let lie: Lie = {}
  let key = ""
  let failed: ReadonlyArray<string> = []

  /** Passes requests on, as the lie changes them. */
  const front = createServer((request, response) => {
    const asked = request.url ?? ""
    const path = lie.path?.(asked) ?? asked
    fetch(`${deployment().url}${path}`, {
      headers: {
        authorization: request.headers.authorization ?? "",
        accept: request.headers.accept ?? "*/*"
      }
    }).then(
      async (answer) => {
        const text = await answer.text()
        response.writeHead(answer.status, {
          "content-type": answer.headers.get("content-type") ?? "application/json"
        })
        response.end(lie.answer?.(asked, text) ?? text)
      },
      () => response.destroy()
    )
  })

  const chain = async (told: Lie) => {
    lie = told
    const { port } = front.address() as AddressInfo
    const env = { ATTESTRY_URL: `http://127.0.0.1:${port}` }
    const argv = ["log", "chain", KnownArtifact.DIGEST, "--verifier", key, "-o", "json"]
    const ran = await run(argv, machine({ env }))
    return { code: ran.code, stderr: ran.stderr, shown: JSON.parse(ran.stdout || "null") as Shown }
  }

  beforeAll(async () => {
    await KnownArtifact.attest(cwd, done)
    await done("attest", "generic", "-n", "scan", "--compliant=false")
    await done("attest", "generic", "-n", "review")
    await done("log", "receipt", KnownArtifact.DIGEST)
    key = JSON.parse(await done("get", "log", "-o", "json")).keys[0].vkey
    await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening))
    const { code, shown, stderr } = await chain({})
    assert.strictEqual(code, 0, stderr)
    failed = (shown.chains[0]?.links ?? []).map(({ entry }) => entry)
    assert.isAtLeast(failed.length, 4)
  })
  afterAll(() => new Promise<void>((closed) => void front.close(() => closed())))

  it("LOG-27: is not complete without any of its entries but the newest, whatever stands for it", async () => {
    for (const [at, entry] of failed.entries()) {
      if (at === 0) continue
      const other = failed[at + 1] ?? failed[0] ?? ""
      const lies: ReadonlyArray<Lie> = [
        // Its receipt is that of another entry of the chain.
        { path: (asked) => asked.replace(entry, other) },
        // The feed has the entry after it in its place, or none.
        {
          answer: (asked, text) =>
            asked.includes("/events/") ? text.replaceAll(entry, other) : text
        },
        {
          answer: (asked, text) =>
            asked.includes("/events/") && text.includes(entry) ? '{"events":[],"size":0}' : text
        }
      ]
      for (const [place, told] of lies.entries()) {
        const { code, shown, stderr } = await chain(told)
        assert.notStrictEqual(code, 0, `${at}.${place}: ${stderr}`)
        if (shown !== null && "complete" in shown) assert.isFalse(shown.complete, `${at}.${place}`)
      }
    }
  })

  it("LOG-27: is not read where the signed receipt that names its newest entry is changed", async () => {
    const [newest = "", before = ""] = failed
    const { code } = await chain({
      answer: (asked, text) => {
        if (!asked.includes("/asserts/") && !asked.includes("receipt")) return text
        const envelope = JSON.parse(text)
        if (typeof envelope.payload !== "string") return text
        const payload = Buffer.from(envelope.payload, "base64").toString("utf8")
        const changed = Buffer.from(payload.replaceAll(newest, before)).toString("base64")
        return JSON.stringify({ ...envelope, payload: changed })
      }
    })
    assert.notStrictEqual(code, 0)
  })
})
