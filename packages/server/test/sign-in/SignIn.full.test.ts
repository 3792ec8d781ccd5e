/**
 * Signing in at the assembled server with a real provider over TLS: the first administrator by a group, identities by
 * commands, and what happens while the provider is down.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Https from "../../../sign-in/test/shared/Https.js"
import * as RealProvider from "../../../sign-in/test/shared/RealProvider.js"
import { type Attestry, createAttestry } from "../../src/Attestry.js"

const PUBLIC_URL = "https://attestry.example.com"

const certificate = fileURLToPath(
  new URL("../../../notifier/test/fixture/receiver.cert.pem", import.meta.url)
)

const cookieOf = (answer: Response): string =>
  (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? ""

describe("the assembled server", () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-sign-in-"))
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  let attestry: Attestry | undefined
  const host = () => {
    if (attestry === undefined) throw new Error("the server has not started")
    return attestry
  }
  const get = (url: string, cookie = "") =>
    host().fetch(new Request(new URL(url, PUBLIC_URL), { headers: { cookie } }))
  const byKey = (path: string, body: object) =>
    host().fetch(
      new Request(`${PUBLIC_URL}/api/v2${path}`, {
        method: "PUT",
        headers: {
          authorization: `Bearer ${host().first?.key}`,
          "content-type": "application/json"
        },
        body: JSON.stringify(body)
      })
    )
  const signIn = async () => {
    const begun = await get("/_/sign-in/okta?next=/")
    const back = await Effect.runPromise(Https.browse(begun.headers.get("location") ?? ""))
    return await get(back.slice(PUBLIC_URL.length), cookieOf(begun))
  }

  let stopProvider = async () => {}
  beforeAll(async () => {
    const provider = Effect.runSync(Scope.make())
    stopProvider = () => Effect.runPromise(Scope.close(provider, Exit.void))
    const issuer = await Effect.runPromise(
      Scope.extend(RealProvider.start(`${PUBLIC_URL}/_/sign-in/okta/callback`), provider)
    )
    const file = write(
      "oidc.yaml",
      JSON.stringify({
        providers: [
          {
            id: "okta",
            label: "Okta",
            issuer,
            client_id: "attestry",
            client_secret_file: write("secret", RealProvider.SECRET),
            groups: "groups",
            logout: true
          }
        ]
      })
    )
    attestry = await createAttestry({
      store: "memory",
      publicUrl: PUBLIC_URL,
      settings: {
        ATTESTRY_OIDC_FILE: file,
        ATTESTRY_OUTBOUND_ALLOW: "127.0.0.1",
        ATTESTRY_OUTBOUND_CA: certificate,
        ATTESTRY_LOG_LEVEL: "none",
        ATTESTRY_WEB: "off"
      }
    })
  })
  afterAll(async () => {
    await attestry?.close()
    await stopProvider()
    rmSync(folder, { recursive: true })
  })

  it("refuses people whom no org admits, and tells whom the provider named", async () => {
    const refused = await signIn()
    assert.strictEqual(refused.status, 403)
    const page = await refused.text()
    assert.include(page, "u-1")
    assert.notInclude(page, "ann@example.com")
  })

  it("makes the first administrator by a group, and counts the session at once", async () => {
    const { org = "" } = host().first ?? {}
    const set = await byKey(`/sign-in/${org}`, {
      join: [{ provider: "okta", group: "devs", role: "admin" }]
    })
    assert.strictEqual(set.status, 200, await set.text())
    const back = await signIn()
    assert.deepStrictEqual([back.status, back.headers.get("location")], [303, "/"])
    const session = Object(await (await get("/api/v2/session", cookieOf(back))).json())
    assert.deepStrictEqual(
      [session.actor.name, session.orgs[0].role, session.signed_in.provider],
      ["Ann", "admin", "okta"]
    )
    const out = await host().fetch(
      new Request(`${PUBLIC_URL}/api/v2/session`, {
        method: "DELETE",
        headers: { cookie: cookieOf(back), "x-csrf-token": session.csrf_token }
      })
    )
    const { location } = Object(await out.json())
    assert.include(location, "client_id=attestry")
  })

  it("keeps sessions while the provider is down, and opens no new one", async () => {
    const cookie = cookieOf(await signIn())
    const begun = await get("/_/sign-in/okta")
    await stopProvider()
    const back = await get(
      `/_/sign-in/okta/callback?code=c&state=${new URL(begun.headers.get("location") ?? "").searchParams.get("state")}`,
      cookieOf(begun)
    )
    assert.strictEqual(back.status, 503)
    assert.include(await back.text(), "cannot be reached")
    assert.strictEqual((await get("/api/v2/session", cookie)).status, 200)
  })

  it("does not start with a file that cannot be used, and names every problem", async () => {
    const file = write("wrong.yaml", "providers:\n  - {id: okta}\n  - {id: Entra}\n")
    const failed = await createAttestry({
      store: "memory",
      settings: { ATTESTRY_OIDC_FILE: file, ATTESTRY_WEB: "off" }
    }).then(
      () => "",
      (error: unknown) => String(error)
    )
    for (const place of ["ATTESTRY_OIDC_FILE", "providers[0].label", "providers[1].id"])
      assert.include(failed, place)
  })
})
