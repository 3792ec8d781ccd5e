/** `attestry apply` checks a whole folder before it writes, and names what it wrote where a write fails. */
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, it } from "vitest"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onBothStores } from "../shared/TestDeployment.js"

const POLICY = "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"

const documents = (files: { readonly [file: string]: string }): string => {
  const cwd = folder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(cwd, "c", file, ".."), { recursive: true })
    writeFileSync(join(cwd, "c", file), text)
  }
  return cwd
}

/** A server between the command and the deployment, which refuses one real write. */
const between = async (
  url: string,
  refuses: (request: IncomingMessage) => boolean
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (refuses(request)) {
      response.writeHead(409, { "content-type": "application/json" })
      response.end('{"message":"Another writer holds it"}')
      return
    }
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = new Headers()
    for (const name of ["authorization", "content-type", "prefer", "idempotency-key", "accept"]) {
      const value = request.headers[name]
      if (typeof value === "string") headers.set(name, value)
    }
    const body = Buffer.concat(chunks)
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method ?? "GET",
      headers,
      ...(body.length === 0 ? {} : { body })
    })
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  const server = createServer((request, response) => void pass(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve()))
  }
}

onBothStores("apply", (deployment) => {
  const apply = (cwd: string, ...flags: ReadonlyArray<string>) =>
    run(["apply", "c", ...flags], machineOf({ cwd, deployment })())
  const exists = async (noun: string, name: string) =>
    (await run(["get", noun, name], machineOf({ cwd: folder(), deployment })())).code === 0

  it("shows every problem of every file with its place, and writes nothing", async () => {
    const cwd = documents({
      "types/load.yaml": "description: x\njq: ['.p99 <']\n",
      "controls/SDLC-9.yaml": "description: without a name\n",
      "policies/good.yaml": POLICY,
      "policies/bad.yaml": "_schema: https://example.com/v1\nartifacts:\n  provenence: {}\n",
      "flows/shop.yaml": "description: d\nvisibility: secret\n",
      "flows/pay.yaml": "descripton: x\ntags: [a]\ntemplate:\n  version: 1\n",
      "flows/app.yaml":
        "description: x\ntemplate:\n  version: 1\n  trail:\n    attestations:\n" +
        "      - { name: a, type: Unknown Type }\n",
      "flows/broken.yaml": "description: [\n",
      "environments/prod.yaml": "kind: K9S\n",
      "environments/edge.yaml": "kind: server\npolicies:\n  - good\n  - nowhere\n",
      "environments/new.yaml": "description: x\n",
      "environments/all.yaml": "kind: logical\nincluded_environments: [edge, more]\n",
      "environments/more.yaml": "kind: logical\n",
      "notifications/oncall.yaml": "environments: [prod]\non: [sometimes]\nto:\n  - $UNSET\n  - x\n"
    })
    const { code, stderr, stdout } = await apply(cwd)
    assert.deepStrictEqual([code, stdout], [2, ""])
    const places = [...stderr.matchAll(/^ {2}(c\/\S+?): (.*)$/gm)].map(([, at, text]) => [at, text])
    const expected: ReadonlyArray<readonly [string, RegExp]> = [
      ["c/policies/bad.yaml:3:3", /provenence/],
      ["c/flows/app.yaml:6:20", /Unknown Type/],
      ["c/flows/broken.yaml:2:1", /./],
      ["c/flows/pay.yaml:1:1", /did you mean `description`/],
      ["c/flows/pay.yaml:2:1", /expected a mapping/],
      ["c/notifications/oncall.yaml:4:5", /UNSET is not set/],
      ["c/notifications/oncall.yaml:5:5", /neither an https address/],
      ["c/types/load.yaml:2:1", /jq|rule/],
      ["c/controls/SDLC-9.yaml:1:1", /name/],
      ["c/flows/shop.yaml:2:1", /public|visibility|Input/],
      ["c/environments/prod.yaml:1:1", /K8S/],
      ["c/environments/edge.yaml:4:5", /nowhere/],
      ["c/environments/new.yaml:1:1", /does not say its kind/],
      ["c/environments/all.yaml:2:31", /more is logical itself/]
    ]
    assert.deepStrictEqual(
      places.map(([at]) => at).sort(),
      expected.map(([at]) => at).sort(),
      stderr
    )
    for (const [at, text] of expected)
      assert.match(places.find(([each]) => each === at)?.[1] ?? "", text, at)
    assert.include(stderr, "nothing was written")
    for (const [noun, name] of [
      ["policy", "good"],
      ["environment", "more"],
      ["flow", "shop"]
    ] as const)
      assert.isFalse(await exists(noun, name), name)
  })

  it("makes what the documents of the folder refer to, members before what includes them", async () => {
    const cwd = documents({
      "policies/rules.yaml": POLICY,
      "environments/a-group.yaml": "kind: logical\nincluded_environments: [live]\n",
      "environments/live.yaml": "kind: server\npolicies: [rules]\ntags: {tier: one}\n"
    })
    const { code, stderr } = await apply(cwd)
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual((await apply(cwd, "--dry-run", "--exit-code")).code, 0)
  })

  it("names the kind that stays, at its line", async () => {
    const cwd = documents({ "environments/live.yaml": "description: x\nkind: docker\n" })
    const { code, stderr } = await apply(cwd)
    assert.strictEqual(code, 2)
    assert.include(stderr, "c/environments/live.yaml:2:1: live is of kind server, which stays")
  })

  it("names what was written and what was not where a write fails", async () => {
    const cwd = documents({
      "policies/first.yaml": POLICY,
      "flows/second.yaml": "description: x\ntags: {a: b}\n",
      "environments/third.yaml": "kind: server\n"
    })
    const refusing = await between(
      deployment().url,
      ({ method, url = "" }) =>
        method !== "GET" && !url.includes("dry_run") && url.includes("/tags/")
    )
    try {
      const machine = machineOf({ cwd, deployment })({ env: { ATTESTRY_URL: refusing.url } })
      const { code, stdout, stderr } = await run(["apply", "c", "-o", "json"], machine)
      assert.strictEqual(code, 8, stderr)
      const { steps, written } = JSON.parse(stdout)
      assert.isFalse(written)
      assert.deepStrictEqual(
        steps.map(({ file, outcome }: { file: string; outcome: string }) => [file, outcome]),
        [
          ["c/policies/first.yaml", "written"],
          ["c/flows/second.yaml", "in part"],
          ["c/environments/third.yaml", "not written"]
        ]
      )
      assert.include(JSON.parse(stderr).error.message, "c/flows/second.yaml: Another writer")
      const again = await run(["apply", "c"], machine)
      assert.strictEqual(again.code, 6, again.stderr)
      assert.match(again.stdout, /second +c\/flows\/second\.yaml +failed/)
      assert.match(again.stdout, /third +c\/environments\/third\.yaml +not written/)
      assert.include(again.stdout, "0 written, 2 not")
    } finally {
      await refusing.stop()
    }
    assert.isTrue(await exists("policy", "first"))
    assert.isFalse(await exists("environment", "third"))
  })

  it("plans with a key that only reads, and says that the server has not checked", async () => {
    const cwd = documents({ "flows/later.yaml": "description: x\n" })
    const reader = machineOf({ cwd, deployment, role: "reader" })
    const planned = await run(["apply", "c", "--dry-run"], reader())
    assert.strictEqual(planned.code, 0, planned.stderr)
    assert.include(planned.stderr, "the server has not checked everything")
    const { code, stderr } = await run(["apply", "c"], reader())
    assert.strictEqual(code, 4, stderr)
    assert.include(stderr, "c/flows/later.yaml")
  })

  it("shows the problems of files also where no server answers", async () => {
    const cwd = documents({
      "flows/a.yaml": "descripton: x\n",
      "flows/b.yaml": "description: x\n"
    })
    const env = { ATTESTRY_URL: "http://127.0.0.1:1", ATTESTRY_RETRIES: "0" }
    const { code, stderr } = await run(["apply", "c"], machineOf({ cwd, deployment })({ env }))
    assert.strictEqual(code, 2, stderr)
    assert.include(stderr, "c/flows/a.yaml:1:1: unknown key `descripton`")
  })
})
