/**
 * Reports of serverless runtimes, from a stand-in for the cloud on real sockets.
 *
 * The answers are handwritten from the vendor's API reference.
 */
import { generateKeyPairSync, verify } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import { folder } from "../../shared/Run.js"
import { cloud, digest, registry, report, serveCloud, TOKEN } from "./BearerCloud.js"

serveCloud()

describe("attestry report cloud-run", () => {
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
    const { units, stderr } = await report("cloud-run", [], { env: env() })
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
    await report("cloud-run", [], { env: env() })
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
      const { code, stderr } = await report("cloud-run", ["--project", "shop"], { env: env() })
      assert.strictEqual(code, 0, stderr)
    }
    assert.include(state.assertion, "subject-jwt")
    const machine = { GCE_METADATA_HOST: cloud().host }
    assert.strictEqual((await report("cloud-run", [], { env: machine })).code, 0)
  })

  it("sends a credential to no address that is not trusted", async () => {
    writeFileSync(
      file,
      JSON.stringify({ type: "authorized_user", token_uri: "http://evil.example.org/t" })
    )
    const { code, stderr } = await report("cloud-run", [], { env: env() })
    assert.deepStrictEqual([code, stderr.includes("not trusted")], [7, true])
  })

  it("leaves out a region that is denied, and takes regions and services by name", async () => {
    state.denied = "eu-west4"
    const part = await report("cloud-run", [], { env: env() })
    assert.strictEqual(part.code, 0)
    assert.include(part.stderr, "region eu-west4")
    const one = await report("cloud-run", ["--region", "eu-west1", "--service", "web"], {
      env: env()
    })
    assert.lengthOf(one.units, 3)
    assert.notInclude(one.stderr, "eu-west4")
    state.denied = "eu-west1"
    const none = await report("cloud-run", ["--region", "eu-west1"], { env: env() })
    assert.strictEqual(none.code, 7)
  })
})
