/**
 * Reports of web apps, from a stand-in for the cloud on real sockets.
 *
 * The answers are handwritten from the vendor's API reference.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import * as DirectoryFingerprint from "../../../src/artifact/DirectoryFingerprint.js"
import * as ZipContents from "../../../src/environment/cloud/ZipContents.js"
import { folder } from "../../shared/Run.js"
import { cloud, digest, registry, report, serveCloud, TOKEN } from "./BearerCloud.js"
import { PACKAGE, zipOf } from "./ZipPackage.js"

serveCloud()

describe("attestry report azure-apps", () => {
  const ENV = {
    AZURE_TENANT_ID: "tenant",
    AZURE_CLIENT_ID: "client",
    AZURE_CLIENT_SECRET: "client-secret-canary",
    AZURE_SUBSCRIPTION_ID: "sub"
  }
  const env = () => ({ ...ENV, AZURE_AUTHORITY_HOST: cloud().url })
  const site = (name: string, version: string, more: object = {}) => ({
    id: `/subscriptions/sub/resourceGroups/g/providers/Microsoft.Web/sites/${name}`,
    name,
    kind: "app,linux,container",
    properties: {
      state: "Running",
      lastModifiedTimeUtc: "2026-11-14T10:00:00Z",
      siteConfig: { linuxFxVersion: version },
      hostNameSslStates: [
        { name: `${name}.example.org`, hostType: "Standard" },
        { name: cloud().host, hostType: "Repository" }
      ],
      ...more
    }
  })
  const state: { sites: ReadonlyArray<object>; log: string; denied: boolean; next: string } = {
    sites: [],
    log: "",
    denied: false,
    next: ""
  }
  beforeEach(() => {
    Object.assign(state, { sites: [], log: "", denied: false, next: "" })
    cloud().answer = (request) => {
      const { url, headers } = request
      const image = registry(request)
      if (image !== undefined) return image
      if (url.pathname === "/tenant/oauth2/v2.0/token") return { body: { access_token: TOKEN } }
      assert.strictEqual(headers.authorization, `Bearer ${TOKEN}`)
      if (url.pathname.endsWith("/containerlogs")) return { body: state.log }
      if (url.pathname.startsWith("/api/zip/")) return { bytes: zipOf(PACKAGE) }
      if (url.pathname.endsWith("/config/web"))
        return {
          body: { properties: { linuxFxVersion: `DOCKER|${cloud().host}/shop/late:known` } }
        }
      if (state.denied)
        return {
          status: 403,
          body: { error: { code: "AuthorizationFailed", message: "no access" } }
        }
      const isSecond = url.searchParams.get("$skiptoken") !== null
      const nextLink = state.next
      return {
        body: isSecond
          ? { value: [] }
          : { value: state.sites, ...(nextLink === "" ? {} : { nextLink }) }
      }
    }
  })

  it("reports images by the registry, and packages by the digest of their folder", async () => {
    const image = `${cloud().host}/shop/api:known`
    state.sites = [
      site("web", `DOCKER|${image}`),
      site("fn", "NODE|20", {}),
      site("late", ""),
      site("off", `DOCKER|${image}`, { state: "Stopped" })
    ]
    state.next = `${cloud().url}/next?$skiptoken=1`
    const { units, stderr } = await report("azure-apps", [], { env: env() })
    const root = folder()
    mkdirSync(join(root, "bin"))
    for (const [name, text] of PACKAGE)
      if (!name.endsWith("/")) writeFileSync(join(root, name), text)
    const { fingerprint } = DirectoryFingerprint.of(root, { exclude: [], ignoreFiles: [] })
    const common = { creationTimestamp: 1_794_650_400, app_kind: "app,linux,container" }
    assert.deepStrictEqual(units, [
      { digests: { [image]: digest("a") }, ...common, app_name: "web", digests_source: "registry" },
      { digests: { fn: fingerprint }, ...common, app_name: "fn", digests_source: "package" },
      {
        digests: { [`${cloud().host}/shop/late:known`]: digest("a") },
        ...common,
        app_name: "late",
        digests_source: "registry"
      }
    ])
    assert.strictEqual(stderr, "")
  })

  it("takes the newest digest of the log where that is asked for, else says that it is unknown", async () => {
    state.sites = [site("web", "DOCKER|r.example.org/shop/api:1")]
    state.log = `pulling\nDigest: sha256:${digest("b")}\nagain\nDigest: sha256:${digest("c")}\n`
    const logs = ["--digests-source", "logs"]
    const told = await report("azure-apps", logs, { env: env() })
    assert.deepStrictEqual(told.units[0].digests, { "r.example.org/shop/api:1": digest("c") })
    state.log = "started"
    const silent = await report("azure-apps", logs, { env: env() })
    assert.deepStrictEqual(silent.units[0].digests, { "r.example.org/shop/api:1": "" })
    assert.include(silent.stderr, "its log tells no digest")
  })

  it("reports apps that cannot be read with an unknown digest, and filters apps and groups", async () => {
    state.sites = [
      site("many", "COMPOSE|abc"),
      site("gone", `DOCKER|${cloud().host}/shop/api:none`),
      site("bare", "NODE|20", { hostNameSslStates: [] })
    ]
    const { units, stderr } = await report("azure-apps", [], { env: env() })
    assert.deepStrictEqual(
      units.map(({ digests }: { digests: object }) => Object.values(digests)),
      [[""], [""], [""]]
    )
    for (const name of ["many", "gone", "bare"]) assert.include(stderr, `app ${name}`)
    assert.strictEqual((await report("azure-apps", ["--strict"], { env: env() })).code, 8)
    const one = await report("azure-apps", ["--app", "many", "--resource-group", "g"], {
      env: env()
    })
    assert.lengthOf(one.units, 1)
    assert.isTrue(cloud().requests.some(({ url }) => url.pathname.includes("/resourceGroups/g/")))
  })

  it("sends nothing where all is denied, and follows no page to another host", async () => {
    state.denied = true
    const denied = await report("azure-apps", [], { env: env() })
    assert.deepStrictEqual([denied.code, denied.stderr.includes("no access")], [7, true])
    Object.assign(state, { denied: false, next: "https://evil.example.org/next" })
    const foreign = await report("azure-apps", [], { env: env() })
    assert.deepStrictEqual([foreign.code, foreign.stderr.includes("evil.example.org")], [7, true])
    const { AZURE_SUBSCRIPTION_ID: _, ...without } = env()
    assert.strictEqual((await report("azure-apps", [], { env: without })).code, 2)
  })

  it("signs in by a federated token and by a managed identity", async () => {
    const file = join(folder(), "token")
    writeFileSync(file, "federated-jwt")
    const { AZURE_CLIENT_SECRET: _, ...federated } = env()
    await report("azure-apps", [], { env: { ...federated, AZURE_FEDERATED_TOKEN_FILE: file } })
    assert.include(cloud().requests[0]?.body, "client_assertion=federated-jwt")
    const before = cloud().answer
    cloud().answer = (request) =>
      request.url.pathname === "/msi" ? { body: { access_token: TOKEN } } : before(request)
    cloud().requests.length = 0
    const identity = {
      IDENTITY_ENDPOINT: `${cloud().url}/msi`,
      IDENTITY_HEADER: "h",
      AZURE_SUBSCRIPTION_ID: "sub"
    }
    const { code } = await report("azure-apps", [], { env: identity })
    assert.deepStrictEqual([code, cloud().requests[0]?.headers["x-identity-header"]], [0, "h"])
  })
})

describe("a package", () => {
  it("that is damaged is not read", () => {
    const good = zipOf(PACKAGE)
    assert.deepStrictEqual([...ZipContents.digestsOf(good).keys()], ["host.json", "bin/app.raw"])
    assert.throws(() => ZipContents.digestsOf(Buffer.alloc(10)), /too short/)
    assert.throws(() => ZipContents.digestsOf(Buffer.alloc(100)), /no end/)
    const broken = Buffer.from(good)
    broken.writeUInt32LE(9_999, good.length - 6)
    assert.throws(() => ZipContents.digestsOf(broken), /cut off/)
    const bomb = Buffer.from(good)
    const at = good.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
    bomb.writeUInt32LE(1, at + 24)
    assert.throws(() => ZipContents.digestsOf(bomb), /does not unpack/)
  })
})
