/** `list … --reverse` of every noun: the other order of the whole list, never of its first page. */

import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { QUERY_PARAMETERS } from "@attestry/api/OperationIndex"
import { assert, beforeAll, describe, it } from "vitest"
import { type ListNoun, reversalOf } from "../../src/reading/ListNoun.js"
import { LIST_NOUNS } from "../../src/reading/NounTable.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const PLACES: ReadonlyMap<string, string> = new Map([
  ["environment", "prod"],
  ["control", "SDLC-1"],
  ["account", "ci-shop"],
  ["flow", "shop"],
  ["repo", "acme/a"],
  ["fingerprint", createHash("sha256").update("a").digest("hex")]
])

/** Nouns of which the deployment has one or none. */
const FEW = new Set([
  "approvals",
  "membership-log",
  "notifications",
  "running",
  "erasures",
  "failed-deliveries",
  "own-keys",
  "decaying"
])

const placeOf = ({ path = {} }: ListNoun): ReadonlyArray<string> =>
  Object.values(path).flatMap((flag) => [`--${flag}`, PLACES.get(flag) ?? ""])

const bomOf = (name: string): string =>
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "library", name, purl: `pkg:npm/${name}@1.0.0` }]
  })

onEveryStore("the other order", (deployment) => {
  const cwd = folder()
  const machine = machineOf({ cwd, deployment, env: JOB_OF_TRAIL })
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const list = async (
    noun: ListNoun,
    ...flags: ReadonlyArray<string>
  ): Promise<ReadonlyArray<unknown>> => {
    const text = await done("list", noun.noun, ...placeOf(noun), ...flags, "-o", "json")
    const items: ReadonlyArray<object> = JSON.parse(text)
    // WHY: the duration of what lasts grows between two answers, and each answer is a use of the key.
    return items.map((item) => ({ ...item, duration: 0, last_used_at: 0 }))
  }

  beforeAll(async () => {
    for (const name of ["prod", "zoo", "edge"])
      await done("put", "environment", name, "--kind", "server")
    for (const name of ["shop", "pay", "web"]) await done("put", "flow", name, "--description", "x")
    for (const id of ["SDLC-1", "SDLC-2"]) await done("put", "control", id, "--name", id)
    await done("put", "account", "ci-shop", "--privilege", "reader")
    await done("put", "account", "ci-pay", "--privilege", "reader")
    for (const name of ["one", "two"])
      await done("key", "create", "ci-shop", "--description", name, "--to-file", name)
    for (const name of ["load", "perf"]) await done("put", "type", name, "--jq", ".p99 < 300")
    for (const name of ["a", "b", "c"]) {
      writeFileSync(join(cwd, `${name}.txt`), name)
      await done(
        "begin",
        name,
        "--repository",
        `acme/${name}`,
        "--repo-url",
        `https://x.org/${name}`
      )
      await done("attest", "artifact", `${name}.txt`, "--slot", name, "-T", name)
      await done("attest", "generic", "-n", name, "-T", name)
      writeFileSync(join(cwd, "sbom.json"), bomOf(name))
      await done("attest", "sbom", "sbom.json", "-T", name)
      await done("report", "paths", "prod", "--path", `app=${name}.txt`)
      await done("allow", "prod", `${name}.txt`, "--reason", name)
      const about = ["--control", "SDLC-1", "--compliant", "-n", `d${name}`, "-T", name]
      await done("attest", "decision", ...about)
    }
    await done("report", "paths", "prod", "--path", "app=a.txt")
    await done("put", "control", "SDLC-1", "--name", "renamed")
  })

  for (const noun of LIST_NOUNS)
    it(`of ${noun.noun} is that of the whole list`, async () => {
      const all = noun.isPaged ? ["--all"] : []
      const usual = await list(noun, ...all)
      const other = await list(noun, ...all, "--reverse")
      assert.deepStrictEqual(other, [...usual].reverse())
      if (!noun.isPaged) return
      assert.deepStrictEqual(await list(noun, "--reverse", "--limit", "1"), other.slice(0, 1))
    })

  it("has several of the things whose order is asked for", async () => {
    for (const noun of LIST_NOUNS.filter(({ isPaged }) => isPaged)) {
      const found = await list(noun, "--all")
      assert.isAtLeast(found.length, FEW.has(noun.noun) ? 0 : 2, noun.noun)
    }
    assert.deepEqual(
      JSON.parse(await done("key", "list", "ci-shop", "--reverse", "-o", "json")),
      JSON.parse(await done("key", "list", "ci-shop", "-o", "json")).reverse()
    )
  })

  it("is refused for answers as they came, if the server has no other order", async () => {
    const refused = await run(["list", "trails", "--reverse", "--raw", "-o", "json"], machine())
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "the server has no other order of this list")
    await done("list", "flows", "--reverse", "--raw", "-o", "json")
  })
})

describe("a noun of list", () => {
  it("uses the order of the server where its operation has one", () => {
    const parameters = new Map<string, ReadonlyArray<string>>(Object.entries(QUERY_PARAMETERS))
    for (const noun of LIST_NOUNS) {
      const known = parameters.get(noun.operation) ?? []
      const expected = known.includes("sort_direction")
        ? "direction"
        : known.includes("reverse")
          ? "parameter"
          : "whole"
      assert.strictEqual(reversalOf(noun), expected, noun.noun)
    }
  })
})
