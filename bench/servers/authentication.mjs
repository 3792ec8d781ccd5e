/**
 * One operation twice in one process, on two ports: as it is, and open to anybody. The work behind it is the
 * same one read of PostgreSQL, so the difference is what finding out about the caller costs.
 */
import { Effect, Layer, Redacted } from "effect"

const dist = (path) => import(new URL(`../../packages/${path}.js`, import.meta.url))

const [{ Api }, Dispatcher, RouteTable, { UserHandlers }, NodeServer] = await Promise.all([
  dist("api/dist/Api"),
  dist("http/dist/shared/internal/Dispatcher"),
  dist("http/dist/shared/internal/RouteTable"),
  dist("http/dist/membership/internal/UserHandlers"),
  dist("http/dist/node/NodeServer")
])
const [UseCases, PgStore, SecretsNode, SecretsWebCrypto, Bootstrap] = await Promise.all([
  dist("core/dist/UseCases"),
  dist("sql-store/dist/pg/PgStore"),
  dist("server/dist/SecretsNode"),
  dist("core/dist/webcrypto/SecretsWebCrypto"),
  dist("server/dist/internal/Bootstrap")
])

const listening = { host: "127.0.0.1", port: 0, drainTimeout: "1 second" }

const serve = (routes) =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatcher.make(routes, [yield* UserHandlers], {
      staticRoutes: new Map()
    })
    return (yield* NodeServer.make(dispatch, listening)).port
  })

const program = Effect.gen(function* () {
  const first = yield* Bootstrap.run({ org: undefined, user: undefined })
  const routes = RouteTable.routesOf(Api).filter(({ name }) => /^[gs]etDefaultOrg$/.test(name))
  const checked = yield* serve(routes)
  const open = yield* serve(
    routes.map((route) => ({ ...route, rule: { ...route.rule, access: "open" } }))
  )
  process.stdout.write(`ports ${checked} ${open} key ${Redacted.value(first.value.key)}\n`)
  yield* Effect.never
})

const services = UseCases.layer.pipe(
  Layer.provideMerge(PgStore.layer({ url: Redacted.make(process.env.DATABASE_URL) })),
  Layer.provideMerge(Layer.merge(SecretsNode.layer, SecretsWebCrypto.layerIds)),
  Layer.provideMerge(Layer.setTracerEnabled(false))
)

process.on("SIGTERM", () => process.exit(0))
Effect.runFork(program.pipe(Effect.scoped, Effect.provide(services)))
