/**
 * A server in this process on a real socket, with an org and a key for each role: `onEveryStore` uses one store in each
 * of the two test runs, `onBothStores` both in the same run, and `onMemoryStore` the memory store alone.
 */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import * as LogSigner from "@attestry/core/LogSigner"
import { Memberships } from "@attestry/core/Memberships"
import type { Org } from "@attestry/core/Org"
import { Orgs } from "@attestry/core/Orgs"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as EvidenceReaderWorker from "@attestry/evidence-intake/EvidenceReaderWorker"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import * as FeatureFlags from "@attestry/http/FeatureFlags"
import type { Dispatch } from "@attestry/http/HttpMessage"
import * as NodeServer from "@attestry/http/NodeServer"
import { PublicUrl } from "@attestry/http/PublicUrl"
import * as Server from "@attestry/http/Server"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import * as TestDatabase from "./TestDatabase.js"

/** A running deployment. */
export interface Deployment {
  readonly url: string
  readonly keys: { readonly [role in Role]: string }
  /** Runs an effect on the store of the deployment, for work without an operation. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports>) => Promise<A>
}

const by = { kind: "system", id: "test", name: "test" } as const

const issue = (org: Org, login: string, role: Role) =>
  Effect.gen(function* () {
    const user = yield* (yield* Memberships).add({
      org,
      login: Login.make(login),
      role,
      displayName: null,
      email: null,
      by,
      source: "script"
    })
    const { key } = yield* (yield* ApiKeys).issue({
      org: org.id,
      user: user.id,
      by,
      description: "test",
      lifetimeSeconds: null
    })
    return Redacted.value(key)
  })

const people = Effect.gen(function* () {
  const org = yield* (yield* Orgs).create(OrgName.make("acme"), by)
  return {
    admin: yield* issue(org, "ada", "admin"),
    member: yield* issue(org, "max", "member"),
    snapshotter: yield* issue(org, "sue", "snapshotter"),
    reader: yield* issue(org, "rob", "reader")
  }
})

/** WHY a dispatch that is set later: the public URL contains the port, which is known after listening. */
const serve = Effect.gen(function* () {
  const current: { dispatch: Dispatch | undefined } = { dispatch: undefined }
  const { url } = yield* NodeServer.make(
    (request) => Effect.suspend(() => current.dispatch?.(request) ?? Effect.interrupt),
    { host: "127.0.0.1", port: 0, drainTimeout: "1 second" }
  )
  current.dispatch = yield* Server.make().pipe(
    Effect.provideService(PublicUrl, url),
    Effect.provideService(FeatureFlags.FeatureFlags, FeatureFlags.byMode("on", ""))
  )
  return url
})

/** The key that signs logs. */
export const LOG_KEY = { generation: 1, seed: new Uint8Array(32).fill(5) }

const signing = Layer.effect(LogSigner.LogSigner, LogSigner.fromKeys([LOG_KEY])).pipe(
  Layer.provide(SignaturesWebCrypto.layer)
)

type Store = readonly [string, () => Layer.Layer<Ports, unknown>]

const memory: Store = ["memory", () => MemoryStore.layer]
const postgres: Store = ["PostgreSQL", () => TestDatabase.layer()]

type Tests = (deployment: () => Deployment) => void

/** Options of a deployment. */
export interface DeploymentOptions {
  /** Whether checkpoints of logs are signed; they are by default. */
  readonly isSigned?: boolean
  /** Signs the log; defaults to a signer with one key. */
  readonly signer?: LogSigner.Signer
}

/** Runs the tests on each store that is given. */
const runOn = (
  stores: ReadonlyArray<Store>,
  title: string,
  tests: Tests,
  { isSigned = true, signer }: DeploymentOptions
): void => {
  for (const [name, store] of stores) {
    describe(`${title} (${name})`, () => {
      const started: { deployment?: Deployment; stop?: () => Promise<void> } = {}
      beforeAll(async () => {
        const runtime = ManagedRuntime.make(
          PolicyLab.layer.pipe(
            Layer.provideMerge(UseCases.layer),
            Layer.provideMerge(store()),
            Layer.provide(
              signer !== undefined
                ? Layer.succeed(LogSigner.LogSigner, signer)
                : isSigned
                  ? signing
                  : Layer.empty
            ),
            Layer.provideMerge(SecretsWebCrypto.layer),
            Layer.provide(PayloadRulesWorker.layer()),
            Layer.provide(EvidenceReaderWorker.layer(new Map(), { threads: 1 }))
          )
        )
        const scope = await runtime.runPromise(Scope.make())
        const keys = await runtime.runPromise(people)
        const url = await runtime.runPromise(Scope.extend(serve, scope))
        started.deployment = { url, keys, run: (effect) => runtime.runPromise(effect) }
        started.stop = async () => {
          await runtime.runPromise(Scope.close(scope, Exit.void))
          await runtime.dispose()
        }
      })
      afterAll(() => started.stop?.())
      tests(() => {
        if (started.deployment === undefined) throw new Error("the server has not started")
        return started.deployment
      })
    })
  }
}

/** Runs the tests on both stores in the same run, for tests about stored behaviour. */
export const onBothStores = (title: string, tests: Tests, options: DeploymentOptions = {}): void =>
  runOn([memory, postgres], title, tests, options)

/** Runs the tests on the memory store alone. */
export const onMemoryStore = (title: string, tests: Tests): void =>
  runOn([memory], title, tests, {})

/** Runs the tests on the memory store in `pnpm test`, on PostgreSQL in `pnpm test:full`, and else on both. */
export const onEveryStore = (
  title: string,
  tests: Tests,
  options: DeploymentOptions = {}
): void => {
  const run = process.env.ATTESTRY_TEST_RUN
  if (run !== "full") runOn([memory], title, tests, options)
  if (run !== "quick") runOn([postgres], title, tests, options)
}
