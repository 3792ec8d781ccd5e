/** The Helm chart: values come from the settings of the server, and every rendering is a valid set of manifests. */
import { execFile, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Either from "effect/Either"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { parse } from "yaml"
import * as ServerConfig from "../../packages/server/src/ServerConfig.js"
import * as ChartCases from "./chart/ChartCases.js"
import * as ChartRenderer from "./chart/ChartRenderer.js"
import * as KubernetesSchemas from "./chart/KubernetesSchemas.js"
import * as ManifestLinks from "./chart/ManifestLinks.js"
import * as Manifests from "./chart/Manifests.js"
import * as DeployFiles from "./deploy/DeployFiles.js"
import * as Repository from "./shared/Repository.js"

const SCHEMA = "deploy/chart/values.schema.json"

const variableOf = (key: string): string =>
  `ATTESTRY_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** The variables of the settings in a part of the values. */
const variablesIn = (part: string): ReadonlyArray<string> =>
  Object.keys(JSON.parse(Repository.read(SCHEMA)).properties[part].properties).map(variableOf)

describe("the chart", () => {
  it("has the settings, the schema and the version that the code has", () => {
    const script = join(Repository.root, "scripts/chart.mjs")
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8"
    })
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0)
    const { version } = JSON.parse(Repository.read("packages/server/package.json"))
    const chart = parse(Repository.read("deploy/chart/Chart.yaml"))
    assert.deepStrictEqual([chart.version, chart.appVersion], [version, version])
  })

  it("has each setting of the server once", () => {
    const template = Repository.read("deploy/chart/templates/configmap.yaml")
    const set = [...template.matchAll(/^ +(ATTESTRY_[A-Z_]+):/gm)].map(([, name]) => name ?? "")
    const all = [
      ...["settings", "secrets", "files"].flatMap(variablesIn),
      ...set.filter((name) => name !== "ATTESTRY_PUBLIC_URL"),
      // The first is on the volume of the value logState, the second in the data folder or not needed.
      "ATTESTRY_LOG_STATE_FILE",
      "ATTESTRY_ADMIN_SOCKET"
    ]
    assert.sameMembers(all, [...DeployFiles.settings()])
  })

  it("names in its examples every setting that is no secret", () => {
    const { settings } = parse(Repository.read(ChartCases.fileOf("everything")))
    assert.sameMembers(Object.keys(settings).map(variableOf), [...variablesIn("settings")])
  })
})

it.runIf(ChartRenderer.IS_REQUIRED)("finds the packages that render the chart", () => {
  assert.deepStrictEqual(ChartRenderer.MISSING, [])
})

const subject =
  ChartRenderer.MISSING.length === 0
    ? "the rendered chart"
    : `the rendered chart: not without ${ChartRenderer.MISSING.join(", ")}`

describe.skipIf(ChartRenderer.MISSING.length > 0)(subject, () => {
  const made: { renderer?: ChartRenderer.Renderer } = {}
  const renderer = (): ChartRenderer.Renderer => made.renderer ?? assert.fail("it was not built")
  beforeAll(() => {
    made.renderer = ChartRenderer.make()
  }, 120_000)
  afterAll(() => made.renderer?.close())

  const renderingOf = (name: string) => renderer().render({ files: [ChartCases.fileOf(name)] })
  const refusal = (values: unknown): string => {
    try {
      renderer().render({ values })
    } catch (error) {
      if (error instanceof ChartRenderer.Refused) return error.message
      throw error
    }
    return assert.fail(`${JSON.stringify(values)} was accepted`)
  }

  it("comes from an engine that does what Helm does", () => {
    const { documents } = renderer().render(
      {
        name: "blue",
        namespace: "shop",
        values: { removed: null, kept: { inner: "given" } }
      },
      "scripts/checks/chart/fixture"
    )
    assert.deepStrictEqual(documents, [
      {
        release: "blue in shop by Helm",
        chart: "fixture 1.2.3 4.5",
        template: "fixture/templates/values.yaml",
        included: { a: "given", b: "default" },
        evaluated: "blue-name",
        nested: '{"a":"given","b":"default"}',
        float: 1_200_000,
        integer: 1_200_000,
        json: 1_200_000,
        missing: "",
        defaulted: "standard",
        required: 1_200_000,
        found: "{}",
        tree: { inner: "given", other: "default" }
      }
    ])
    const text = renderer()
      .render({}, "scripts/checks/chart/fixture")
      .texts.get("templates/values.yaml")
    assert.include(text, "float: 1.2e+06\ninteger: 1200000\n")
  })

  it("is valid by the schemas of Kubernetes, and so are the manifests", () => {
    const rendered = Object.keys(ChartCases.CASES).flatMap((name) =>
      renderingOf(name).documents.map((document) => ({
        name: `${name} ${ManifestLinks.nameOf(document)}`,
        document
      }))
    )
    const written = Object.keys(Manifests.RELEASES).flatMap((path) =>
      DeployFiles.documentsIn(path).map((document) => ({ name: path, document }))
    )
    const defaults = renderer().render({}).documents
    const all = [
      ...rendered,
      ...written,
      ...defaults.map((document) => ({ name: "default", document }))
    ]
    assert.isAbove(all.length, 60)
    assert.deepStrictEqual(KubernetesSchemas.problems(all), [])
  })

  it("would not be valid with an unknown field, a wrong type or an unknown kind", () => {
    const named = (document: DeployFiles.Mapping) => [{ name: "x", document }]
    const metadata = { name: "x" }
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata }
    const problemsOf = (document: DeployFiles.Mapping) =>
      KubernetesSchemas.problems(named(document)).join()
    assert.strictEqual(problemsOf(map), "")
    assert.include(problemsOf({ ...map, dat: {} }), "does not exist in type 'IConfigMap'")
    const spec = { containers: [{ name: "x", readinesProbe: {} }] }
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec }
    assert.include(problemsOf(pod), "does not exist in type")
    assert.include(
      problemsOf({ ...map, kind: "Service", spec: { ports: [{ port: "80" }] } }),
      "port must be integer"
    )
    assert.include(problemsOf({ ...map, kind: "Secrets" }), "no schema for v1 Secrets")
    const monitor = { apiVersion: "monitoring.coreos.com/v1", kind: "ServiceMonitor", metadata }
    assert.include(problemsOf({ ...monitor, spec: { endpoints: [] } }), "selector")
  })

  it("refers to objects, ports and volumes that are there, and to secrets of the operator", () => {
    for (const [name, existing] of Object.entries(ChartCases.CASES))
      assert.deepStrictEqual(
        ManifestLinks.problems(renderingOf(name).documents, existing),
        [],
        name
      )
    const { documents } = renderingOf("everything")
    assert.include(
      ManifestLinks.problems(documents, []),
      "Deployment attestry: there is no Secret evidence-log"
    )
    const others = documents.filter(({ kind }) => kind !== "Deployment" && kind !== "Pod")
    assert.include(ManifestLinks.problems(others, []), "Service attestry: selects no pod")
  })

  it("gives the server settings that it reads", () => {
    for (const name of ["external-postgres", "embedded", "ingress", "everything"]) {
      const variables = ChartCases.variablesOf(renderingOf(name))
      assert.deepStrictEqual(ServerConfig.unknownVariables(variables), [], name)
      const read = ServerConfig.read({ file: new Map(), flags: new Map(), variables })
      assert.isTrue(Either.isRight(read), `${name}: ${Either.isLeft(read) && read.left.message}`)
    }
    const variables = ChartCases.variablesOf(renderingOf("everything"))
    assert.deepInclude(variables, {
      ATTESTRY_WEB: "on",
      ATTESTRY_ACCESS_LOG: "off",
      ATTESTRY_RATE_PER_ORG: "2400000",
      ATTESTRY_BACKTESTS: "0",
      ATTESTRY_OUTBOUND_CA: "/etc/attestry/outbound-ca/ca.crt"
    })
    const unset = [...DeployFiles.settings()].filter((name) => variables[name] === undefined)
    assert.deepStrictEqual(unset, ["ATTESTRY_DATA_DIR", "ATTESTRY_ADMIN_SOCKET"])
    assert.strictEqual(
      ChartCases.variablesOf(renderingOf("ingress")).ATTESTRY_PUBLIC_URL,
      "https://attestry.example.com"
    )
  })

  it("contains no secret", () => {
    for (const name of Object.keys(ChartCases.CASES))
      assert.notInclude(ChartCases.kindsOf(renderingOf(name)), "Secret")
  })

  it("runs the embedded store in one pod of a StatefulSet, with a claim that stays", () => {
    const rendering = renderingOf("embedded")
    assert.deepStrictEqual(ChartCases.kindsOf(rendering), [
      "ConfigMap",
      "PersistentVolumeClaim",
      "Pod",
      "Service",
      "ServiceAccount",
      "StatefulSet"
    ])
    assert.include(rendering.texts.get("templates/persistentvolumeclaim.yaml"), "policy: keep")
    assert.include(rendering.notes, "cat /var/lib/attestry/bootstrap-key")
  })

  it("calls a command line that parses, with a file of reporters that does", async () => {
    for (const name of ["reporter", "reporter-cronjob", "everything"]) {
      const documents = renderingOf(name).documents.filter((each) =>
        /reporter$/.test(ManifestLinks.nameOf(each))
      )
      const args = documents.flatMap((document) => DeployFiles.valuesOf(document, "args"))
      assert.deepStrictEqual(
        args.map((each) => DeployFiles.parsedCommand(each)),
        ["report all"]
      )
      const [reporters] = documents.flatMap((each) => DeployFiles.valuesOf(each, "reporters.yaml"))
      const [first] = await DeployFiles.reporterEntries(String(reporters))
      assert.strictEqual(first, "prod kubernetes")
    }
  })

  it("lets a reporter sign in by the token of its pod, which is for the address of the server", () => {
    const { documents } = renderingOf("reporter-cronjob")
    const [job] = documents.filter(({ kind }) => kind === "CronJob")
    const valuesIn = (key: string) => DeployFiles.valuesOf(job ?? {}, key)
    assert.deepInclude(valuesIn("env").flat(), {
      name: "ATTESTRY_ID_TOKEN_FILE",
      value: "/var/run/attestry-identity/token"
    })
    assert.include(valuesIn("mountPath"), "/var/run/attestry-identity")
    assert.deepStrictEqual(valuesIn("serviceAccountToken"), [
      { audience: "https://attestry.example.com", expirationSeconds: 600, path: "token" }
    ])
    assert.deepStrictEqual(valuesIn("secret"), [])
  })

  it("is tested by a pod that asks the server whether it is ready", async () => {
    const [pod] = renderingOf("ingress").documents.filter(({ kind }) => kind === "Pod")
    const [command] = DeployFiles.valuesOf(pod ?? {}, "command")
    const words = Array.isArray(command) ? command.map(String) : []
    assert.deepStrictEqual(words.slice(-2), ["attestry", "80"])
    const asked = (status: number) =>
      new Promise<string>((resolve) => {
        const server = createServer(({ url }, response) => {
          response.writeHead(url === "/ready" ? status : 404).end()
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const script = words.slice(1, -2)
          const child = execFile(
            "bash",
            [...script, "127.0.0.1", String(port)],
            (error, stdout) => {
              server.close()
              resolve(`${error?.code ?? 0} ${stdout.trim()}`)
            }
          )
          child.stdin?.end()
        })
      })
    assert.strictEqual(await asked(200), "0 HTTP/1.1 200 OK")
    assert.strictEqual(await asked(503), "1 HTTP/1.1 503 Service Unavailable")
  })

  it("accepts the values that its document sets", () => {
    const commands = [
      ...Repository.read("deploy/chart/README.md").matchAll(/^helm install (?:.*\\\n)*.*$/gm)
    ]
    const given = commands.map(([command]) =>
      [...command.matchAll(/--set ([\w.]+)=(\S+)/g)].map(([, path = "", value = ""]) =>
        path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
      )
    )
    assert.deepStrictEqual(
      given.map((values) => values.length),
      [2, 3, 0]
    )
    for (const values of given) assert.isNotEmpty(renderer().render({ overlays: values }).documents)
  })

  it("lets a reporter read pods, in the cluster or in namespaces", () => {
    const rules = (name: string) =>
      renderingOf(name).documents.flatMap((each) => DeployFiles.valuesOf(each, "rules"))
    const verbs = ["get", "list", "watch"]
    const resources = ["pods", "namespaces"]
    assert.deepStrictEqual(rules("reporter"), [[{ apiGroups: [""], resources, verbs }]])
    assert.deepStrictEqual(rules("reporter-cronjob"), [
      [{ apiGroups: [""], resources: ["pods"], verbs }]
    ])
  })

  it("refuses values that the schema does not have, with the message of Helm", () => {
    const begin =
      "values don't meet the specifications of the schema(s) in the following chart(s):\nattestry:\n- "
    const refused = (values: unknown, problem: string) =>
      assert.strictEqual(refusal(values), `${begin}${problem}`)
    refused(
      { settings: { logLevl: "info" } },
      "settings: Additional property logLevl is not allowed"
    )
    refused({ serve: {} }, "(root): Additional property serve is not allowed")
    refused(
      { settings: { databaseUrl: "postgres://a:b@c/d" } },
      "settings: Additional property databaseUrl is not allowed"
    )
    refused(
      { settings: { ratePerOrg: "many" } },
      "settings.ratePerOrg: Invalid type. Expected: integer, given: string"
    )
    refused(
      { settings: { logLevel: "loud" } },
      'settings.logLevel: settings.logLevel must be one of the following: "debug", "info", "warning", "error", "none"'
    )
    refused(
      { settings: { sendTimeout: "1 minute" } },
      "settings.sendTimeout: Does not match pattern '^(0|[1-9]\\d{0,9})(ms|s|m|h|d)$'"
    )
    refused(
      { store: "memory" },
      'store: store must be one of the following: "postgres", "embedded"'
    )
    refused({ server: { replicas: 0 } }, "server.replicas: Must be greater than or equal to 1")
  })

  it("refuses values that contradict one another", () => {
    const embedded = { store: "embedded" }
    const database = { databaseUrl: { existingSecret: "database" } }
    assert.include(refusal({ ...embedded, secrets: database }), "exclude one another")
    assert.include(refusal({ ...embedded, server: { replicas: 2 } }), "one process on one volume")
    assert.include(
      refusal({ ...embedded, server: { autoscaling: { enabled: true } } }),
      "one process on one volume"
    )
    assert.include(
      refusal({ migrations: { job: { enabled: true } } }),
      "needs secrets.migrationDatabaseUrl"
    )
    assert.include(
      refusal({ secrets: { smtpUrl: { existingSecret: "mail" } } }),
      "needs settings.smtpFrom"
    )
    assert.include(refusal({ server: { ingress: { enabled: true } } }), "needs a host")
    assert.include(refusal({ reporter: { enabled: true } }), "environments is required")
    const environments = [{ name: "prod", kind: "kubernetes" }]
    assert.include(
      refusal({ reporter: { enabled: true, environments } }),
      "reporter.url is required"
    )
    const reporter = { enabled: true, environments, identity: { enabled: true } }
    assert.include(
      refusal({ reporter: { ...reporter, apiKey: { existingSecret: "key" } } }),
      "reporter.identity and reporter.apiKey exclude one another"
    )
  })

  it.each(Object.entries(Manifests.RELEASES))("is the manifest %s", (path, release) => {
    const text = Repository.read(path)
    const renewed = Manifests.renewed(renderer(), release, text)
    if (process.env.ATTESTRY_GOLDEN === "write") writeFileSync(join(Repository.root, path), renewed)
    else assert.strictEqual(text, renewed, "run: ATTESTRY_GOLDEN=write pnpm vitest run chart.test")
  })
})
