/**
 * The API in one process: handlers on a memory store, behind `node:http`. Its data is lost when it stops.
 * `PORT` is the port to listen on.
 */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as NodeServer from "@attestry/http/NodeServer"
import { PublicUrl } from "@attestry/http/PublicUrl"
import * as Server from "@attestry/http/Server"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"

const port = Number(process.env.PORT ?? 8080)
const by = { kind: "system", id: "", name: "server-memory" } as const

const Services = PolicyLab.layer.pipe(
  Layer.provideMerge(UseCases.layer),
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const program = Effect.gen(function* () {
  const [orgs, memberships, keys] = yield* Effect.all([Orgs, Memberships, ApiKeys])
  const org = yield* orgs.create(OrgName.make("acme"), by)
  const login = Login.make("ada")
  const names = { displayName: null, email: null }
  const ada = { org, login, role: "admin", ...names, by, source: "script" } as const
  const { id: user } = yield* memberships.add(ada)
  const first = { org: org.id, user, by, description: "first key", lifetimeSeconds: null }
  const { key } = yield* keys.issue(first)
  const listening = { host: "127.0.0.1", port, drainTimeout: "5 seconds" } as const
  const { url } = yield* NodeServer.make(yield* Server.make(), listening)
  console.log(`url ${url}\norg ${org.name}\nkey ${Redacted.value(key)}`)
  yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provide(Services),
  Effect.provideService(PublicUrl, `http://127.0.0.1:${port}`)
)

const stop = new AbortController()
process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort())
const exit = await Effect.runPromiseExit(program, { signal: stop.signal })
if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
  console.error(Cause.pretty(exit.cause))
  process.exitCode = 1
}
