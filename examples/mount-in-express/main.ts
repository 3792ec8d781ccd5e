/**
 * The API inside an Express application: Express has its own routes, Attestry has `/api/v2` and the probes.
 * `PORT` is the port to listen on.
 */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as DocumentationPage from "@attestry/http/DocumentationPage"
import * as NodeServer from "@attestry/http/NodeServer"
import { PublicUrl } from "@attestry/http/PublicUrl"
import * as Server from "@attestry/http/Server"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import express from "express"

const port = Number(process.env.PORT ?? 8080)
const by = { kind: "system", id: "", name: "mount-in-express" } as const

const runtime = ManagedRuntime.make(
  UseCases.layer.pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(SecretsWebCrypto.layer)
  )
)

const start = Effect.gen(function* () {
  const [orgs, memberships, keys] = yield* Effect.all([Orgs, Memberships, ApiKeys])
  const org = yield* orgs.create(OrgName.make("acme"), by)
  const login = Login.make("ada")
  const ada = { org, login, role: "admin", displayName: null, email: null, by } as const
  const { id: user } = yield* memberships.add(ada)
  const first = { org: org.id, user, by, description: "first key", lifetimeSeconds: null }
  const { key } = yield* keys.issue(first)
  const dispatch = yield* Server.make({ pages: yield* DocumentationPage.make })
  return { key: Redacted.value(key), listener: yield* NodeServer.listener(dispatch) }
}).pipe(Effect.provideService(PublicUrl, `http://127.0.0.1:${port}`))

const { key, listener } = await runtime.runPromise(start)

const app = express()
// WHY before body parsers: the API reads its bodies itself, within its own limits.
app.all(/^\/(?:api\/v2\/|live$|ready$|metrics$)/, listener)
app.use(express.json())
app.get("/", (_, response) => void response.send("the application that was there before"))

const server = app.listen(port, "127.0.0.1", () => {
  const address = server.address()
  const taken = typeof address === "object" && address !== null ? address.port : port
  console.log(`url http://127.0.0.1:${taken}\norg acme\nkey ${key}`)
})

const stop = () => void server.close(() => void runtime.dispose())
process.once("SIGINT", stop).once("SIGTERM", stop)
