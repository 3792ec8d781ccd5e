/**
 * Histories of environments and of keys through the use cases, on any store: the outbox has exactly the
 * notifications of the models.
 */

import { CurrentActor } from "@attestry/core/Actor"
import { AllowLists } from "@attestry/core/AllowLists"
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import { Trigger } from "@attestry/core/EnvironmentNotification"
import { EnvironmentNotifications } from "@attestry/core/EnvironmentNotifications"
import { Environments } from "@attestry/core/Environments"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import type { Ports } from "@attestry/core/Ports"
import { Reports } from "@attestry/core/Reports"
import type { RunningRow } from "@attestry/core/RunningRow"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { Snapshots } from "@attestry/core/Snapshots"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as GeneratedReport from "./EnvironmentReport.js"
import * as Fixture from "./Fixture.js"
import * as Model from "./internal/model/NotificationTriggerModel.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"
import * as VerdictFixture from "./suite/VerdictFixture.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const NAMES = ["east", "west", "both"].map((name) => EnvironmentName.make(name))

type Place = "east" | "west"

/** A step of a history. */
type Step =
  | {
      readonly _tag: "Report"
      readonly place: Place
      readonly running: ReadonlyArray<readonly [name: string, digest: number, instances: number]>
    }
  | { readonly _tag: "Allow" | "Disallow"; readonly place: Place; readonly digest: number }
  | { readonly _tag: "Scaling"; readonly place: Place; readonly on: boolean }
  | { readonly _tag: "Members"; readonly members: ReadonlyArray<Place> }
  | { readonly _tag: "Attach" | "Detach"; readonly place: Place }
  | { readonly _tag: "Build"; readonly digest: number }
  | { readonly _tag: "Attest"; readonly digest: number; readonly isCompliant: boolean }

const place = FastCheck.constantFrom<Place>("east", "west")
const digest = FastCheck.nat(GeneratedReport.fingerprints.length - 1)

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 6,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Report" as const),
      place,
      running: FastCheck.uniqueArray(
        FastCheck.tuple(
          FastCheck.constantFrom("shop", "api"),
          digest,
          FastCheck.integer({ min: 1, max: 2 })
        ),
        { maxLength: 3, selector: ([name, of]) => `${name} ${of}` }
      )
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constantFrom("Allow" as const, "Disallow" as const),
      place,
      digest
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Scaling" as const),
      place,
      on: FastCheck.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Members" as const),
      members: FastCheck.subarray<Place>(["east", "west"])
    })
  },
  {
    weight: 3,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constantFrom("Attach" as const, "Attach" as const, "Detach" as const),
      place
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("Build" as const), digest })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Attest" as const),
      digest,
      isCompliant: FastCheck.boolean()
    })
  }
)

const fingerprintOf = (of: number) =>
  GeneratedReport.fingerprints[of] ?? GeneratedReport.fingerprints[0]

const rowOf = ([name, of, instances]: readonly [string, number, number]): RunningRow => ({
  name,
  fingerprint: fingerprintOf(of),
  creationTimestamp: Array.from({ length: instances }, (_, at) => 100 + at),
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

const happen = (org: Org, happening: Step, at: number) =>
  Effect.gen(function* () {
    const environments = yield* Environments
    const allowLists = yield* AllowLists
    const attachments = yield* PolicyAttachments
    switch (happening._tag) {
      case "Report":
        return yield* (yield* Reports).accept(
          org.name,
          EnvironmentName.make(happening.place),
          ReportFixture.submitted("docker", `body ${at}`, happening.running.map(rowOf))
        )
      case "Allow":
        return yield* allowLists.put(org.name, EnvironmentName.make(happening.place), {
          fingerprint: fingerprintOf(happening.digest),
          name: "shop",
          reason: "needed"
        })
      case "Disallow":
        return yield* Effect.ignore(
          allowLists.remove(
            org.name,
            EnvironmentName.make(happening.place),
            fingerprintOf(happening.digest)
          )
        )
      case "Scaling":
        return yield* environments.patch(org.name, EnvironmentName.make(happening.place), {
          include_scaling: happening.on
        })
      case "Members":
        return yield* environments.patch(org.name, EnvironmentName.make("both"), {
          included_environments: happening.members
        })
      case "Attach":
        return yield* attachments.attach(org.name, EnvironmentName.make(happening.place), [
          VerdictFixture.POLICY
        ])
      case "Detach":
        return yield* attachments.detach(org.name, EnvironmentName.make(happening.place), [
          VerdictFixture.POLICY
        ])
      case "Build":
        return yield* VerdictFixture.build(org, fingerprintOf(happening.digest))
      case "Attest":
        return yield* VerdictFixture.attest(
          org,
          fingerprintOf(happening.digest),
          happening.isCompliant
        )
    }
  })

/** The expected notifications of an environment's snapshots, read one by one. */
const owedBy = (org: Org, name: EnvironmentName) =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const found: Array<Model.ModelSnapshot> = []
    for (let index = 1; ; index += 1) {
      const read = yield* Effect.option(
        snapshots.get(org.name, name, SnapshotExpression.index(index))
      )
      if (read._tag === "None") break
      const { snapshot, rows } = read.value
      found.push({
        index,
        verdict: snapshot.verdict,
        rows: rows.map((row) => ({ ...row, annotation: row.annotation.type }))
      })
    }
    return Model.fold(found)
      .map(({ trigger, index, row }) => `${name} ${trigger} ${index} ${row}`)
      .sort()
  })

const TRIGGERS: { readonly [event: string]: string } = {
  ARTIFACT_STARTED: "ON_STARTED_ARTIFACT",
  ARTIFACT_EXITED: "ON_EXITED_ARTIFACT",
  ARTIFACT_SCALED: "ON_SCALED_ARTIFACT",
  ENVIRONMENT_NON_COMPLIANT: "ON_NON_COMPLIANT_ENV",
  ENVIRONMENT_COMPLIANT: "ON_COMPLIANT_ENV"
}

const asOwed = ({ notification }: ClaimedDelivery): string => {
  if (!("environment" in notification))
    return assert.fail("only notifications about environments are expected here")
  const { environment, event_type, snapshot } = notification
  const artifact = "artifact" in notification ? notification.artifact : null
  const row = artifact === null ? "" : `${artifact.fingerprint}:${artifact.name}`
  return `${environment} ${TRIGGERS[event_type]} ${snapshot?.index} ${row}`
}

const claimOf = (org: Org) =>
  Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const claimed = yield* outbox.claim({ limit: 10_000, perQueue: 10_000, leaseMillis: 600_000 })
    return claimed.filter(({ org_id }) => org_id === org.id)
  })

const subscribe = (org: Org, environments: ReadonlyArray<EnvironmentName>) =>
  Effect.flatMap(EnvironmentNotifications, (notifications) =>
    notifications.create(org.name, {
      name: "everything",
      environments,
      triggers: Trigger.literals,
      targets: [{ type: "EMAIL", emails: ["ops@example.org"] }]
    })
  )

const prepare = (org: Org) =>
  Effect.gen(function* () {
    const environments = yield* Environments
    for (const name of ["east", "west"]) {
      yield* environments.put(org.name, { name: EnvironmentName.make(name), type: "docker" })
    }
    const both = { name: EnvironmentName.make("both"), type: "logical" } as const
    yield* environments.put(org.name, { ...both, included_environments: ["east"] })
    yield* (yield* Policies).put(org.name, {
      name: VerdictFixture.POLICY,
      description: "",
      comment: "",
      policy_yaml: VerdictFixture.POLICY_TEXT
    })
    yield* (yield* Flows).put(org.name, { name: VerdictFixture.FLOW, description: "" })
  })

const environmentHistories = (it: SuiteIt, histories: number) => {
  it.effect.prop(
    "adds every event of environments, logical ones included, exactly once",
    { steps: FastCheck.array(step, { minLength: 1, maxLength: 12, size: "max" }) },
    ({ steps }) =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        yield* Effect.gen(function* () {
          yield* prepare(org)
          yield* subscribe(org, NAMES)
          const allowed: Array<string> = []
          for (const [at, happening] of steps.entries()) {
            const outcome = yield* happen(org, happening, at)
            if (happening._tag === "Allow" && outcome === "created") allowed.push(happening.place)
          }
          const claimed = yield* claimOf(org)
          const isAllowance = ({ notification }: ClaimedDelivery) =>
            notification.event_type === "ARTIFACT_ALLOWED"
          assert.deepStrictEqual(
            claimed
              .filter(isAllowance)
              .map(({ notification }) => String(Reflect.get(notification, "environment")))
              .sort(),
            [...allowed].sort()
          )
          assert.deepStrictEqual(
            claimed
              .filter((delivery) => !isAllowance(delivery))
              .map(asOwed)
              .sort(),
            (yield* Effect.forEach(NAMES, (name) => owedBy(org, name))).flat().sort()
          )
        }).pipe(
          Effect.provide(services),
          Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
        )
      }),
    { fastCheck: { numRuns: histories }, timeout: 120_000 }
  )

  it.effect("adds a change of verdict by evidence and policies, and nothing for Unknown", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      yield* Effect.gen(function* () {
        yield* prepare(org)
        yield* subscribe(org, [EnvironmentName.make("east"), EnvironmentName.make("both")])
        const report: Step = { _tag: "Report", place: "east", running: [["shop", 0, 1]] }
        const life: ReadonlyArray<Step> = [
          report,
          { _tag: "Attach", place: "east" },
          { _tag: "Build", digest: 0 },
          report,
          { _tag: "Attest", digest: 0, isCompliant: false },
          report,
          { _tag: "Attest", digest: 0, isCompliant: true },
          report,
          { _tag: "Detach", place: "east" },
          { _tag: "Attach", place: "east" }
        ]
        for (const [at, happening] of life.entries()) yield* happen(org, happening, at)
        const verdicts = (yield* claimOf(org))
          .map(asOwed)
          .filter((owed) => owed.includes("_ENV "))
          .sort()
        // The logical environment has one snapshot more than its member.
        const firings = (name: string, first: number) =>
          ["NON_COMPLIANT", "COMPLIANT", "NON_COMPLIANT", "COMPLIANT"].map(
            (verdict, at) => `${name} ON_${verdict}_ENV ${first + at} `
          )
        assert.deepStrictEqual(verdicts, [...firings("both", 3), ...firings("east", 2)].sort())
      }).pipe(
        Effect.provide(services),
        Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
      )
    })
  )

  it.effect("adds nothing for environments without subscriptions, nor for other triggers", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      yield* Effect.gen(function* () {
        yield* prepare(org)
        yield* subscribe(org, [EnvironmentName.make("elsewhere")])
        const report = (running: Extract<Step, { _tag: "Report" }>["running"], at: number) =>
          happen(org, { _tag: "Report", place: "east", running }, at)
        yield* report([["shop", 0, 1]], 1)
        assert.deepStrictEqual(yield* claimOf(org), [])
        yield* (yield* EnvironmentNotifications).create(org.name, {
          name: "exits",
          environments: [EnvironmentName.make("east")],
          triggers: ["ON_EXITED_ARTIFACT"],
          targets: [{ type: "CHAT", webhook: "https://chat.example.org/x" }]
        })
        yield* report([["api", 1, 1]], 2)
        const claimed = yield* claimOf(org)
        assert.deepStrictEqual(claimed.map(asOwed), [
          `east ON_EXITED_ARTIFACT 2 ${fingerprintOf(0)}:shop`
        ])
      }).pipe(
        Effect.provide(services),
        Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
      )
    })
  )
}

/** States that the outbox has the notifications of histories. */
export const notificationHistorySuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions & { readonly histories: number }
): void =>
  suite(`notifications of histories (${name})`, ports, options, (it) =>
    environmentHistories(it, options.histories)
  )
