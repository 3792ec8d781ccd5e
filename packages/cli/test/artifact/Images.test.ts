/** Fingerprints of images: layouts, archives, an engine and a registry that answer as real ones do. */

import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"

const hex = (text: string): string => createHash("sha256").update(text).digest("hex")

const layout = (manifests: ReadonlyArray<object>, name = "index.json"): string => {
  const root = join(folder(), "image")
  mkdirSync(root)
  writeFileSync(join(root, name), JSON.stringify({ schemaVersion: 2, manifests }))
  return root
}

const tagged = (text: string, tag: string) => ({
  digest: `sha256:${hex(text)}`,
  annotations: { "org.opencontainers.image.ref.name": tag }
})

describe("attestry fingerprint -t oci-layout", () => {
  it("is the digest of the only image, of a folder and of a tar", async () => {
    const root = layout([tagged("one", "1.4")])
    const tar = `${root}.tar`
    spawnSync("tar", ["-C", root, "-cf", tar, "."])
    for (const target of [root, tar]) {
      const { code, stdout } = await run(["fingerprint", "-t", "oci-layout", target])
      assert.deepStrictEqual([code, stdout], [0, `${hex("one")}\n`])
    }
  })

  it("asks for a tag where there are several", async () => {
    const root = layout([tagged("one", "1.4"), tagged("two", "1.5")])
    assert.strictEqual((await run(["fingerprint", "-t", "oci-layout", root])).code, 7)
    const { stdout } = await run(["fingerprint", "-t", "oci-layout", `${root}:1.5`])
    assert.strictEqual(stdout, `${hex("two")}\n`)
  })

  it("says what an archive of an older docker lacks", async () => {
    const { code, stderr } = await run([
      "fingerprint",
      "-t",
      "oci-layout",
      layout([], "manifest.json")
    ])
    assert.strictEqual(code, 7)
    assert.include(stderr, "older docker")
    assert.include(stderr, "docker buildx build")
  })
})

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

describe("attestry fingerprint -t oci", () => {
  const manifest = JSON.stringify({ schemaVersion: 2 })
  const seen: Array<string> = []
  const state = { port: 0, hidesDigest: false }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://registry")
    seen.push(`${request.method} ${pathname} ${request.headers.authorization ?? ""}`)
    if (pathname === "/token") {
      assert.strictEqual(searchParams.get("scope"), "repository:shop/api:pull")
      response.end(JSON.stringify({ token: "tok-123456" }))
    } else if (request.headers.authorization !== "Bearer tok-123456") {
      const realm = `http://127.0.0.1:${state.port}/token`
      response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}",service="r"` })
      response.end()
    } else if (pathname !== "/v2/shop/api/manifests/1.4") {
      response.writeHead(404)
      response.end()
    } else {
      if (!state.hidesDigest) response.setHeader("docker-content-digest", `sha256:${hex(manifest)}`)
      response.end(request.method === "HEAD" ? undefined : manifest)
    }
  })
  beforeAll(async () => {
    state.port = await listen(server)
  })
  afterAll(() => {
    server.close()
  })
  const image = (tag: string) => `127.0.0.1:${state.port}/shop/api:${tag}`

  it("signs in with what a credential helper gives, and never shows it", async () => {
    const home = folder()
    const bin = folder()
    const program = join(bin, "docker-credential-test")
    writeFileSync(
      program,
      '#!/bin/sh\ncat > /dev/null\necho \'{"Username":"ada","Secret":"pass-123456"}\'\n'
    )
    chmodSync(program, 0o755)
    mkdirSync(join(home, ".docker"))
    writeFileSync(join(home, ".docker/config.json"), JSON.stringify({ credsStore: "test" }))
    const before = process.env.PATH
    process.env.PATH = `${bin}:${before}`
    try {
      const ran = await run(["fingerprint", "-t", "oci", image("1.4"), "-v", "-v"], { home })
      assert.deepStrictEqual([ran.code, ran.stdout], [0, `${hex(manifest)}\n`])
      assert.notInclude(ran.stderr, "pass-123456")
      assert.notInclude(ran.stderr, "tok-123456")
      const basic = Buffer.from("ada:pass-123456").toString("base64")
      assert.include(seen, `GET /token Basic ${basic}`)
    } finally {
      process.env.PATH = before
    }
  })

  it("hashes the manifest where the registry does not tell the digest", async () => {
    state.hidesDigest = true
    const { stdout } = await run(["fingerprint", "-t", "oci", image("1.4")])
    assert.strictEqual(stdout, `${hex(manifest)}\n`)
    state.hidesDigest = false
  })

  it("ends with 7 for an image that is not there, and with 2 for what is no reference", async () => {
    assert.strictEqual((await run(["fingerprint", "-t", "oci", image("9")])).code, 7)
    assert.strictEqual((await run(["fingerprint", "-t", "oci", "SHOP api"])).code, 2)
  })

  it("never guesses an image", async () => {
    const { code, stderr } = await run(["fingerprint", "registry.example.org/shop/api:1.4"])
    assert.strictEqual(code, 7)
    assert.include(stderr, "say -t docker")
  })
})

describe("attestry fingerprint -t docker", () => {
  const socket = join(folder(), "docker.sock")
  const digest = hex("pushed")
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    if (path === "/images/shop/api:1.4/json")
      response.end(
        JSON.stringify({ RepoDigests: [`registry.example.org/shop/api@sha256:${digest}`] })
      )
    else if (path === "/images/local:1/json") response.end(JSON.stringify({ RepoDigests: [] }))
    else {
      response.writeHead(404)
      response.end("{}")
    }
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(socket, resolve)))
  afterAll(() => {
    server.close()
  })
  const env = { DOCKER_HOST: `unix://${socket}` }

  it("is the digest that a registry knows", async () => {
    const { stdout } = await run(["fingerprint", "-t", "docker", "shop/api:1.4"], { env })
    assert.strictEqual(stdout, `${digest}\n`)
  })

  it("ends with 7 for an image that was never pushed, with the ways out", async () => {
    const { code, stderr } = await run(["fingerprint", "-t", "docker", "local:1"], { env })
    assert.strictEqual(code, 7)
    assert.include(stderr, "oci-layout")
  })

  it("ends with 7 where no engine answers", async () => {
    const none = { DOCKER_HOST: `unix://${socket}.none` }
    assert.strictEqual((await run(["fingerprint", "-t", "docker", "a"], { env: none })).code, 7)
    const ssh = { DOCKER_HOST: "ssh://host" }
    assert.strictEqual((await run(["fingerprint", "-t", "docker", "a"], { env: ssh })).code, 7)
  })
})
