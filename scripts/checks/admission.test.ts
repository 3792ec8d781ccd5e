/** Admission in the manifest and in the chart fits the command line, the schemas of Kubernetes, and the webhook. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { parse } from "yaml"
import * as AdmissionRules from "../../packages/cli/src/admission/AdmissionRules.js"
import { Arguments } from "../../packages/cli/src/shared/Arguments.js"
import * as ChartCases from "./chart/ChartCases.js"
import * as ChartRenderer from "./chart/ChartRenderer.js"
import * as KubernetesSchemas from "./chart/KubernetesSchemas.js"
import * as ManifestLinks from "./chart/ManifestLinks.js"
import * as DeployFiles from "./deploy/DeployFiles.js"
import * as Repository from "./shared/Repository.js"

const PATH = "deploy/kubernetes/admission.yaml"

type Documents = ReadonlyArray<DeployFiles.Mapping>

const documents = DeployFiles.documentsIn(PATH)

const valuesIn = (among: Documents, key: string): ReadonlyArray<DeployFiles.Value> =>
  among.flatMap((document) => DeployFiles.valuesOf(document, key))

const valuesOf = (key: string): ReadonlyArray<DeployFiles.Value> => valuesIn(documents, key)

/** The rules of a ConfigMap, as the command reads them. */
const rulesOf = async (among: Documents): Promise<AdmissionRules.RuleOf> => {
  const cwd = mkdtempSync(join(tmpdir(), "attestry-admission-"))
  try {
    writeFileSync(join(cwd, "rules.yaml"), String(valuesIn(among, "rules.yaml")[0]))
    const flags = new Arguments(new Map([["rules", ["rules.yaml"]]]), [])
    return await AdmissionRules.read({ cwd }, flags)
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

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
    const ruleOf = await rulesOf(documents)
    assert.deepStrictEqual(ruleOf("shop")?.mode, "warn")
    assert.deepStrictEqual(ruleOf("shop-staging")?.scope, {
      type: "environment",
      environment: "staging"
    })
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

const subject =
  ChartRenderer.MISSING.length === 0
    ? "admission in the chart"
    : `admission in the chart: not without ${ChartRenderer.MISSING.join(", ")}`

describe.skipIf(ChartRenderer.MISSING.length > 0)(subject, () => {
  const made: { renderer?: ChartRenderer.Renderer } = {}
  const renderer = (): ChartRenderer.Renderer => made.renderer ?? assert.fail("it was not built")
  beforeAll(() => {
    made.renderer = ChartRenderer.make()
  }, 120_000)
  afterAll(() => made.renderer?.close())

  const renderingOf = (name: string) => renderer().render({ files: [ChartCases.fileOf(name)] })
  const ofAdmission = (name: string) =>
    renderingOf(name).documents.filter((each) => /admission$/.test(ManifestLinks.nameOf(each)))

  it("is every kind of object once", () => {
    const kinds = [
      ...["ConfigMap", "Deployment", "PodDisruptionBudget", "Service", "ServiceAccount"],
      "ValidatingWebhookConfiguration"
    ]
    assert.deepStrictEqual(ChartCases.kindsOf(renderingOf("admission")), kinds)
    const all = ofAdmission("everything").map(({ kind }) => String(kind))
    const more = kinds.filter((kind) => kind !== "ServiceAccount")
    assert.sameMembers(all, [...more, "NetworkPolicy", "ServiceMonitor"])
    assert.deepStrictEqual(valuesIn(ofAdmission("admission"), "replicas"), [2])
  })

  it("calls a command line that parses, with the flags and the rules of the values", async () => {
    const [args = []] = valuesIn(ofAdmission("everything"), "args")
    assert.strictEqual(DeployFiles.parsedCommand(args), "admit")
    const line = Array.isArray(args) ? args.join(" ") : ""
    for (const flags of [
      "--mode enforce --fail closed --environment prod",
      "--registry registry.example.com --registry ghcr.io --verifier example.com/acme+",
      "--valid-for 1h --answer-within 8s --port 8443 --health-port 8081",
      "--output jsonl --fresh-for 2m"
    ])
      assert.include(line, flags)
    const ruleOf = await rulesOf(ofAdmission("everything"))
    assert.deepStrictEqual(ruleOf("shop")?.scope, { type: "policies", policies: ["payment-rules"] })
    assert.isFalse(ruleOf("shop")?.allowsBreakGlass)
    assert.isUndefined(ruleOf("sandbox"))
  })

  it("trusts the authority of cert-manager's certificate, or the one that is given", () => {
    const [injected] = valuesIn(ofAdmission("admission"), "cert-manager.io/inject-ca-from")
    assert.strictEqual(injected, "default/attestry-admission")
    assert.isEmpty(valuesIn(ofAdmission("admission"), "caBundle"))
    const everything = ofAdmission("everything")
    assert.isEmpty(valuesIn(everything, "cert-manager.io/inject-ca-from"))
    const [bundle] = valuesIn(everything, "caBundle")
    const text = Buffer.from(String(bundle), "base64").toString("utf8")
    assert.match(text, /^-----BEGIN CERTIFICATE-----\n[\s\S]+\n-----END CERTIFICATE-----\n$/)
  })

  it("asks about the namespaces that the values select, and denies by its own failure where they say so", () => {
    const admission = ofAdmission("admission")
    assert.deepStrictEqual(valuesIn(admission, "failurePolicy"), ["Ignore"])
    assert.deepStrictEqual(valuesIn(admission, "namespaceSelector"), [
      { matchLabels: { "attestry.dev/admission": "enabled" } }
    ])
    assert.include(renderingOf("admission").notes, "attestry.dev/admission=enabled")
    const webhooks = ofAdmission("everything").flatMap((each) => each.webhooks ?? [])
    const [selector = null] = webhooks.flatMap((each) =>
      DeployFiles.valuesOf(each, "namespaceSelector")
    )
    assert.deepStrictEqual(
      webhooks.flatMap((each) => DeployFiles.valuesOf(each, "failurePolicy")),
      ["Fail"]
    )
    assert.notProperty(selector, "matchLabels")
    assert.include(renderingOf("everything").notes, "must not fit the selector")
  })

  it("leads the webhook and the monitor to ports of the service", () => {
    const { documents: all } = renderingOf("everything")
    const others = all.filter(
      (each) => each.kind !== "Service" || !/admission$/.test(ManifestLinks.nameOf(each))
    )
    const problems = ManifestLinks.problems(others, [])
    assert.include(
      problems,
      "ValidatingWebhookConfiguration default-attestry-admission: calls no service of the set"
    )
    assert.include(
      problems,
      "ServiceMonitor attestry-admission: no selected service has the port health"
    )
  })

  it("takes the values of its guide", () => {
    const guide = Repository.read("docs/guides/stop-it-at-the-door.md")
    const [, text = ""] = /^```yaml\n(server:\n[\s\S]+?)^```$/m.exec(guide) ?? []
    const { documents: all } = renderer().render({
      name: "attestry-admission",
      namespace: "attestry-admission",
      values: parse(text)
    })
    const existing = ["Secret attestry-admission", "Secret attestry-admission-tls"]
    assert.deepStrictEqual(ManifestLinks.problems(all, existing), [])
    // It is the manifest, for which the guide has the same commands.
    assert.sameMembers(all.map(ManifestLinks.nameOf), documents.map(ManifestLinks.nameOf))
    assert.deepStrictEqual(
      valuesIn(all, "cert-manager.io/inject-ca-from"),
      valuesOf("cert-manager.io/inject-ca-from")
    )
    const [service = ""] = valuesIn(all, "clientConfig").flatMap((each) =>
      DeployFiles.valuesOf(each, "name")
    )
    assert.include(guide, `dnsNames: [${service}.attestry-admission.svc]`)
  })

  it("refuses values without a certificate, without what decides, or that contradict one another", () => {
    const ca = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
    const refusal = (admission: object): string => {
      const base = { enabled: true, url: "https://attestry.example.com", org: "acme" }
      try {
        renderer().render({ values: { admission: { ...base, ...admission } } })
      } catch (error) {
        if (error instanceof ChartRenderer.Refused) return error.message
        throw error
      }
      return "accepted"
    }
    const environment = "prod"
    const tls = { certificate: "door" }
    assert.include(refusal({ environment }), "admission.tls needs a certificate")
    assert.include(
      refusal({ environment, tls: { existingSecret: "tls" } }),
      "admission.tls needs a certificate"
    )
    assert.include(refusal({ environment, tls: { ca } }), "needs admission.tls.existingSecret")
    assert.include(refusal({ environment, tls: { ...tls, ca } }), "exclude one another")
    assert.include(refusal({ tls }), "admission needs something that decides")
    assert.include(
      refusal({ tls, environment, policies: ["rules"] }),
      "admission.environment and admission.policies exclude one another"
    )
    assert.include(refusal({ tls, environment, url: "" }), "admission.url is required")
    assert.include(refusal({ tls, environment, org: "" }), "admission.org is required")
    assert.include(refusal({ tls, environment, mode: "deny" }), "admission.mode must be one of")
    assert.include(
      refusal({ tls, rules: [{ namespace: "shop", modes: "warn" }] }),
      "Additional property modes is not allowed"
    )
    assert.include(refusal({ environment, tls: { ca: "no PEM" } }), "Does not match pattern")
    assert.strictEqual(refusal({ environment, tls }), "accepted")
    assert.strictEqual(refusal({ environment, tls: { existingSecret: "tls", ca } }), "accepted")
  })
})
