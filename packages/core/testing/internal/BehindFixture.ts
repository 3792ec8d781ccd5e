/** Orgs whose environments are behind a change of a policy, and the work that evaluates them. */
import { CurrentActor } from "@attestry/core/Actor"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { Reports } from "@attestry/core/Reports"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as HistoryFixture from "../HistoryFixture.js"
import * as ReportFixture from "../ReportFixture.js"

/** Every use case. */
export const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

/** The logical environment. */
export const GROUP = EnvironmentName.make("group")
/** The two policies. */
export const [BASE, STRICT] = HistoryFixture.POLICIES

/** Provides an admin of the org. */
export const as = (org: Org) => Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))

/** Works until no environment is behind. */
export const work = Effect.flatMap(PendingWorker.makeBehindTurn, (turn) =>
  Effect.repeat(turn, { while: (isBusy) => isBusy })
)

/** The marks of a list. */
export const marked = (org: Org) =>
  Effect.map(
    Effect.flatMap(Environments, (environments) =>
      environments.list(org.name, { descending: false }, Option.none())
    ),
    ({ items }) =>
      items.flatMap(({ environment: { name, verdict_pending } }) =>
        verdict_pending === true ? [name] : []
      )
  )

/** Saves the first policy. */
export const save = (org: Org, text: number) =>
  HistoryFixture.happen(org, { _tag: "Save", policy: 0, text }, 0)

/** An org with so many environments that one policy evaluates, each with a snapshot of one row. */
export const many = (count: number) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const names = Array.from({ length: count }, (_, index) => EnvironmentName.make(`e-${index}`))
    yield* Effect.gen(function* () {
      yield* save(org, 0)
      for (const name of names) {
        const environments = yield* Environments
        yield* environments.put(org.name, { name, type: "server", policies: [BASE ?? ""] })
        yield* (yield* Reports).accept(
          org.name,
          name,
          ReportFixture.submitted("server", "one", [{ name: "a", fingerprint: "a".repeat(64) }])
        )
      }
    }).pipe(as(org))
    return { org, names }
  })

/** The index of the newest snapshot of each environment, and the version of the policy that judged it. */
export const judged = (org: Org) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const environments = yield* (yield* EnvironmentStore).list(org.id)
    return yield* Effect.forEach(environments, ({ id }) =>
      Effect.map(store.latest({ org: org.id, environment: id }), (latest) => {
        const { index, policies } = Option.getOrThrow(latest)
        return [index, policies[0]?.version]
      })
    )
  })

/** The same index and version for each environment. */
export const allAre = (count: number, value: readonly [index: number, version: number]) =>
  Array.from({ length: count }, (): Array<number | undefined> => [...value])
