/** The manifest of admission fits the command line, the schemas of Kubernetes, and what the webhook answers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as AdmissionRules from "../../packages/cli/src/admission/AdmissionRules.js"
import { Arguments } from "../../packages/cli/src/shared/Arguments.js"
import * as KubernetesSchemas from "./chart/KubernetesSchemas.js"
import * as DeployFiles from "./deploy/DeployFiles.js"
import * as Repository from "./shared/Repository.js"

const PATH = "deploy/kubernetes/admission.yaml"

const documents = DeployFiles.documentsIn(PATH)

const valuesOf = (key: string): ReadonlyArray<DeployFiles.Value> =>
  documents.flatMap((document) => DeployFiles.valuesOf(document, key))

describe("the manifest of admission", () => {
  it("is valid by the schemas of Kubernetes", () => {
    const named = documents.map((document) => ({ name: PATH, document }))
    assert.isAtLeast(named.length, 6)
    assert.deepStrictEqual(KubernetesSchemas.problems(named), [])
  })

  it("calls a command line that parses, with settings that it has and rules that it reads", async () => {
    const [args] = valuesOf("args")
    assert.strictEqual(DeployFiles.parsedCommand(args ?? []), "admit")
    const known = DeployFiles.commandLineSettings()
    const used = [...DeployFiles.namedSettings(Repository.read(PATH))]
    assert.isNotEmpty(used)
    assert.deepStrictEqual(
      used.filter((name) => !known.has(name)),
      []
    )
    const cwd = mkdtempSync(join(tmpdir(), "attestry-admission-"))
    try {
      writeFileSync(join(cwd, "rules.yaml"), String(valuesOf("rules.yaml")[0]))
      const flags = new Arguments(new Map([["rules", ["rules.yaml"]]]), [])
      const ruleOf = await AdmissionRules.read({ cwd }, flags)
      assert.deepStrictEqual(ruleOf("shop")?.mode, "warn")
      assert.deepStrictEqual(ruleOf("shop-staging")?.scope, {
        type: "environment",
        environment: "staging"
      })
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })

  it("waits longer than a review takes, begins by ignoring failures, and has no more rights than none", () => {
    const [timeout] = valuesOf("timeoutSeconds")
    assert.isAbove(Number(timeout), 8)
    assert.deepStrictEqual(valuesOf("failurePolicy"), ["Ignore"])
    assert.deepStrictEqual(valuesOf("sideEffects"), ["NoneOnDryRun"])
    assert.deepStrictEqual(valuesOf("automountServiceAccountToken"), [false, false])
    assert.deepStrictEqual(valuesOf("readOnlyRootFilesystem"), [true])
    assert.deepStrictEqual(valuesOf("runAsNonRoot"), [true])
    const probes = valuesOf("httpGet").flatMap((probe) => DeployFiles.valuesOf(probe, "path"))
    assert.sameMembers(probes, ["/live", "/ready"])
    const ports = valuesOf("containerPort").map(String)
    assert.deepStrictEqual(ports, ["8443", "8081"])
    assert.include(JSON.stringify(valuesOf("args")), `"${ports[1]}"`)
  })
})
