/** Reports of clusters: what runs in pods, what is refused, and how the cluster is reached. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import * as KubernetesConfig from "../../src/environment/source/KubernetesConfig.js"
import { folder, type Machine, run } from "../shared/Run.js"
import * as FakeCluster from "./FakeCluster.js"

const digest = (letter: string) => letter.repeat(64)
const API = "registry.example.org/shop/api:1.4"
const pinned = (letter: string) => `registry.example.org/shop/api@sha256:${digest(letter)}`

const POD: FakeCluster.FakePod = {
  namespace: "shop",
  name: "api-1",
  containers: [{ image: API, imageID: pinned("a") }]
}

interface Unit {
  readonly digests: { readonly [name: string]: string }
  readonly podName: string
}

describe("attestry report kubernetes", () => {
  const home = folder()
  const file = join(home, "config")
  const fake: { cluster?: FakeCluster.FakeCluster } = {}
  const cluster = () => {
    if (fake.cluster === undefined) throw new Error("the cluster has not started")
    return fake.cluster
  }
  beforeAll(async () => {
    fake.cluster = await FakeCluster.start()
  })
  beforeEach(() => {
    Object.assign(cluster().state, {
      pods: [POD],
      denied: [],
      expired: 0,
      settlesAfter: 1,
      pageSize: 500,
      needsCertificate: false
    })
    cluster().requests.length = 0
    writeFileSync(file, FakeCluster.kubeconfig(cluster().url))
  })
  afterAll(() => fake.cluster?.stop())

  const report = (more: ReadonlyArray<string> = [], machine: Machine = {}) =>
    run(["report", "kubernetes", "prod", "--dry-run", "-o", "json", ...more], {
      home,
      ...machine,
      env: { KUBECONFIG: file, ...machine.env }
    })
  const unitsOf = ({ stdout, stderr }: { stdout: string; stderr: string }): ReadonlyArray<Unit> => {
    assert.notStrictEqual(stdout, "", stderr)
    return JSON.parse(stdout).payload.artifacts
  }

  it("reports each pod with its owners, its time and the digest that the cluster tells", async () => {
    const { code, stdout } = await report()
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(JSON.parse(stdout).payload, {
      type: "K8S",
      artifacts: [
        {
          digests: { [API]: digest("a") },
          creationTimestamp: 1_794_650_400,
          podName: "api-1",
          namespace: "shop",
          owners: [
            {
              apiVersion: "apps/v1",
              kind: "ReplicaSet",
              name: "api-1-rs",
              uid: "u1",
              controller: true,
              blockOwnerDeletion: true
            }
          ]
        }
      ]
    })
  })

  it("reports every container that runs: regular, sidecar and ephemeral, and none that does not", async () => {
    cluster().state.pods = [
      {
        ...POD,
        containers: [
          { name: "main", image: "a:1", imageID: pinned("a") },
          { name: "waiting", image: "b:1", state: "waiting" },
          { name: "proxy", image: "c:1", imageID: pinned("c"), list: "initContainer" },
          { name: "setup", image: "d:1", list: "initContainer", state: "terminated" },
          { name: "debug", image: "e:1", imageID: pinned("e"), list: "ephemeralContainer" }
        ]
      },
      { ...POD, name: "pending", phase: "Pending" },
      { ...POD, name: "done", phase: "Succeeded" },
      {
        ...POD,
        name: "failed",
        phase: "Failed",
        containers: [{ image: "f:1", imageID: pinned("f"), state: "terminated" }]
      }
    ]
    const [unit, ...others] = unitsOf(await report())
    assert.deepStrictEqual(unit?.digests, {
      "a:1": digest("a"),
      "c:1": digest("c"),
      "e:1": digest("e")
    })
    assert.deepStrictEqual(others, [])
    const failed = unitsOf(await report(["--include-failed"])).find(
      ({ podName }) => podName === "failed"
    )
    assert.deepStrictEqual(failed?.digests, { "f:1": digest("f") })
  })

  it("reports an image's id with a warning, and names images by what was asked for", async () => {
    cluster().state.pods = [
      {
        ...POD,
        containers: [
          { image: API, told: `sha256:${digest("1")}`, imageID: `sha256:${digest("b")}` }
        ]
      }
    ]
    const ran = await report()
    assert.deepStrictEqual(unitsOf(ran)[0]?.digests, { [API]: digest("b") })
    assert.include(ran.stderr, "reported under its id")
  })

  it("keeps two digests of one name in one pod apart", async () => {
    cluster().state.pods = [
      {
        ...POD,
        containers: [
          { name: "a", image: API, imageID: pinned("a") },
          { name: "b", image: API, imageID: pinned("b") }
        ]
      }
    ]
    assert.deepStrictEqual(
      unitsOf(await report()).map(({ digests }) => digests[API]),
      [digest("a"), digest("b")]
    )
  })

  it("asks again for a missing digest, and then reports it as unknown", async () => {
    cluster().state.pods = [{ ...POD, containers: [{ image: API }] }]
    cluster().state.settlesAfter = 3
    assert.deepStrictEqual(unitsOf(await report())[0]?.digests, { [API]: digest("5") })
    cluster().state.settlesAfter = 99
    const ran = await report()
    assert.deepStrictEqual(unitsOf(ran)[0]?.digests, { [API]: "" })
    assert.include(ran.stderr, "reported as unknown")
    cluster().state.settlesAfter = 99
    assert.strictEqual((await report(["--strict"])).code, 8)
  })

  it("reads every page, and begins anew when a list expires on the way", async () => {
    cluster().state.pods = Array.from({ length: 7 }, (_, at) => ({ ...POD, name: `p${at}` }))
    cluster().state.pageSize = 3
    assert.lengthOf(unitsOf(await report()), 7)
    cluster().state.expired = 2
    assert.lengthOf(unitsOf(await report()), 7)
    cluster().state.expired = 99
    assert.strictEqual((await report()).code, 7)
  })

  it("asks for pages of 500", async () => {
    await report()
    assert.include(cluster().requests[0], "limit=500")
  })

  it("takes namespaces by name, by pattern and by exclusion, not both sides, and labels", async () => {
    cluster().state.pods = ["shop", "pay-eu", "pay-us", "infra"].map((namespace) => ({
      ...POD,
      namespace,
      name: namespace
    }))
    const names = async (...more: ReadonlyArray<string>) =>
      unitsOf(await report(more)).map(({ podName }) => podName)
    assert.deepStrictEqual(await names("--namespace", "shop"), ["shop"])
    assert.isTrue(cluster().requests.every((url) => url.includes("/namespaces/shop/pods")))
    assert.deepStrictEqual(await names("--namespace", "/^pay-/", "--namespace", "shop"), [
      "shop",
      "pay-eu",
      "pay-us"
    ])
    assert.deepStrictEqual(await names("--exclude-namespace", "/pay/"), ["shop", "infra"])
    const both = await report(["--namespace", "a", "--exclude-namespace", "b"])
    assert.strictEqual(both.code, 2)
    assert.strictEqual((await report(["--namespace", "/(/"])).code, 2)
    await report(["--selector", "app=web,tier!=db"])
    assert.include(cluster().requests.at(-1), "labelSelector=app%3Dweb%2Ctier!%3Ddb")
  })

  it("leaves out a namespace that is denied, and sends nothing where all are", async () => {
    cluster().state.pods = [POD, { ...POD, namespace: "secret", name: "s" }]
    cluster().state.denied = ["secret"]
    const named = await report(["--namespace", "shop", "--namespace", "secret"])
    assert.strictEqual(named.code, 0)
    assert.lengthOf(unitsOf(named), 1)
    assert.include(named.stderr, "namespace secret")
    const strict = await report(["--namespace", "shop", "--namespace", "secret", "--strict"])
    assert.strictEqual(strict.code, 8)
    assert.strictEqual((await report(["--namespace", "secret"])).code, 7)
  })

  it("lists namespace by namespace where the account may not list all pods at once", async () => {
    cluster().state.pods = [POD, { ...POD, namespace: "secret", name: "s" }]
    cluster().state.denied = ["*", "secret"]
    const ran = await report()
    assert.deepStrictEqual(
      unitsOf(ran).map(({ podName }) => podName),
      ["api-1"]
    )
    assert.include(ran.stderr, "namespace secret")
    const others = await report(["--exclude-namespace", "secret"])
    assert.notInclude(others.stderr, "namespace secret")
  })

  it("reports an empty cluster as empty", async () => {
    cluster().state.pods = []
    assert.deepStrictEqual(unitsOf(await report()), [])
  })

  it("signs in by a token, a file, a certificate and a program", async () => {
    const token = join(home, "token")
    writeFileSync(token, `${FakeCluster.TOKEN}\n`)
    const program = join(home, "give.sh")
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s %s' "$KUBERNETES_EXEC_INFO" "$ATTESTRY_API_KEY" > "$1"\n` +
        `echo '{"kind":"ExecCredential","status":{"token":"'$CANARY'"}}'\n`
    )
    chmodSync(program, 0o755)
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "./give.sh",
      args: [join(home, "info")],
      env: [{ name: "CANARY", value: FakeCluster.TOKEN }],
      interactiveMode: "Never"
    }
    for (const user of [{ tokenFile: "token" }, { exec }]) {
      writeFileSync(file, FakeCluster.kubeconfig(cluster().url, { user }))
      const ran = await report(["-v"], { env: { ATTESTRY_API_KEY: "key-canary" } })
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.notInclude(ran.stderr + ran.stdout, FakeCluster.TOKEN)
    }
    const told = readFileSync(join(home, "info"), "utf8")
    assert.include(told, "ExecCredential")
    assert.notInclude(told, "key-canary")
    cluster().state.needsCertificate = true
    const user = {
      "client-certificate-data": Buffer.from(FakeCluster.CERTIFICATE).toString("base64"),
      "client-key-data": Buffer.from(FakeCluster.KEY).toString("base64")
    }
    writeFileSync(file, FakeCluster.kubeconfig(cluster().url, { user }))
    assert.strictEqual((await report()).code, 0)
  })

  it("ends with 7 for a wrong token, an unknown context, no cluster, and what is not done", async () => {
    const refused: ReadonlyArray<readonly [string, { user?: object; cluster?: object }]> = [
      ["Unauthorized", { user: { token: "wrong-token" } }],
      ["auth-provider", { user: { "auth-provider": { name: "oidc" } } }],
      ["password", { user: { username: "a", password: "b" } }],
      ["insecure-skip-tls-verify", { cluster: { "insecure-skip-tls-verify": true } }],
      ["without encryption", { cluster: { server: "http://cluster.example.org" } }],
      ["does not answer", { cluster: { "certificate-authority-data": "" } }],
      [
        "cannot be run",
        { user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "/none" } } }
      ],
      ["version", { user: { exec: { apiVersion: "v0", command: "x" } } }]
    ]
    for (const [words, changes] of refused) {
      writeFileSync(file, FakeCluster.kubeconfig(cluster().url, changes))
      const { code, stderr } = await report()
      assert.strictEqual(code, 7, words)
      assert.include(stderr, words)
    }
    writeFileSync(file, FakeCluster.kubeconfig(cluster().url))
    assert.include((await report(["--context", "other"])).stderr, "there is: here, broken")
    assert.strictEqual((await report(["--context", "broken"])).code, 7)
    writeFileSync(file, "contexts: [\n")
    assert.strictEqual((await report()).code, 7)
    const none = await report([], { env: { KUBECONFIG: join(home, "none") } })
    assert.strictEqual(none.code, 7)
    assert.include(none.stderr, "runs in no pod")
  })

  it("takes the first of several files, and ~/.kube/config without a variable", async () => {
    const other = join(home, "other")
    writeFileSync(other, FakeCluster.kubeconfig("https://127.0.0.1:1"))
    const env = { KUBECONFIG: `${join(home, "none")}:${file}:${other}` }
    assert.strictEqual((await report([], { env })).code, 0)
    mkdirSync(join(home, ".kube"), { recursive: true })
    writeFileSync(join(home, ".kube/config"), FakeCluster.kubeconfig(cluster().url))
    assert.strictEqual((await report([], { env: { KUBECONFIG: "" } })).code, 0)
  })

  it("knows the cluster of the pod that it runs in by its service account", async () => {
    const account = folder()
    writeFileSync(join(account, "token"), FakeCluster.TOKEN)
    writeFileSync(join(account, "ca.crt"), FakeCluster.CERTIFICATE)
    const env = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: "6443" }
    const host = { env, home: folder(), cwd: "/" } as never
    const found = await KubernetesConfig.load(host, undefined, account)
    assert.deepStrictEqual(
      [found.server, found.credential.token, found.tls.ca],
      ["https://127.0.0.1:6443", FakeCluster.TOKEN, FakeCluster.CERTIFICATE]
    )
  })
})
