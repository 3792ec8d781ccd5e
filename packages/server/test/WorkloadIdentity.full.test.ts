/** The exchange of id tokens by the assembled server: an issuer over TLS, reached through the guard of deliveries. */
import { generateKeyPairSync, sign } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Attestry, createAttestry } from "../src/Attestry.js"

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../notifier/test/fixture/${name}`, import.meta.url))

const PUBLIC_URL = "https://attestry.example.com"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })

/** An issuer on loopback with the certificate of the tests of deliveries. */
const startIssuer = async (redirects: boolean) => {
  const asked: Array<string> = []
  const place = { url: "" }
  const server = createServer(
    {
      cert: readFileSync(fixture("receiver.cert.pem")),
      key: readFileSync(fixture("receiver.key.pem"))
    },
    (request, response) => {
      asked.push(request.url ?? "")
      if (redirects) {
        response.writeHead(302, { location: `${place.url}/elsewhere` }).end()
        return
      }
      const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k1", use: "sig" }
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        JSON.stringify(
          request.url === "/keys"
            ? { keys: [jwk] }
            : { issuer: place.url, jwks_uri: `${place.url}/keys` }
        )
      )
    }
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  place.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: place.url,
    asked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const tokenOf = (issuer: string): string => {
  const now = Math.floor(Date.now() / 1_000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const claims = {
    iss: issuer,
    aud: PUBLIC_URL,
    sub: "repo:acme/shop:ref",
    iat: now,
    exp: now + 300
  }
  const content = `${encode({ alg: "RS256", kid: "k1" })}.${encode(claims)}`
  return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`
}

const caller = (attestry: Attestry) => async (operation: string, body?: object) => {
  const [method = "GET", path = ""] = operation.split(" ")
  const { org = "", key = "" } = attestry.first ?? {}
  const answer = await attestry.fetch(
    new Request(`${PUBLIC_URL}/api/v2${path.replace("{org}", org)}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  return { status: answer.status, body: await answer.json() }
}

const exchanged = async (call: ReturnType<typeof caller>, token: string) => {
  for (let tries = 0; ; tries++) {
    const answer = await call("POST /workload-identity/{org}/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      subject_token: token
    })
    if (answer.status !== 503 || tries >= 40) return answer
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

describe("the assembled server", () => {
  const started: Array<Attestry> = []
  const open = async (settings: { readonly [name: string]: string }) => {
    const attestry = await createAttestry({ store: "memory", publicUrl: PUBLIC_URL, settings })
    started.push(attestry)
    const call = caller(attestry)
    await call("POST /service-accounts/{org}", { name: "ci", privilege: "member" })
    return call
  }
  const permitting = {
    ATTESTRY_OUTBOUND_ALLOW: "127.0.0.1",
    ATTESTRY_OUTBOUND_CA: fixture("receiver.cert.pem")
  }
  const issuers: Array<Awaited<ReturnType<typeof startIssuer>>> = []
  beforeAll(async () => {
    issuers.push(await startIssuer(false), await startIssuer(true))
  })
  afterAll(async () => {
    for (const attestry of started) await attestry.close()
    for (const issuer of issuers) await issuer.stop()
  })
  const issuerAt = (index: number) => {
    const issuer = issuers[index]
    if (issuer === undefined) throw new Error("the issuer has not started")
    return issuer
  }
  const rules = (issuer: string) => ({ rules: [{ issuer, subject: "repo:acme/shop:ref" }] })
  const PUT = "PUT /service-accounts/{org}/ci/identity-rules"

  it("fetches the keys of an issuer that is permitted, and exchanges its tokens", async () => {
    const call = await open(permitting)
    const { url, asked } = issuerAt(0)
    assert.strictEqual((await call(PUT, rules(url))).status, 200)
    const { status, body } = await exchanged(call, tokenOf(url))
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(asked, ["/.well-known/openid-configuration", "/keys"])
  })

  it("saves no issuer at an address that is not public, and asks none", async () => {
    const call = await open({})
    for (const issuer of [
      issuerAt(0).url,
      "https://localhost",
      "https://169.254.169.254",
      "https://[::1]",
      "https://10.0.0.7",
      "https://2130706433",
      "https://issuer.internal"
    ]) {
      const { status, body } = await call(PUT, rules(issuer))
      assert.strictEqual(status, 400, issuer)
      assert.property(body.errors, "rules[0].issuer")
    }
  })

  it("follows no redirect of an issuer", async () => {
    const call = await open(permitting)
    const { url, asked } = issuerAt(1)
    assert.strictEqual((await call(PUT, rules(url))).status, 200)
    await new Promise((resolve) => setTimeout(resolve, 4_500))
    assert.deepStrictEqual([...new Set(asked)], ["/.well-known/openid-configuration"])
    const { status } = await exchanged(call, tokenOf(url)).then((answer) => answer)
    assert.include([401, 503], status)
  }, 30_000)
})
