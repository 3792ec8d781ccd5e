/** `report all`: every environment of a file, against a server on each store. */
import { unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { golden } from "../shared/Golden.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { stageOf, timeline } from "./WatchStage.js"

onEveryStore("reports every environment of a file", (deployment) => {
  const { home, web, cluster, cli } = stageOf(deployment)

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
      [`${one}{ name: a, kind: azure-apps, digests_source: x }`, "--digests-source expects one of"],
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
