/** The file of providers: its defaults, and every problem by its place, without a secret. */
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import * as SignInFile from "../../src/internal/SignInFile.js"

const TENANT = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0"

const okta = {
  id: "okta",
  label: "Okta",
  issuer: "https://acme.okta.example.com",
  client_id: "attestry",
  client_secret_file: "/run/secrets/okta"
}

const textOf = (...providers: ReadonlyArray<object>) => JSON.stringify({ providers })

const problemsOf = (text: string): ReadonlyArray<string> =>
  Either.match(SignInFile.parse(text), {
    onLeft: ({ problems }) => problems,
    onRight: () => []
  })

const fieldsOf = (...providers: ReadonlyArray<object>) =>
  problemsOf(textOf(...providers)).map((problem) => problem.split(": ", 1)[0])

describe("the file of providers", () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-sign-in-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  it("is YAML or JSON, with defaults", () => {
    const members = Object.entries(okta).map(([name, value]) => `${name}: ${value}`)
    const yaml = `providers:\n  - ${members.join("\n    ")}\n`
    for (const text of [yaml, textOf(okta)]) {
      const [provider] = Either.getOrThrow(SignInFile.parse(text))
      assert.deepStrictEqual(provider, {
        ...okta,
        scopes: ["openid", "profile", "email"],
        subject: "sub",
        groups: null,
        orgs: null,
        link: "none",
        domains: [],
        logout: false
      } as never)
    }
  })

  it("names every problem by its place", () => {
    assert.match(problemsOf("providers: [")[0] ?? "", /^line 1, column \d+: /)
    assert.deepStrictEqual(problemsOf("{}").length, 1)
    assert.isNotEmpty(problemsOf(textOf()))
    assert.deepStrictEqual(fieldsOf({ ...okta, id: "Okta", label: "", more: 1 }).sort(), [
      "providers[0].id",
      "providers[0].label",
      "providers[0].more"
    ])
    assert.deepStrictEqual(fieldsOf(okta, okta, { ...okta, id: "host" }), [
      "providers[1].id",
      "providers[2].id"
    ])
    const { client_secret_file: _secret, ...plain } = okta
    for (const either of [plain, { ...okta, private_key_file: "/k" }])
      assert.deepStrictEqual(fieldsOf(either), ["providers[0].client_secret_file"])
    assert.deepStrictEqual(fieldsOf({ ...okta, scopes: ["email"] }), ["providers[0].scopes"])
    assert.deepStrictEqual(fieldsOf({ ...okta, link: "verified_email" }), ["providers[0].domains"])
    const linking = { ...okta, link: "verified_email", domains: ["acme.example.com"] }
    assert.deepStrictEqual(fieldsOf(linking), [])
  })

  it("has issuers that are public https addresses, of one tenant where they are Entra's", () => {
    for (const issuer of [
      "http://acme.okta.example.com",
      "https://127.0.0.1:8443",
      "https://acme.okta.example.com/?a=b",
      "https://login.microsoftonline.com/common/v2.0",
      "https://login.microsoftonline.com/organizations/v2.0",
      "https://login.microsoftonline.com/acme.example.com/v2.0"
    ])
      assert.deepStrictEqual(fieldsOf({ ...okta, issuer }), ["providers[0].issuer"], issuer)
    const entra = { ...okta, subject: "oid", issuer: TENANT }
    assert.deepStrictEqual(fieldsOf(entra), [])
    assert.deepStrictEqual(fieldsOf({ ...okta, subject: "oid" }), ["providers[0].issuer"])
    const inside = textOf({ ...okta, issuer: "https://10.1.2.3/realms/acme" })
    assert.isTrue(Either.isLeft(SignInFile.parse(inside)))
    assert.isTrue(Either.isRight(SignInFile.parse(inside, ["10.1.0.0/16"])))
  })

  it("has at most 20 providers", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, place) => ({ ...okta, id: `p${place}` }))
    assert.deepStrictEqual(fieldsOf(...many(20)), [])
    assert.deepStrictEqual(fieldsOf(...many(21)), ["providers"])
  })

  it("reads the secrets that it names, and shows none", async () => {
    const read = (...providers: ReadonlyArray<object>) =>
      Effect.runPromise(Effect.either(SignInFile.read(write("oidc.yaml", textOf(...providers)))))
    const secret = write("secret", `${"s".repeat(16)}\n`)
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const key = write("key.pem", String(privateKey.export({ type: "pkcs8", format: "pem" })))
    const { client_secret_file: _secret, ...plain } = okta
    const good = await read(
      { ...plain, client_secret_file: secret },
      { ...plain, id: "entra", private_key_file: key }
    )
    assert.deepStrictEqual(
      Either.getOrThrow(good).map(({ credentials }) => credentials._tag),
      ["Secret", "PrivateKey"]
    )
    assert.notInclude(JSON.stringify(Either.getOrThrow(good)), "s".repeat(16))
    const bad = await read(
      { ...plain, client_secret_file: join(folder, "missing") },
      { ...plain, id: "b", client_secret_file: write("short", "tooshort") },
      { ...plain, id: "c", private_key_file: secret }
    )
    const { message } = Either.getOrThrow(Either.flip(bad))
    for (const place of [0, 1, 2]) assert.include(message, `providers[${place}]: `)
    for (const shown of ["tooshort", "s".repeat(16)]) assert.notInclude(message, shown)
    const none = await Effect.runPromise(
      Effect.either(SignInFile.read(join(folder, "nothing.yaml")))
    )
    assert.isTrue(Either.isLeft(none))
  })
})
