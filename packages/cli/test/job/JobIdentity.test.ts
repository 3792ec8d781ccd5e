/** A job without a key: its id token is exchanged for one, in GitHub, GitLab and Kubernetes, on each store. */
import { generateKeyPairSync, sign } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import { Effect } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const ISSUER = "https://issuer.example.org"
const RUNNER_TOKEN = "runner-token-123456"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })

const tokenFor = (audience: string, subject = "repo:acme/shop:ref"): string => {
  const now = Math.floor(Date.now() / 1_000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const claims = { iss: ISSUER, aud: audience, sub: subject, iat: now, exp: now + 300 }
  const content = `${encode({ alg: "RS256", kid: "k1" })}.${encode(claims)}`
  return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`
}

/** What a runner answers that mints tokens for the audience that is asked for. */
const runner = (): Promise<StubServer.StubServer> =>
  StubServer.start((request) => {
    const { searchParams } = new URL(request.url ?? "/", "http://runner")
    return request.headers.authorization === `Bearer ${RUNNER_TOKEN}`
      ? { body: JSON.stringify({ value: tokenFor(searchParams.get("audience") ?? "") }) }
      : { status: 401, body: "{}" }
  })

const jobOf = (server: StubServer.StubServer, token = RUNNER_TOKEN) => ({
  GITHUB_ACTIONS: "true",
  ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/token?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: token
})

onEveryStore("a job without a key", (deployment) => {
  const settings = () => ({ ATTESTRY_URL: deployment().url, ATTESTRY_ORG: "acme" })
  const call = async (path: string, method: string, body: object) => {
    const answer = await fetch(`${deployment().url}/api/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${deployment().keys.admin}`,
        "content-type": "application/json"
      },
      body: JSON.stringify(body)
    })
    assert.isBelow(answer.status, 300, await answer.text())
  }

  beforeAll(async () => {
    await call("/service-accounts/acme", "POST", { name: "ci-shop", privilege: "member" })
    await call("/service-accounts/acme/ci-shop/identity-rules", "PUT", {
      rules: [{ issuer: ISSUER, subject: "repo:acme/shop:*", audience: deployment().url }]
    })
    const { kty, n, e } = publicKey.export({ format: "jwk" })
    assert.strictEqual(kty, "RSA")
    const key = { kty: "RSA", kid: "k1", n: n ?? "", e: e ?? "" } as const
    await deployment().run(
      Effect.flatMap(WorkloadIdentityStore, (store) => store.saveKeys(ISSUER, [key]))
    )
  })

  it("of GitHub Actions asks the runner for a token, and works with the key", async () => {
    const server = await runner()
    const ran = await run(["whoami", "-q", "-v", "-v"], {
      env: { ...settings(), ...jobOf(server) }
    })
    await server.stop()
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "ci-shop\n"], ran.stderr)
    assert.include(server.requests[0]?.url ?? "", encodeURIComponent(deployment().url))
    assert.notMatch(ran.stderr, /eyJ|attestry_oidc_|runner-token/)
  })

  it("of GitLab CI takes the token of its variable", async () => {
    const env = { ...settings(), GITLAB_CI: "true", ATTESTRY_ID_TOKEN: tokenFor(deployment().url) }
    const ran = await run(["begin", "t-1", "-f", "shop", "-v"], { env })
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.notMatch(ran.stdout + ran.stderr, /eyJ|attestry_oidc_/)
  })

  it("of Kubernetes reads the token of its pod from a file, for each exchange", async () => {
    const file = join(folder(), "token")
    const env = { ...settings(), ATTESTRY_ID_TOKEN_FILE: file }
    const whoami = () => run(["whoami", "-q"], { env })
    writeFileSync(file, `${tokenFor(deployment().url)}\n`)
    assert.strictEqual((await whoami()).stdout, "ci-shop\n")
    writeFileSync(file, tokenFor(deployment().url, "repo:eve/shop:ref"))
    assert.strictEqual((await whoami()).code, 4)
    writeFileSync(file, "\n")
    assert.include(
      (await whoami()).stderr,
      `ATTESTRY_ID_TOKEN_FILE gives no id token: ${file} is empty`
    )
    rmSync(file)
    const missing = await whoami()
    assert.strictEqual(missing.code, 4)
    assert.include(missing.stderr, "ENOENT")
  })

  it("ends with 4 for a token that no rule fits, and says which variable to set", async () => {
    const env = {
      ...settings(),
      ATTESTRY_ID_TOKEN: tokenFor(deployment().url, "repo:eve/shop:ref")
    }
    const { code, stderr } = await run(["whoami"], { env })
    assert.strictEqual(code, 4)
    assert.include(stderr, "ATTESTRY_API_KEY")
    const other = { ...settings(), ATTESTRY_ID_TOKEN: tokenFor("https://other.example.com") }
    assert.strictEqual((await run(["whoami"], { env: other })).code, 4)
  })

  it("ends with 2 where the org is not known, and with 4 where the runner gives no token", async () => {
    const env = { ATTESTRY_URL: deployment().url, ATTESTRY_ID_TOKEN: tokenFor(deployment().url) }
    assert.strictEqual((await run(["whoami"], { env })).code, 2)
    const server = await runner()
    const refused = await run(["whoami"], {
      env: { ...settings(), ...jobOf(server, "another-token") }
    })
    await server.stop()
    assert.strictEqual(refused.code, 4)
  })

  it("keeps to a key that is set", async () => {
    const server = await runner()
    const env = { ...settings(), ...jobOf(server), ATTESTRY_API_KEY: deployment().keys.reader }
    assert.strictEqual((await run(["whoami", "-q"], { env })).stdout, "rob\n")
    await server.stop()
    assert.lengthOf(server.requests, 0)
  })
})

describe("the exchange of an id token", () => {
  const exchange = async (answer: (count: number) => StubServer.StubAnswer) => {
    let count = 0
    const server = await StubServer.start((request) => {
      if (!(request.url ?? "").endsWith("/token")) return { body: JSON.stringify({ orgs: [] }) }
      count++
      return answer(count)
    })
    const env = { ATTESTRY_URL: server.url, ATTESTRY_ORG: "acme", ATTESTRY_ID_TOKEN: "a.b.c-token" }
    const ran = await run(["list", "flows", "--retries", "0"], { env })
    await server.stop()
    return { ...ran, requests: server.requests }
  }

  it("is asked again while the keys of the issuer are fetched", async () => {
    const key = "attestry_oidc_key-123456"
    const ran = await exchange((count) =>
      count < 3 ? { status: 503, body: "{}" } : { body: JSON.stringify({ access_token: key }) }
    )
    assert.strictEqual(ran.requests.at(-1)?.headers.authorization, `Bearer ${key}`)
  })

  it("ends with 5 where the server does not answer it, and with 4 where it has none", async () => {
    assert.strictEqual((await exchange(() => ({ status: 503, body: "{}" }))).code, 5)
    assert.strictEqual((await exchange(() => ({ status: 500, body: "" }))).code, 5)
    assert.strictEqual((await exchange(() => ({ breaks: true }))).code, 5)
    assert.strictEqual((await exchange(() => ({ status: 404, body: "{}" }))).code, 4)
    assert.strictEqual((await exchange(() => ({ status: 200, body: "<html>" }))).code, 5)
  })
})
