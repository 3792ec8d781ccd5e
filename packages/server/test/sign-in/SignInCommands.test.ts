/** Administration commands about sign-in, on the memory store: identities, settings from a file, and providers. */
import { Login, OrgName } from "@attestry/core/Identifier"
import { Subject } from "@attestry/core/Identity"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { type Provider, ProviderId } from "@attestry/core/Provider"
import { ProviderConnections, SignInFailed } from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import * as SignInCommands from "../../src/internal/admin/SignInCommands.js"

const okta: Provider = {
  id: ProviderId.make("okta"),
  label: "Okta",
  issuer: "https://okta.example.org",
  client_id: "attestry",
  scopes: ["openid"],
  subject: "sub",
  groups: "groups",
  orgs: null,
  link: "none",
  domains: [],
  logout: false
}

const by = { kind: "system", id: "test", name: "test" } as const
const org = OrgName.make("acme")
const login = Login.make("ada")

const services = (isUp: boolean) =>
  UseCases.layer.pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(SecretsWebCrypto.layer),
    Layer.provideMerge(
      Layer.merge(
        Layer.succeed(Providers, [okta]),
        Layer.effect(
          ProviderConnections,
          Effect.map(ProviderConnections, (none) => ({
            ...none,
            check: ({ id }: Provider) =>
              isUp
                ? Effect.void
                : new SignInFailed({ provider: id, failure: "provider", detail: "connection" })
          }))
        )
      )
    )
  )

const run = (...commands: ReadonlyArray<SignInCommands.SignInCommand>) =>
  Effect.gen(function* () {
    const made = yield* (yield* Orgs).create(org, by)
    yield* (yield* Memberships).add({
      org: made,
      login,
      role: "reader",
      displayName: null,
      email: null,
      by,
      source: "script"
    })
    return yield* Effect.forEach(commands, (command) =>
      Effect.merge(
        Effect.mapError(SignInCommands.run(command, by), ({ _tag, message }) => ({ _tag, message }))
      )
    )
  })

const results = (isUp: boolean, ...commands: ReadonlyArray<SignInCommands.SignInCommand>) =>
  Effect.runPromise(Effect.provide(run(...commands), services(isUp)))

const link = {
  _tag: "user link",
  login,
  provider: okta.id,
  subject: Subject.make("u-1")
} as const
const unlink = { _tag: "user unlink", login, provider: okta.id } as const

describe("commands about sign-in", () => {
  it("link and unlink identities of users who exist, at providers that exist", async () => {
    const found = await results(
      true,
      link,
      link,
      { ...link, login: Login.make("bob") },
      { ...link, provider: ProviderId.make("entra") },
      { ...link, subject: Subject.make("u-2") },
      unlink,
      unlink
    )
    assert.deepStrictEqual(found[0], {
      login: "ada",
      provider: "okta",
      issuer: "https://okta.example.org",
      subject: "u-1"
    })
    assert.deepStrictEqual(found[1], found[0])
    assert.deepStrictEqual(
      found.slice(2).map((each) => Object(each)._tag),
      ["UserNotFound", "ProviderNotFound", "IdentityTaken", undefined, "IdentityNotFound"]
    )
  })

  it("set how people sign in from a file, with every problem of it", async () => {
    const set = (file: string) => ({ _tag: "sign-in set", org, file }) as const
    const found = await results(
      true,
      set("join:\n  - {provider: okta, group: attestry-admins, role: admin}\n"),
      set("session_hours: 25\nmore: 1\n"),
      set("join:\n  - {provider: entra, domain: a.org, role: admin}\n"),
      set("join: ["),
      { ...set("{}"), org: OrgName.make("none") }
    )
    assert.deepStrictEqual(Object(found[0]).join, [
      { provider: "okta", group: "attestry-admins", role: "admin" }
    ])
    assert.include(Object(found[1]).message, "session_hours")
    assert.include(Object(found[1]).message, "more")
    assert.include(Object(found[2]).message, "join[0].provider")
    assert.include(Object(found[2]).message, "join[0].role")
    assert.match(Object(found[3]).message, /line 1, column \d+/)
    assert.strictEqual(Object(found[4])._tag, "OrgNotFound")
  })

  it("check that every provider can be reached", async () => {
    const check = { _tag: "sign-in check" } as const
    assert.deepStrictEqual(await results(true, check), [
      [{ provider: "okta", issuer: "https://okta.example.org", result: "ok" }]
    ])
    const [failed] = await results(false, check)
    assert.include(Object(failed).message, "okta: connection")
  })
})
