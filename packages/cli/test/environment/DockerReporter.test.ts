/** Reports of docker, from recorded forms of the engine's answers over a real socket. */
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"

const DIGEST = "a".repeat(64)
const ID = "b".repeat(64)

const CONTAINERS = [
  {
    Image: "registry.example.org/shop/api:1.4",
    ImageID: `sha256:${"1".repeat(64)}`,
    Created: 1_700_000_000
  },
  { Image: "local:1", ImageID: `sha256:${ID}`, Created: 1_700_000_001 }
]

describe("attestry report docker", () => {
  const socket = join(folder(), "docker.sock")
  const state = { containers: CONTAINERS }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    if (path.startsWith("/containers/json")) response.end(JSON.stringify(state.containers))
    else if (path.includes("1".repeat(64)))
      response.end(
        JSON.stringify({ RepoDigests: [`registry.example.org/shop/api@sha256:${DIGEST}`] })
      )
    else response.end(JSON.stringify({ RepoDigests: [] }))
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(socket, resolve)))
  afterAll(() => {
    server.close()
  })
  const env = { DOCKER_HOST: `unix://${socket}` }
  const report = (...more: ReadonlyArray<string>) =>
    run(["report", "docker", "prod", "--dry-run", "-o", "json", ...more], { env })

  it("reports digests of registries, and images of this machine under their ids with a warning", async () => {
    const { code, stdout, stderr } = await report()
    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual(JSON.parse(stdout).payload, {
      type: "docker",
      artifacts: [
        {
          digests: { "registry.example.org/shop/api:1.4": DIGEST },
          creationTimestamp: 1_700_000_000
        },
        { digests: { "local:1": ID }, creationTimestamp: 1_700_000_001 }
      ]
    })
    assert.include(stderr, "local:1 is an image of this machine alone")
  })

  it("leaves out the excluded containers, and exits with 8 under --strict", async () => {
    const { code, stdout } = await report("--skip-local")
    assert.strictEqual(code, 0)
    assert.lengthOf(JSON.parse(stdout).payload.artifacts, 1)
    assert.strictEqual((await report("--skip-local", "--strict")).code, 8)
  })

  it("sends nothing where nothing could be read, and a true report where nothing runs", async () => {
    state.containers = CONTAINERS.slice(1)
    assert.strictEqual((await report("--skip-local")).code, 7)
    state.containers = []
    const { code, stdout } = await report()
    assert.deepStrictEqual([code, JSON.parse(stdout).payload.artifacts], [0, []])
    state.containers = CONTAINERS
  })

  it("ends with 7 without an engine", async () => {
    const none = { DOCKER_HOST: `unix://${socket}.none` }
    assert.strictEqual(
      (await run(["report", "docker", "prod", "--dry-run"], { env: none })).code,
      7
    )
  })
})

describe("attestry report json", () => {
  it("checks the report of another program against the contract", async () => {
    const unit = { digests: { a: DIGEST }, creationTimestamp: 1 }
    const argv = ["report", "json", "edge", "-", "--kind", "server", "--dry-run"]
    const good = await run(argv, { stdin: JSON.stringify({ artifacts: [unit] }) })
    assert.strictEqual(good.code, 0, good.stderr)
    const bad = await run(argv, { stdin: JSON.stringify({ artifacts: [{ digests: 1 }] }) })
    assert.strictEqual(bad.code, 2)
    assert.include(bad.stderr, "artifacts")
    assert.strictEqual((await run(argv, { stdin: "{}" })).code, 7)
    assert.strictEqual((await run(argv, { stdin: "{" })).code, 7)
  })
})
