/** The scan for decays on every store: notifies each coming decay once, and only one that comes. */
import { CurrentActor } from "@attestry/core/Actor"
import { AllowLists } from "@attestry/core/AllowLists"
import type { ClaimedDelivery, DeliveryOutcome } from "@attestry/core/Delivery"
import { EnvironmentDecayScan } from "@attestry/core/EnvironmentDecayScan"
import type { Trigger } from "@attestry/core/EnvironmentNotification"
import { EnvironmentNotifications } from "@attestry/core/EnvironmentNotifications"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import type { Ports } from "@attestry/core/Ports"
import { Reports } from "@attestry/core/Reports"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as UseCases from "@attestry/core/UseCases"
import { DEFAULTS } from "@attestry/core/WaiverSettings"
import { Waivers } from "@attestry/core/Waivers"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as GeneratedReport from "./EnvironmentReport.js"
import * as Fixture from "./Fixture.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"
import * as VerdictFixture from "./suite/VerdictFixture.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const PROD = EnvironmentName.make("prod")
const ALL = EnvironmentName.make("all")
const AGING = PolicyName.make("aging")

const [FIRST, SECOND] = GeneratedReport.fingerprints

const policyText = (maxAge: string) => `_schema: https://example.org/policy/v2
artifacts:
  attestations:
    - { type: generic, name: scan, max_age: ${maxAge} }
`

const scan = Effect.flatMap(EnvironmentDecayScan, ({ scan: run }) => run)

/** WHY: scans and claims span orgs, and other tests leave environments behind. */
const claimed = (org: Org) =>
  Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const all = yield* outbox.claim({ limit: 10_000, perQueue: 10_000, leaseMillis: 600_000 })
    return all.filter(({ org_id }) => org_id === org.id)
  })

const settle = (deliveries: ReadonlyArray<ClaimedDelivery>, outcome: DeliveryOutcome) =>
  Effect.flatMap(OutboxStore, (outbox) =>
    outbox.settle(deliveries.map(({ org_id, id, token }) => ({ org_id, id, token, outcome })))
  )

/** The decays of deliveries, which are then settled. */
const notified = (org: Org) =>
  Effect.gen(function* () {
    const deliveries = yield* claimed(org)
    yield* settle(deliveries, { _tag: "Delivered" })
    return deliveries.map(({ notification }) =>
      notification.event_type === "ENVIRONMENT_DECAYING"
        ? {
            environment: notification.environment,
            due_at: notification.due_at,
            rows: notification.rows,
            snapshot: notification.snapshot.index
          }
        : notification.event_type
    )
  })

const putPolicy = (org: Org, maxAge: string, name = VerdictFixture.POLICY) =>
  Effect.flatMap(Policies, (policies) =>
    policies.put(org.name, {
      name,
      description: "",
      comment: "",
      policy_yaml: policyText(maxAge)
    })
  )

const report = (
  org: Org,
  body: string,
  ...fingerprints: ReadonlyArray<typeof FIRST | typeof SECOND>
) =>
  Effect.flatMap(Reports, (reports) =>
    reports.accept(
      org.name,
      PROD,
      ReportFixture.submitted(
        "docker",
        body,
        fingerprints.map((fingerprint, at) => ({
          name: `shop-${at}`,
          fingerprint,
          creationTimestamp: [100],
          pods: null,
          container_task_context: null,
          serverless_run_context: null,
          cloudx_app_context: null
        }))
      )
    )
  )

const subscribe = (org: Org, triggers: ReadonlyArray<Trigger> = ["ON_DECAYING_ENV"]) =>
  Effect.flatMap(EnvironmentNotifications, (notifications) =>
    notifications.create(org.name, {
      name: "decays",
      environments: [PROD, ALL],
      triggers,
      targets: [{ type: "EMAIL", emails: ["ops@example.org"] }]
    })
  )

const attestAll = (org: Org, description: string) =>
  Effect.forEach([FIRST, SECOND], (fingerprint) =>
    VerdictFixture.attest(org, fingerprint, true, description)
  )

/** An environment with two artifacts whose scans are new. */
const prepare = (org: Org, maxAge: string) =>
  Effect.gen(function* () {
    yield* (yield* Environments).put(org.name, { name: PROD, type: "docker" })
    yield* (yield* Flows).put(org.name, { name: VerdictFixture.FLOW, description: "" })
    yield* putPolicy(org, maxAge)
    yield* (yield* PolicyAttachments).attach(org.name, PROD, [VerdictFixture.POLICY])
    yield* VerdictFixture.build(org, FIRST)
    yield* VerdictFixture.build(org, SECOND)
    yield* attestAll(org, "first")
    yield* report(org, "first", FIRST, SECOND)
  })

const dueOf = (org: Org, name = PROD) =>
  Effect.gen(function* () {
    const found = yield* (yield* EnvironmentStore).findByName({ org: org.id, name })
    const { due_at } = Option.getOrThrow(found).environment
    return due_at ?? assert.fail("the environment is not due")
  })

const withOrg = <A, E, R>(test: (org: Org) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Fixture.org, (org) =>
    test(org).pipe(
      Effect.provide(services),
      Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
    )
  )

const once = (it: SuiteIt) => {
  it.effect("notifies a decay within a day once, in any number of scans and processes", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* prepare(org, "12h")
        yield* subscribe(org)
        const due_at = yield* dueOf(org)
        yield* Effect.replicateEffect(scan, 6, { concurrency: "unbounded" })
        const [first, ...others] = yield* notified(org)
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual(first, { environment: PROD, due_at, rows: 1, snapshot: 1 })
        yield* Effect.provide(scan, services)
        assert.deepStrictEqual(yield* notified(org), [])
      })
    )
  )

  it.effect("notifies the instant of renewed evidence, and a new one after it", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* prepare(org, "12h")
        yield* subscribe(org)
        const before = yield* dueOf(org)
        yield* attestAll(org, "renewed")
        yield* scan
        const [first] = yield* notified(org)
        assert.strictEqual(yield* dueOf(org), before)
        yield* report(org, "second", FIRST, SECOND)
        const after = yield* dueOf(org)
        assert.notStrictEqual(after, before)
        assert.deepStrictEqual(first, { environment: PROD, due_at: after, rows: 1, snapshot: 1 })
        yield* scan
        assert.deepStrictEqual(yield* notified(org), [])
        yield* attestAll(org, "renewed again")
        yield* report(org, "third", FIRST, SECOND)
        yield* scan
        const again = yield* notified(org)
        assert.lengthOf(again, 1)
        assert.notDeepEqual(again[0], first)
      })
    )
  )
}

const silence = (it: SuiteIt) => {
  it.effect("notifies nothing of later decays, and at once when one comes closer", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* prepare(org, "3d")
        yield* subscribe(org)
        yield* dueOf(org)
        yield* scan
        assert.deepStrictEqual(yield* notified(org), [])
        yield* putPolicy(org, "6h")
        yield* report(org, "second", FIRST, SECOND)
        yield* scan
        assert.lengthOf(yield* notified(org), 1)
      })
    )
  )

  it.effect("notifies nothing without a subscription, and then once for it", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* prepare(org, "12h")
        yield* subscribe(org, ["ON_SILENT_ENV"])
        yield* scan
        assert.deepStrictEqual(yield* notified(org), [])
        yield* subscribe(org)
        yield* scan
        assert.lengthOf(yield* notified(org), 1)
      })
    )
  )

  it.effect(
    "notifies nothing where every row that ages is allowed, nor of non-compliant ones",
    () =>
      withOrg((org) =>
        Effect.gen(function* () {
          yield* prepare(org, "12h")
          yield* subscribe(org)
          for (const fingerprint of [FIRST, SECOND])
            yield* (yield* AllowLists).put(org.name, PROD, {
              fingerprint,
              name: "shop",
              reason: "yes"
            })
          yield* scan
          assert.deepStrictEqual(yield* notified(org), [])
          for (const fingerprint of [FIRST, SECOND])
            yield* (yield* AllowLists).remove(org.name, PROD, fingerprint)
          yield* VerdictFixture.attest(org, SECOND, false)
          yield* report(org, "failing", FIRST, SECOND)
          yield* scan
          assert.deepStrictEqual(yield* notified(org), [])
        })
      )
  )

  it.effect("notifies a logical environment of decays by its own policies", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* prepare(org, "3d")
        yield* putPolicy(org, "12h", AGING)
        yield* (yield* Environments).put(org.name, {
          name: ALL,
          type: "logical",
          included_environments: [PROD]
        })
        yield* subscribe(org)
        yield* scan
        assert.deepStrictEqual(yield* notified(org), [])
        yield* (yield* PolicyAttachments).attach(org.name, ALL, [AGING])
        yield* scan
        const due_at = yield* dueOf(org, ALL)
        const snapshot = 2
        assert.deepStrictEqual(yield* notified(org), [
          { environment: ALL, due_at, rows: 1, snapshot }
        ])
      })
    )
  )
}

const waivers = (it: SuiteIt) => {
  it.effect("notifies the end of a waiver that keeps an environment compliant", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* prepare(org, "3d")
        yield* VerdictFixture.attest(org, SECOND, false)
        yield* report(org, "failing", FIRST, SECOND)
        const owner = yield* Fixture.user
        const membership = { org_id: org.id, user_id: owner.id, role: "member" } as const
        yield* (yield* MembershipStore).insert({ ...membership, created_at: Fixture.AT })
        const waived = yield* Waivers
        yield* waived.putSettings(org.name, { ...DEFAULTS, approvals_required: 0 })
        const now = yield* (yield* Transaction).run(org.id, (scope) => scope.now)
        const expires_at = Timestamp.plusSeconds(now, 6 * 3_600)
        yield* waived.request(org.name, {
          policy_name: VerdictFixture.POLICY,
          rule: null,
          environment: null,
          if: null,
          artifact_fingerprint: null,
          reason: "the scanner is down",
          owner: owner.login,
          ticket_url: null,
          starts_at: null,
          expires_at,
          extends: null
        })
        yield* subscribe(org)
        yield* scan
        yield* scan
        const found = yield* notified(org)
        assert.deepStrictEqual(
          found.map((one) => (typeof one === "string" ? one : [one.due_at, one.rows])),
          [[expires_at, 1]]
        )
      })
    )
  )
}

/** States the contract of the scan for decays. */
export const environmentDecayScanSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`EnvironmentDecayScan (${name})`, ports, options, (it) => {
    once(it)
    silence(it)
    waivers(it)
  })
