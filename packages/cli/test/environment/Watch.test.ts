/** `report --watch` and `report all`, played against a server on each store. */
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, beforeEach, it } from "vitest"
import type { Host } from "../../src/shared/Host.js"
import { golden } from "../shared/Golden.js"
import { folder, type Machine, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import * as FakeCluster from "./FakeCluster.js"

const digest = (letter: string) => letter.repeat(64)

/** A clock and a sleep that tests move: each pause is noted, and the process ends after the last. */
const timeline = (pauses: number, reason = "SIGTERM") => {
  const controller = new AbortController()
  const slept: Array<number> = []
  const state = { now: 1_794_650_400_000 }
  const host: Partial<Host> = {
    signal: controller.signal,
    now: () => state.now,
    sleep: async (millis) => {
      slept.push(millis)
      state.now += millis
      if (slept.length >= pauses) controller.abort(reason)
    }
  }
  return { host, slept, state }
}

onEveryStore("reports again and again", (deployment) => {
  const home = folder()
  const fake: { cluster?: FakeCluster.FakeCluster } = {}
  const cluster = () => {
    if (fake.cluster === undefined) throw new Error("the cluster has not started")
    return fake.cluster
  }
  const config = join(home, "kubeconfig")
  const web = join(home, "web")
  beforeAll(async () => {
    fake.cluster = await FakeCluster.start()
    writeFileSync(config, FakeCluster.kubeconfig(cluster().url))
  })
  afterAll(() => fake.cluster?.stop())
  const pod = (namespace: string, name: string, letter = "a"): FakeCluster.FakePod => ({
    namespace,
    name,
    containers: [
      { image: "registry.example.org/shop/api:1.4", imageID: `x@sha256:${digest(letter)}` }
    ]
  })
  beforeEach(() => {
    writeFileSync(web, "web")
    cluster().state.pods = [pod("shop", "api-1"), pod("shop", "api-2"), pod("pay-eu", "pay", "b")]
    cluster().state.denied = []
    cluster().requests.length = 0
  })
  const env = (more: { readonly [name: string]: string } = {}) => ({
    ATTESTRY_URL: deployment().url,
    ATTESTRY_API_KEY: deployment().keys.admin,
    ATTESTRY_ORG: "acme",
    ATTESTRY_RETRIES: "0",
    KUBECONFIG: config,
    ...more
  })
  const cli = (argv: ReadonlyArray<string>, machine: Machine = {}) =>
    run(argv, { home, ...machine, env: env(machine.env) })
  const paths = (name: string, ...more: ReadonlyArray<string>) => [
    "report",
    "paths",
    name,
    "--create",
    "--path",
    `web=${web}`,
    ...more
  ]

  it("shows what a cluster runs, for people and for programs", async () => {
    const forms = [
      ["json", ["-o", "json"], false],
      ["pipe", [], false],
      ["tty", [], true]
    ] as const
    const argv = ["report", "kubernetes", "golden", "--create", "--namespace", "shop"]
    const hidden = { image: "hidden:1", imageID: "none" }
    for (const [form, flags, tty] of forms) {
      cluster().state.denied = []
      cluster().state.pods = [pod("shop", "api-1"), pod("shop", "api-2")]
      assert.strictEqual((await cli(argv)).code, 0)
      cluster().state.pods = [
        pod("shop", "api-1", "c"),
        pod("shop", "api-2", "c"),
        { ...pod("shop", "old"), containers: [hidden] }
      ]
      const changed = await cli([...argv, ...flags], { tty })
      golden(
        `report-kubernetes.${form}`,
        form === "json" ? changed.stdout : changed.stdout + changed.stderr
      )
      const same = await cli([...argv, ...flags], { tty })
      golden(`report-kubernetes-again.${form}`, same.stdout)
      cluster().state.denied = ["shop"]
      const denied = await cli([...argv, ...flags], { tty })
      assert.deepStrictEqual([changed.code, same.code, denied.code], [0, 0, 7])
      const last = denied.stderr.trim().split("\n").at(-1) ?? ""
      golden(`report-kubernetes-denied.${form}`, form === "json" ? last : denied.stderr)
    }
  })

  it("is a heartbeat: one line for each round, changed or not, and ends with 143 when told to", async () => {
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

  const reporters = (text: string): string => {
    const file = join(home, "reporters.yaml")
    writeFileSync(file, text)
    return file
  }
  const ALL =
    "version: 1\nevery: 90s\nenvironments:\n" +
    '  - { name: all-shop, kind: kubernetes, namespaces: ["/^shop/"], include_failed: true }\n' +
    '  - { name: all-rest, kind: kubernetes, exclude_namespaces: ["/^shop/"] }\n' +
    `  - { name: all-web, kind: paths, paths: ["web=${web}"] }\n`

  it("reports every environment of a file, reading the cluster once", async () => {
    const file = reporters(ALL)
    const { code, stdout, stderr } = await cli(["report", "all", file, "--create", "-o", "json"])
    assert.strictEqual(code, 0, stderr)
    const { environments } = JSON.parse(stdout)
    assert.deepStrictEqual(
      environments.map(({ environment, units }: { environment: string; units: number }) => [
        environment,
        units
      ]),
      [
        ["all-shop", 2],
        ["all-rest", 1],
        ["all-web", 1]
      ]
    )
    assert.lengthOf(
      cluster().requests.filter((url) => url.startsWith("/api/v1/pods")),
      1
    )
    golden("report-all.pipe", (await cli(["report", "all", file])).stdout)
    golden("report-all.tty", (await cli(["report", "all", file], { tty: true })).stdout)
    golden("report-all.json", (await cli(["report", "all", file, "-o", "json"])).stdout)
  })

  it("reports the others where one fails, and ends with 8; with the code of all where all fail", async () => {
    unlinkSync(web)
    const part = await cli(["report", "all", reporters(ALL), "-o", "json"])
    assert.strictEqual(part.code, 8)
    assert.deepStrictEqual(
      JSON.parse(part.stdout).environments.map(
        ({ error }: { error?: { exit: number } }) => error?.exit
      ),
      [undefined, undefined, 7]
    )
    cluster().state.denied = ["*", "shop", "pay-eu"]
    assert.strictEqual((await cli(["report", "all", reporters(ALL)])).code, 7)
  })

  it("takes the interval of the file", async () => {
    const { host, slept } = timeline(1)
    const { code, stdout } = await cli(
      ["report", "all", reporters(ALL), "--watch", "-o", "jsonl"],
      {
        host
      }
    )
    assert.strictEqual(code, 143)
    assert.lengthOf(stdout.trim().split("\n"), 3)
    assert.isAtLeast(slept[0] ?? 0, 81_000)
    assert.isAtMost(slept[0] ?? 0, 99_000)
  })

  it("refuses a file that is wrong with the place of it, and sends nothing", async () => {
    const one = "version: 1\nenvironments:\n  - "
    const cases: ReadonlyArray<readonly [string, string]> = [
      [`${one}{ name: a, kind: kubernets }`, "did you mean `kubernetes`"],
      [`${one}{ name: a, kind: json }`, "unknown kind `json`"],
      [`${one}{ name: a, kind: kubernetes, namespace: b }`, "did you mean `namespaces`"],
      [`${one}{ name: a, kind: kubernetes, watch: true }`, "unknown key `watch`"],
      [`${one}{ name: a, kind: kubernetes, include_failed: 1 }`, "expected true or false"],
      [`${one}{ name: a, kind: kubernetes, namespaces: b }`, "expected a list of texts"],
      [
        `${one}{ name: a, kind: cloudx-apps, digests_source: x }`,
        "--digests-source expects one of"
      ],
      [`${one}{ kind: docker }`, "needs a name and a kind"],
      [`${one}{ name: a, kind: docker }\n  - { name: a, kind: docker }`, "is there twice"],
      ["version: 2\nenvironments: []", "expected version: 1"],
      ["version: 1\nenvironments: []", "there are no environments"],
      [
        "version: 1\nevery: soon\nenvironments:\n  - { name: a, kind: docker }",
        "expected a duration"
      ],
      ["version: 1\nkey: x\nenvironments: []", "unknown key `key`"]
    ]
    for (const [text, words] of cases) {
      const { code, stderr } = await cli(["report", "all", reporters(text)])
      assert.strictEqual(code, 2, text)
      assert.include(stderr, words)
      assert.match(stderr, /reporters\.yaml:\d+:\d+/)
    }
    assert.strictEqual((await cli(["report", "all", "none.yaml"])).code, 7)
  })

  it("takes 1,000 environments, and no more", async () => {
    const entry = (_: unknown, at: number) => `  - { name: e${at}, kind: docker }`
    const of = (count: number) =>
      reporters(["version: 1", "environments:", ...Array.from({ length: count }, entry)].join("\n"))
    const none = { DOCKER_HOST: `unix://${home}/none` }
    assert.strictEqual((await cli(["report", "all", of(1_000)], { env: none })).code, 7)
    assert.strictEqual((await cli(["report", "all", of(1_001)], { env: none })).code, 2)
  })

  it("needs no more than the key of a snapshotter", async () => {
    const { code, stdout } = await cli(["report", "all", reporters(ALL), "-o", "json"], {
      env: { ATTESTRY_API_KEY: deployment().keys.snapshotter }
    })
    assert.strictEqual(code, 0)
    assert.lengthOf(JSON.parse(stdout).environments, 3)
  })
})
