/** `report --watch`, against a server on each store. */
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import type { Host } from "../../src/shared/Host.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { stageOf, timeline } from "./WatchStage.js"

onEveryStore("reports again and again", (deployment) => {
  const { home, web, cluster, env, cli, paths } = stageOf(deployment)

  it("is a heartbeat: prints one line per round, changed or not, and exits with 143 on SIGTERM", async () => {
    const { host, slept } = timeline(3)
    const argv = paths("beat", "--watch", "--every", "60s", "-o", "jsonl")
    const { code, stdout, stderr } = await cli(argv, { host })
    assert.deepStrictEqual([code, stderr], [143, ""])
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      lines.map(({ outcome, environment }) => [environment, outcome]),
      [
        ["beat", "updated"],
        ["beat", "unchanged"],
        ["beat", "unchanged"]
      ]
    )
    assert.isTrue(lines.every(({ at }) => /^2026-11-14T/.test(at)))
    for (const pause of slept) {
      assert.isAtLeast(pause, 54_000)
      assert.isAtMost(pause, 66_000)
    }
    const interrupted = await cli(argv, { host: timeline(1, "SIGINT").host })
    assert.strictEqual(interrupted.code, 130)
  })

  it("goes on after failures, with growing pauses, and gathers anew", async () => {
    unlinkSync(web)
    const { host, slept } = timeline(4)
    const sleep = host.sleep
    const healing: Partial<Host> = {
      ...host,
      sleep: async (millis, signal) => {
        if (slept.length === 2) writeFileSync(web, "web")
        await sleep?.(millis, signal)
      }
    }
    const ran = await cli(paths("heal", "--watch", "-o", "jsonl"), { host: healing })
    assert.strictEqual(ran.code, 143)
    assert.deepStrictEqual(slept.slice(0, 3), [5_000, 10_000, 20_000])
    assert.lengthOf(ran.stdout.trim().split("\n"), 1)
    const failures = ran.stderr.split("\n").filter((line) => line.startsWith("{"))
    assert.deepStrictEqual(
      failures.map((line) => JSON.parse(line).error.exit),
      [7, 7, 7]
    )
  })

  it("ends with the code of the last failure after so many in a row", async () => {
    unlinkSync(web)
    const { host, slept } = timeline(99)
    const ran = await cli(paths("gone", "--watch", "--max-failures", "3"), { host })
    assert.deepStrictEqual([ran.code, slept.length], [7, 2])
    const denied = await cli(
      ["report", "paths", "none", "--path", web, "--watch", "--max-failures", "1"],
      {
        host: timeline(99).host,
        env: { ATTESTRY_API_KEY: deployment().keys.reader }
      }
    )
    writeFileSync(web, "web")
    assert.strictEqual(denied.code, 7)
    const forbidden = await cli(
      ["report", "paths", "beat", "--path", web, "--watch", "--max-failures", "1"],
      {
        host: timeline(99).host,
        env: { ATTESTRY_API_KEY: deployment().keys.reader }
      }
    )
    assert.strictEqual(forbidden.code, 4)
  })

  it("reads the key anew for each round", async () => {
    const file = join(home, "key")
    writeFileSync(file, deployment().keys.reader)
    chmodSync(file, 0o600)
    const { host, slept } = timeline(2)
    const sleep = host.sleep
    const rotating: Partial<Host> = {
      ...host,
      sleep: async (millis, signal) => {
        writeFileSync(file, deployment().keys.admin)
        await sleep?.(millis, signal)
      }
    }
    const argv = paths("rotated", "--watch", "-o", "jsonl")
    const environment = { ATTESTRY_API_KEY: "", ATTESTRY_API_KEY_FILE: file }
    const ran = await cli(argv, { host: rotating, env: environment })
    assert.lengthOf(slept, 2)
    assert.lengthOf(ran.stdout.trim().split("\n"), 1)
    assert.include(ran.stderr, '"exit":4')
  })

  it("reports at once when files and pods change", async () => {
    const argv = [
      "report",
      "kubernetes",
      "told",
      "--create",
      "--watch",
      "--on-change",
      "--every",
      "1h",
      "-o",
      "jsonl"
    ]
    const controller = new AbortController()
    const state = { rounds: 0 }
    const host: Partial<Host> = {
      signal: controller.signal,
      sleep: (millis, signal) => {
        if (millis > 10_000)
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason))
          )
        if (++state.rounds === 2) controller.abort("SIGTERM")
        return Promise.resolve()
      }
    }
    const { code, stdout } = await cli(argv, { host })
    assert.strictEqual(code, 143)
    assert.lengthOf(stdout.trim().split("\n"), 2)
    assert.isTrue(cluster().requests.some((url) => url.includes("watch=true&resourceVersion=41")))
  })

  it("answers probes and metrics while it runs, as the built program, and finishes on SIGTERM", async () => {
    const program = new URL("../../dist/bundle/attestry.js", import.meta.url).pathname
    const build = new URL("../../build/build.mjs", import.meta.url).pathname
    assert.strictEqual(spawnSync(process.execPath, [build]).status, 0)
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const argv = paths(
      "probed",
      "--watch",
      "--every",
      "1s",
      "-o",
      "jsonl",
      "--health-port",
      String(port)
    )
    const child = spawn(process.execPath, [program, ...argv], {
      env: { PATH: process.env.PATH ?? "", HOME: home, ...env() },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines: Array<string> = []
    const first = new Promise<void>((resolve) =>
      child.stdout.on("data", (piece: Buffer) => {
        lines.push(piece.toString("utf8"))
        resolve()
      })
    )
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
    await first
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    assert.deepStrictEqual(
      [await statusOf("/live"), await statusOf("/ready"), await statusOf("/other")],
      [200, 200, 404]
    )
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    assert.include(metrics, 'attestry_report_units{environment="probed"} 1')
    child.kill("SIGTERM")
    assert.strictEqual(await ended, 143)
    assert.include(lines.join(""), '"outcome":"updated"')
  })

  it("refuses flags that go with --watch alone, and a port or an interval that is none", async () => {
    for (const more of [
      ["--every", "60s"],
      ["--max-failures", "2"],
      ["--health-port", "8081"],
      ["--on-change"],
      ["--watch", "--dry-run"],
      ["--watch", "-o", "json"],
      ["--watch", "--every", "999ms"],
      ["--watch", "--health-port", "0"],
      ["--watch", "--health-port", "65536"],
      ["--watch", "--max-failures", "0"]
    ])
      assert.strictEqual((await cli(paths("flags", ...more))).code, 2, more.join(" "))
    const { host } = timeline(1)
    assert.strictEqual((await cli(paths("flags", "--watch", "--every", "1s"), { host })).code, 143)
  })
})
