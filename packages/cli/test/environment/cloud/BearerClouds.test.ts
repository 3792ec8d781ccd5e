/**
 * Reports of web apps and of serverless runtimes, from stand-ins for the clouds on real sockets.
 *
 * The answers are handwritten from the vendors' API references.
 */
import { generateKeyPairSync, verify } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { deflateRawSync } from "node:zlib"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import * as DirectoryFingerprint from "../../../src/artifact/DirectoryFingerprint.js"
import * as ZipContents from "../../../src/environment/cloud/ZipContents.js"
import { folder, run } from "../../shared/Run.js"
import * as FakeCloud from "./FakeCloud.js"

const TOKEN = "token-canary-of-the-cloud"
const digest = (letter: string) => letter.repeat(64)

const fake: { cloud?: FakeCloud.FakeCloud } = {}
const cloud = (): FakeCloud.FakeCloud => {
  if (fake.cloud === undefined) throw new Error("the cloud has not started")
  return fake.cloud
}
beforeAll(async () => {
  fake.cloud = await FakeCloud.start()
})
beforeEach(() => {
  cloud().requests.length = 0
})
afterAll(() => fake.cloud?.stop())

/** Manifests of the registry that the stand-in is too. */
const registry = ({ url, method }: FakeCloud.CloudRequest): FakeCloud.CloudAnswer | undefined => {
  if (!url.pathname.startsWith("/v2/shop/") || !url.pathname.includes("/manifests/"))
    return undefined
  return url.pathname.includes("known")
    ? { headers: { "docker-content-digest": `sha256:${digest("a")}` }, body: "" }
    : { status: method === "HEAD" ? 404 : 404, body: "" }
}

const report = async (
  kind: string,
  more: ReadonlyArray<string>,
  machine: { readonly env?: { readonly [name: string]: string }; readonly home?: string }
) => {
  const argv = [
    "report",
    kind,
    "prod",
    "--dry-run",
    "-o",
    "json",
    "--endpoint",
    cloud().url,
    ...more
  ]
  const ran = await run(argv, machine)
  assert.notInclude(ran.stdout + ran.stderr, TOKEN)
  return { ...ran, units: ran.code === 0 ? JSON.parse(ran.stdout).payload.artifacts : [] }
}

const LOCAL = 0x04034b50
const ENTRY = 0x02014b50
const END = 0x06054b50

/** An archive, as deployments make it. */
const zipOf = (files: ReadonlyArray<readonly [string, string]>): Buffer => {
  const bodies: Array<Buffer> = []
  const entries: Array<Buffer> = []
  let offset = 0
  for (const [name, text] of files) {
    const content = Buffer.from(text)
    const packed = name.endsWith(".raw") ? content : deflateRawSync(content)
    const method = name.endsWith(".raw") ? 0 : 8
    const bytes = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(LOCAL, 0)
    local.writeUInt16LE(bytes.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(ENTRY, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(content.length, 24)
    entry.writeUInt16LE(bytes.length, 28)
    entry.writeUInt32LE(offset, 42)
    bodies.push(local, bytes, packed)
    entries.push(entry, bytes)
    offset += 30 + bytes.length + packed.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, list, end])
}

const PACKAGE: ReadonlyArray<readonly [string, string]> = [
  ["host.json", "{}"],
  ["bin/", ""],
  ["bin/app.raw", "binary"]
]

describe("attestry report cloudx-apps", () => {
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
    const { units, stderr } = await report("cloudx-apps", [], { env: env() })
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
    const told = await report("cloudx-apps", logs, { env: env() })
    assert.deepStrictEqual(told.units[0].digests, { "r.example.org/shop/api:1": digest("c") })
    state.log = "started"
    const silent = await report("cloudx-apps", logs, { env: env() })
    assert.deepStrictEqual(silent.units[0].digests, { "r.example.org/shop/api:1": "" })
    assert.include(silent.stderr, "its log tells no digest")
  })

  it("reports apps that cannot be read with an unknown digest, and filters apps and groups", async () => {
    state.sites = [
      site("many", "COMPOSE|abc"),
      site("gone", `DOCKER|${cloud().host}/shop/api:none`),
      site("bare", "NODE|20", { hostNameSslStates: [] })
    ]
    const { units, stderr } = await report("cloudx-apps", [], { env: env() })
    assert.deepStrictEqual(
      units.map(({ digests }: { digests: object }) => Object.values(digests)),
      [[""], [""], [""]]
    )
    for (const name of ["many", "gone", "bare"]) assert.include(stderr, `app ${name}`)
    assert.strictEqual((await report("cloudx-apps", ["--strict"], { env: env() })).code, 8)
    const one = await report("cloudx-apps", ["--app", "many", "--resource-group", "g"], {
      env: env()
    })
    assert.lengthOf(one.units, 1)
    assert.isTrue(cloud().requests.some(({ url }) => url.pathname.includes("/resourceGroups/g/")))
  })

  it("sends nothing where all is denied, and follows no page to another host", async () => {
    state.denied = true
    const denied = await report("cloudx-apps", [], { env: env() })
    assert.deepStrictEqual([denied.code, denied.stderr.includes("no access")], [7, true])
    Object.assign(state, { denied: false, next: "https://evil.example.org/next" })
    const foreign = await report("cloudx-apps", [], { env: env() })
    assert.deepStrictEqual([foreign.code, foreign.stderr.includes("evil.example.org")], [7, true])
    const { AZURE_SUBSCRIPTION_ID: _, ...without } = env()
    assert.strictEqual((await report("cloudx-apps", [], { env: without })).code, 2)
  })

  it("signs in by a federated token and by a managed identity", async () => {
    const file = join(folder(), "token")
    writeFileSync(file, "federated-jwt")
    const { AZURE_CLIENT_SECRET: _, ...federated } = env()
    await report("cloudx-apps", [], { env: { ...federated, AZURE_FEDERATED_TOKEN_FILE: file } })
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
    const { code } = await report("cloudx-apps", [], { env: identity })
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

describe("attestry report serverless-run", () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  const home = folder()
  const file = join(home, "key.json")
  const state = { denied: "", assertion: "" }
  const service = {
    name: "projects/shop/locations/eu-west1/services/web",
    latestReadyRevision: "projects/shop/locations/eu-west1/services/web/revisions/web-3",
    trafficStatuses: [
      { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST", percent: 90 },
      { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", revision: "web-2", percent: 10 },
      { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", revision: "web-1", tag: "canary" },
      { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", revision: "web-0" }
    ]
  }
  const imageOf = (revision: string): string =>
    revision === "web-1"
      ? `r.example.org/shop/web@sha256:${digest("b")}`
      : `${cloud().host}/shop/web:${revision === "web-2" ? "none" : "known"}`
  beforeEach(() => {
    Object.assign(state, { denied: "", assertion: "" })
    writeFileSync(
      file,
      JSON.stringify({
        type: "service_account",
        project_id: "shop",
        client_email: "r@shop.example.org",
        private_key_id: "k1",
        private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
        token_uri: `${cloud().url}/token`
      })
    )
    cloud().answer = (request) => {
      const { url, headers, body } = request
      const image = registry(request)
      if (image !== undefined) return image
      if (url.pathname === "/token") {
        state.assertion = new URLSearchParams(body).get("assertion") ?? body
        return { body: { access_token: TOKEN, expires_in: 3_600 } }
      }
      if (url.pathname.endsWith("/service-accounts/default/token"))
        return headers["metadata-flavor"] === "Google"
          ? { body: { access_token: TOKEN } }
          : { status: 403 }
      if (url.pathname.endsWith("/project/project-id")) return { body: "shop" }
      assert.strictEqual(headers.authorization, `Bearer ${TOKEN}`)
      if (url.pathname === "/v1/projects/shop/locations")
        return { body: { locations: [{ locationId: "eu-west1" }, { locationId: "eu-west4" }] } }
      const region = /locations\/([^/]+)/.exec(url.pathname)?.[1] ?? ""
      if (region === state.denied)
        return { status: 403, body: { error: { message: "Permission denied", code: 403 } } }
      const [, revision] = /\/revisions\/([^/]+)$/.exec(url.pathname) ?? []
      if (revision !== undefined)
        return {
          body: { createTime: "2026-11-14T10:00:00Z", containers: [{ image: imageOf(revision) }] }
        }
      if (region !== "eu-west1") return { body: {} }
      if (url.pathname.endsWith("/jobs"))
        return {
          body: {
            jobs: [
              {
                name: "projects/shop/locations/eu-west1/jobs/nightly",
                updateTime: "2026-11-14T10:00:00Z",
                template: { template: { containers: [{ image: imageOf("web-3") }] } }
              }
            ]
          }
        }
      return url.searchParams.get("pageToken") === null
        ? { body: { services: [], nextPageToken: "p2" } }
        : { body: { services: [service] } }
    }
  })
  const env = () => ({ GOOGLE_APPLICATION_CREDENTIALS: file })

  it("reports each revision with traffic or a tag, and each job", async () => {
    const { units, stderr } = await report("serverless-run", [], { env: env() })
    const at = { creationTimestamp: 1_794_650_400 }
    const of = (revisionName: string, value: string) => ({
      digests: { [imageOf(revisionName)]: value },
      ...at,
      kind: "service",
      serviceName: "web",
      revisionName
    })
    assert.deepStrictEqual(units, [
      of("web-3", digest("a")),
      of("web-2", ""),
      of("web-1", digest("b")),
      { digests: { [imageOf("web-3")]: digest("a") }, ...at, kind: "job", jobName: "nightly" }
    ])
    assert.include(stderr, "revision web-2")
  })

  it("signs in by a key whose statement verifies, by a refresh token, by federation, and by a machine", async () => {
    await report("serverless-run", [], { env: env() })
    const [header = "", claims = "", signature = ""] = state.assertion.split(".")
    assert.isTrue(
      verify(
        "RSA-SHA256",
        Buffer.from(`${header}.${claims}`),
        publicKey,
        Buffer.from(signature, "base64url")
      )
    )
    const said = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"))
    assert.deepInclude(said, { iss: "r@shop.example.org", aud: `${cloud().url}/token` })
    const subject = join(home, "subject")
    writeFileSync(subject, "subject-jwt")
    const others: ReadonlyArray<object> = [
      {
        type: "authorized_user",
        client_id: "c",
        client_secret: "s",
        refresh_token: "r",
        token_uri: `${cloud().url}/token`
      },
      {
        type: "external_account",
        audience: "a",
        subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
        token_url: `${cloud().url}/token`,
        credential_source: { file: subject }
      }
    ]
    for (const other of others) {
      writeFileSync(file, JSON.stringify(other))
      const { code, stderr } = await report("serverless-run", ["--project", "shop"], { env: env() })
      assert.strictEqual(code, 0, stderr)
    }
    assert.include(state.assertion, "subject-jwt")
    const machine = { GCE_METADATA_HOST: cloud().host }
    assert.strictEqual((await report("serverless-run", [], { env: machine })).code, 0)
  })

  it("sends a credential to no address that is not trusted", async () => {
    writeFileSync(
      file,
      JSON.stringify({ type: "authorized_user", token_uri: "http://evil.example.org/t" })
    )
    const { code, stderr } = await report("serverless-run", [], { env: env() })
    assert.deepStrictEqual([code, stderr.includes("not trusted")], [7, true])
  })

  it("leaves out a region that is denied, and takes regions and services by name", async () => {
    state.denied = "eu-west4"
    const part = await report("serverless-run", [], { env: env() })
    assert.strictEqual(part.code, 0)
    assert.include(part.stderr, "region eu-west4")
    const one = await report("serverless-run", ["--region", "eu-west1", "--service", "web"], {
      env: env()
    })
    assert.lengthOf(one.units, 3)
    assert.notInclude(one.stderr, "eu-west4")
    state.denied = "eu-west1"
    const none = await report("serverless-run", ["--region", "eu-west1"], { env: env() })
    assert.strictEqual(none.code, 7)
  })
})
