/**
 * What a reader remembers of reports changes nothing that is answered.
 *
 * Two `Reports` side by side are two processes: each reader remembers what it has read itself.
 */
import type { EnvironmentKind } from "@attestry/core/EnvironmentKind"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { ReportReader } from "@attestry/core/ReportReader"
import { Reports } from "@attestry/core/Reports"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { Snapshots } from "@attestry/core/Snapshots"
import * as ReportFixture from "@attestry/core/testing/ReportFixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, TestClock } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const { inOrg, tagOf } = UseCaseLayer
const name = EnvironmentName.make("prod")
const elsewhere = EnvironmentName.make("elsewhere")

interface Said {
  readonly runs: ReadonlyArray<string>
  readonly kind?: "server" | "docker"
  /** Makes the text differ from bodies with the same content. */
  readonly spelling?: string
}

const textOf = ({ runs, spelling = "" }: Said) =>
  JSON.stringify({
    artifacts: runs.map((of) => ({
      digests: { [of.slice(0, -1)]: of.slice(-1).repeat(64) },
      creationTimestamp: 1
    }))
  }) + spelling

/** A process: its reports, and what it has asked the store so far. */
const processWith = (reader: Layer.Layer<ReportReader>) =>
  Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const asked: Array<string> = []
    const noting = EnvironmentStore.of({
      ...store,
      findByName: (key) => {
        asked.push("look up")
        return store.findByName(key)
      },
      lock: (key) => {
        asked.push("lock")
        return store.lock(key)
      }
    })
    const services = yield* Layer.build(
      UseCases.layer.pipe(
        Layer.provide(Layer.succeed(EnvironmentStore, noting)),
        Layer.provide(SecretsWebCrypto.layer),
        Layer.provide(reader)
      )
    )
    const reports = Context.get(services, Reports)
    return {
      report: (org: Org, said: Said) =>
        reports.accept(org.name, name, {
          kind: said.kind ?? "server",
          bodyDigest: textOf(said),
          text: Effect.succeed(textOf(said))
        }),
      /** What was asked since this was asked last. */
      asked: () => asked.splice(0)
    }
  })

const create = (org: Org, type: EnvironmentKind = "server", include_scaling = false) =>
  Effect.flatMap(Environments, (environments) =>
    environments.put(org.name, { name, type, include_scaling })
  )

/** What runs by the latest snapshot, and its index. */
const latest = (org: Org, of = name) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    Effect.map(
      snapshots.get(org.name, of, SnapshotExpression.now),
      ({ snapshot: { index, rows } }) => [
        index,
        ...rows
          .filter(({ annotation }) => annotation.type !== "exited")
          .map((row) => `${row.name}${row.fingerprint.slice(0, 1)}`)
          .sort()
      ]
    )
  )

const A: Said = { runs: ["shopa", "weba"] }
const B: Said = { runs: ["shopb", "weba"] }
const C: Said = { runs: ["shopb", "webc"] }

for (const [reading, reader] of ReportFixture.readers) {
  const process = processWith(reader)

  it.layer(UseCaseLayer.layer)(`Reports, ${reading} reader`, (it) => {
    it.scoped("locks for a report that says something new, and for no other", () =>
      inOrg((org) =>
        Effect.gen(function* () {
          const { report, asked } = yield* process
          yield* create(org)
          assert.strictEqual(yield* report(org, A), "changed")
          assert.deepStrictEqual(asked(), ["look up", "lock"])
          assert.strictEqual(yield* report(org, B), "changed")
          assert.deepStrictEqual(asked(), ["look up", "lock"])
          assert.strictEqual(yield* report(org, B), "unchanged")
          assert.deepStrictEqual(asked(), ["look up"])
          assert.strictEqual(yield* report(org, { runs: [...B.runs].reverse() }), "unchanged")
          assert.strictEqual(yield* report(org, { ...B, spelling: " " }), "unchanged")
          assert.deepStrictEqual(asked(), ["look up", "look up"])
          assert.deepStrictEqual(yield* latest(org), [2, "shopb", "weba"])
        })
      )
    )

    it.scoped("compares with what another process has accepted", () =>
      inOrg((org) =>
        Effect.gen(function* () {
          const [one, two] = [yield* process, yield* process]
          yield* create(org)
          yield* one.report(org, A)
          yield* two.report(org, B)
          one.asked()
          assert.strictEqual(yield* one.report(org, B), "unchanged")
          assert.deepStrictEqual(one.asked(), ["look up"])
          assert.strictEqual(yield* one.report(org, { ...B, spelling: " " }), "unchanged")
          assert.deepStrictEqual(one.asked(), ["look up"])
          assert.strictEqual(yield* one.report(org, C), "changed")
          assert.strictEqual(yield* two.report(org, B), "changed")
          assert.strictEqual(yield* one.report(org, A), "changed")
          assert.deepStrictEqual(yield* latest(org), [5, "shopa", "weba"])
          assert.strictEqual(yield* two.report(org, A), "unchanged")
        })
      )
    )

    it.scoped(
      "moves the time of the last report, also where another process has accepted the same",
      () =>
        inOrg((org) =>
          Effect.gen(function* () {
            const [one, two] = [yield* process, yield* process]
            const { findByName } = yield* EnvironmentStore
            const reported = Effect.map(
              findByName({ org: org.id, name }),
              (found) => Option.getOrThrow(found).environment.last_reported_at
            )
            yield* create(org)
            yield* one.report(org, A)
            yield* two.report(org, B)
            const before = yield* reported
            yield* TestClock.adjust("1 hour")
            yield* one.report(org, B)
            assert.strictEqual(Number(yield* reported) - Number(before), 3_600_000_000)
          })
        )
    )

    it.scoped(
      "an environment that was archived meanwhile is reported as such, after a wrong body",
      () =>
        inOrg((org) =>
          Effect.gen(function* () {
            const { report, asked } = yield* process
            const environments = yield* Environments
            yield* create(org)
            yield* report(org, A)
            assert.strictEqual(yield* tagOf(report(org, { ...B, spelling: "x" })), "InvalidReport")
            yield* environments.archive(org.name, name)
            asked()
            assert.strictEqual(yield* tagOf(report(org, { ...B, spelling: "x" })), "InvalidReport")
            assert.deepStrictEqual(asked(), ["look up"])
            assert.strictEqual(yield* tagOf(report(org, B)), "EnvironmentArchived")
            assert.strictEqual(yield* tagOf(report(org, B)), "EnvironmentArchived")
            assert.deepStrictEqual(asked(), ["look up", "look up"])
            assert.strictEqual(yield* tagOf(report(org, { ...B, spelling: "x" })), "InvalidReport")
            yield* create(org)
            assert.strictEqual(yield* report(org, B), "changed")
            assert.deepStrictEqual(yield* latest(org), [1, "shopb", "weba"])
          })
        )
    )

    it.scoped(
      "an environment that was renamed meanwhile is reported to until another has its name",
      () =>
        inOrg((org) =>
          Effect.gen(function* () {
            const { report, asked } = yield* process
            const environments = yield* Environments
            yield* create(org)
            yield* report(org, A)
            yield* environments.rename(org.name, name, elsewhere)
            asked()
            assert.strictEqual(yield* report(org, B), "changed")
            assert.deepStrictEqual(asked(), ["look up", "lock"])
            assert.deepStrictEqual(yield* latest(org, elsewhere), [2, "shopb", "weba"])
            yield* create(org, "docker")
            assert.strictEqual(yield* tagOf(report(org, C)), "EnvironmentKindMismatch")
            assert.strictEqual(yield* report(org, { ...B, kind: "docker" }), "changed")
            assert.deepStrictEqual(yield* latest(org), [1, "shopb", "weba"])
            assert.deepStrictEqual(yield* latest(org, elsewhere), [2, "shopb", "weba"])
          })
        )
    )

    it.scoped("scaling that is recorded meanwhile counts from the next report on", () =>
      inOrg((org) =>
        Effect.gen(function* () {
          const { report } = yield* process
          yield* create(org)
          yield* report(org, A)
          yield* create(org, "server", true)
          assert.strictEqual(yield* report(org, B), "changed")
          assert.strictEqual(yield* report(org, { ...B, spelling: " " }), "unchanged")
          const scaled: Said = { runs: ["shopb", "shopb", "weba"] }
          assert.strictEqual(yield* report(org, scaled), "changed")
          yield* create(org, "server", false)
          assert.strictEqual(yield* report(org, B), "unchanged")
          assert.strictEqual(yield* report(org, scaled), "unchanged")
          assert.strictEqual(yield* report(org, C), "changed")
          assert.deepStrictEqual(yield* latest(org), [4, "shopb", "webc"])
        })
      )
    )
  })
}
