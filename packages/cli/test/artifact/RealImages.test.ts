/** Fingerprints of images against a real registry, with images made by `umoci` and moved by `skopeo`. */
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"
import * as ImageTools from "./ImageTools.js"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

it.runIf(ImageTools.IS_REQUIRED)(
  "the tools for images are installed where they are required",
  () => {
    assert.deepStrictEqual(ImageTools.MISSING, [])
  }
)

const fingerprint = async (
  more: ReadonlyArray<string>,
  machine: Parameters<typeof run>[1] = {}
): Promise<string> => {
  const { code, stdout, stderr } = await run(["fingerprint", ...more], machine)
  assert.strictEqual(code, 0, stderr)
  return stdout.trim()
}

const started: Array<ImageTools.Running> = []
const places = { registry: "", mirror: "", basic: "", bearer: "" }
const layouts = { amd64: "", arm64: "" }

const BASIC = `Basic ${Buffer.from("ada:pass-123456").toString("base64")}`

/** Asks for a name and a password. */
const basicGate: ImageTools.Gate = (incoming, response) => {
  if (incoming.headers.authorization === BASIC) return false
  response.writeHead(401, { "www-authenticate": 'Basic realm="registry"' })
  response.end()
  return true
}

/** Asks for a token, which its own address gives for a name and a password and the scope `pull`. */
const bearerGate: ImageTools.Gate = (incoming, response, host) => {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", `http://${host}`)
  if (pathname === "/token") {
    const isKnown =
      incoming.headers.authorization === BASIC &&
      searchParams.get("scope") === "repository:shop/api:pull"
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" })
    response.end(isKnown ? JSON.stringify({ access_token: "tok-123456", expires_in: 60 }) : "{}")
    return true
  }
  if (incoming.headers.authorization === "Bearer tok-123456") return false
  const challenge = `Bearer realm="http://${host}/token",service="registry",scope="repository:x:pull"`
  response.writeHead(401, { "www-authenticate": challenge })
  response.end()
  return true
}

/** A machine whose docker configuration holds the credentials of a registry. */
const signedIn = (registry: string) => {
  const home = folder()
  mkdirSync(join(home, ".docker"))
  const auth = Buffer.from("ada:pass-123456").toString("base64")
  writeFileSync(
    join(home, ".docker/config.json"),
    JSON.stringify({ auths: { [registry]: { auth } } })
  )
  return { home }
}

const pushIndex = async (manifests: ReadonlyArray<object>): Promise<string> => {
  const type = "application/vnd.oci.image.index.v1+json"
  const text = JSON.stringify({ schemaVersion: 2, mediaType: type, manifests })
  const answer = await fetch(`http://${places.registry}/v2/shop/api/manifests/multi`, {
    method: "PUT",
    headers: { "content-type": type },
    body: text
  })
  assert.strictEqual(answer.status, 201, await answer.text())
  return sha256(text)
}

describe.skipIf(ImageTools.MISSING.length > 0)("an image of a real registry", () => {
  beforeAll(async () => {
    const registry = await ImageTools.startRegistry()
    const mirror = await ImageTools.startRegistry(registry.host)
    const basic = await ImageTools.startGate(registry.host, basicGate)
    const bearer = await ImageTools.startGate(registry.host, bearerGate)
    started.push(bearer, basic, mirror, registry)
    places.registry = registry.host
    places.mirror = mirror.host
    places.basic = basic.host
    places.bearer = bearer.host
    layouts.amd64 = ImageTools.layoutWith("for amd64\n", "amd64")
    layouts.arm64 = ImageTools.layoutWith("for arm64\n", "arm64")
    ImageTools.copy(`oci:${layouts.amd64}:1.4`, `docker://${registry.host}/shop/api:1.4`)
    ImageTools.copy(`oci:${layouts.arm64}:1.4`, `docker://${registry.host}/shop/api:arm`)
  }, 60_000)
  afterAll(async () => {
    for (const each of started) await each.stop()
  })

  it("has one fingerprint in a layout, in an archive, in a registry, in a mirror, and for skopeo", async () => {
    const image = `${places.registry}/shop/api:1.4`
    const raw = ImageTools.output("skopeo", [
      "inspect",
      "--raw",
      "--tls-verify=false",
      `docker://${image}`
    ])
    const archive = join(folder(), "image.tar")
    ImageTools.copy(`oci:${layouts.amd64}:1.4`, `oci-archive:${archive}:1.4`)
    const found = await Promise.all([
      fingerprint(["-t", "oci-layout", layouts.amd64]),
      fingerprint(["-t", "oci-layout", `${layouts.amd64}:1.4`]),
      fingerprint(["-t", "oci-layout", archive]),
      fingerprint(["-t", "oci", image]),
      fingerprint(["-t", "oci", `${places.mirror}/shop/api:1.4`])
    ])
    assert.deepStrictEqual([...new Set(found)], [sha256(raw)])
    const byDigest = await fingerprint([
      "-t",
      "oci",
      `${places.registry}/shop/api@sha256:${found[0]}`
    ])
    assert.strictEqual(byDigest, found[0])
  })

  it("is the index of several platforms, or the manifest of one", async () => {
    const amd64 = await fingerprint(["-t", "oci-layout", layouts.amd64])
    const arm64 = await fingerprint(["-t", "oci-layout", layouts.arm64])
    const sizes = await Promise.all(
      [amd64, arm64].map(async (digest) => {
        const url = `http://${places.registry}/v2/shop/api/manifests/sha256:${digest}`
        const accept = "application/vnd.oci.image.manifest.v1+json"
        return (await (await fetch(url, { headers: { accept } })).arrayBuffer()).byteLength
      })
    )
    const entry = (digest: string, architecture: string, size: number | undefined) => ({
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      digest: `sha256:${digest}`,
      size,
      platform: { os: "linux", architecture }
    })
    const index = await pushIndex([
      entry(amd64, "amd64", sizes[0]),
      {
        ...entry(arm64, "arm64", sizes[1]),
        platform: { os: "linux", architecture: "arm64", variant: "v8" }
      }
    ])
    const image = ["-t", "oci", `${places.registry}/shop/api:multi`]
    assert.strictEqual(await fingerprint(image), index)
    assert.strictEqual(await fingerprint([...image, "--platform", "linux/amd64"]), amd64)
    assert.strictEqual(await fingerprint([...image, "--platform", "linux/arm64"]), arm64)
    assert.strictEqual(await fingerprint([...image, "--platform", "linux/arm64/v8"]), arm64)
    const none = await run(["fingerprint", ...image, "--platform", "linux/s390x"])
    assert.strictEqual(none.code, 7)
    assert.include(none.stderr, "linux/amd64, linux/arm64/v8")
    const single = ["-t", "oci", `${places.registry}/shop/api:1.4`, "--platform", "linux/amd64"]
    assert.strictEqual((await run(["fingerprint", ...single])).code, 7)
    const wrong = ["-t", "oci-layout", layouts.amd64, "--platform", "linux/amd64"]
    assert.strictEqual((await run(["fingerprint", ...wrong])).code, 2)
  })

  it("opens with Basic and Bearer credentials of a docker configuration, and shows none", async () => {
    const expected = await fingerprint(["-t", "oci", `${places.registry}/shop/api:1.4`])
    for (const host of [places.basic, places.bearer]) {
      const image = ["fingerprint", "-t", "oci", `${host}/shop/api:1.4`, "-v", "-v"]
      const ran = await run(image, signedIn(host))
      assert.deepStrictEqual([ran.code, ran.stdout], [0, `${expected}\n`], ran.stderr)
      assert.notMatch(ran.stderr, /pass-123456|tok-123456/)
      assert.notInclude(ran.stderr, BASIC.slice(6))
      assert.strictEqual((await run(image)).code, 7)
    }
  })

  it("opens with a password of a variable, and never with one of an argument", async () => {
    const image = ["fingerprint", "-t", "oci", `${places.basic}/shop/api:1.4`]
    const named = [...image, "--registry-username", "ada"]
    const env = { ATTESTRY_REGISTRY_PASSWORD: "pass-123456" }
    assert.strictEqual((await run(named, { env })).code, 0)
    assert.strictEqual((await run(named)).code, 2)
    assert.strictEqual(
      (await run(named, { env: { ATTESTRY_REGISTRY_PASSWORD: "other-one" } })).code,
      7
    )
  })

  it("opens with podman's file before docker's, and with what REGISTRY_AUTH_FILE names before both", async () => {
    const { home } = signedIn(places.basic)
    const wrong = Buffer.from("ada:wrong-password").toString("base64")
    const auths = JSON.stringify({ auths: { [places.basic]: { auth: wrong } } })
    mkdirSync(join(home, ".config/containers"), { recursive: true })
    writeFileSync(join(home, ".config/containers/auth.json"), auths)
    const image = ["fingerprint", "-t", "oci", `${places.basic}/shop/api:1.4`]
    assert.strictEqual((await run(image, { home })).code, 7)
    const env = { REGISTRY_AUTH_FILE: join(home, ".docker/config.json") }
    assert.strictEqual((await run(image, { home, env })).code, 0)
  })

  it("opens with a program of the registry, which gets its name on stdin", async () => {
    const home = folder()
    const bin = folder()
    const program = join(bin, "docker-credential-shop")
    writeFileSync(
      program,
      '#!/bin/sh\nread -r name\n[ "$1" = get ] && [ "$name" = "$EXPECTED" ] || exit 1\n' +
        'echo \'{"Username":"ada","Secret":"pass-123456"}\'\n'
    )
    chmodSync(program, 0o755)
    mkdirSync(join(home, ".docker"))
    const config = { credHelpers: { [places.basic]: "shop" } }
    writeFileSync(join(home, ".docker/config.json"), JSON.stringify(config))
    const before = { PATH: process.env.PATH, EXPECTED: process.env.EXPECTED }
    Object.assign(process.env, { PATH: `${bin}:${before.PATH}`, EXPECTED: places.basic })
    try {
      await fingerprint(["-t", "oci", `${places.basic}/shop/api:1.4`], { home })
    } finally {
      process.env.PATH = before.PATH
      delete process.env.EXPECTED
    }
  })

  it("ends with 7 for an archive of an older docker, and says how to make one with digests", async () => {
    const archive = join(folder(), "docker.tar")
    ImageTools.copy(`oci:${layouts.amd64}:1.4`, `docker-archive:${archive}:shop/api:1.4`)
    const { code, stderr } = await run(["fingerprint", "-t", "oci-layout", archive])
    assert.strictEqual(code, 7)
    assert.include(stderr, "docker buildx build")
  })

  it("ends with 7 for a tag that is not there", async () => {
    const argv = ["fingerprint", "-t", "oci", `${places.registry}/shop/api:none`]
    assert.strictEqual((await run(argv)).code, 7)
  })
})
