/** Waivers through the use cases, on any store: who decides, races, their effect on verdicts, ends and debt. */
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName, type Login, PolicyName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { Ports } from "@attestry/core/Ports"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Reports } from "@attestry/core/Reports"
import type { Role } from "@attestry/core/Role"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { Snapshots } from "@attestry/core/Snapshots"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as UseCases from "@attestry/core/UseCases"
import * as WaiverEnds from "@attestry/core/WaiverEnds"
import type { WaiverRequest } from "@attestry/core/WaiverRequest"
import { DEFAULTS, type WaiverSettings } from "@attestry/core/WaiverSettings"
import { Waivers } from "@attestry/core/Waivers"
import { WaiverViews } from "@attestry/core/WaiverViews"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { TimeTravel } from "./DueSuite.js"
import * as Fixture from "./Fixture.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const DAY = 86_400
const prod = EnvironmentName.make("prod")
const dev = EnvironmentName.make("dev")
const rules = PolicyName.make("rules")

const YAML = `_schema: https://example.org/policy/v1
artifacts:
  provenance: {required: true}
  attestations: [{type: snyk, name: scan}]
`

/** An org with members, a policy on two environments, and an artifact that fails it in both. */
interface World {
  readonly org: Org
  readonly anna: Actor
  readonly tom: Actor
  readonly zoe: Actor
  readonly login: Login
}

const member = (org: Org, role: Role) =>
  Effect.gen(function* () {
    const members = yield* MembershipStore
    const user = yield* Fixture.user
    yield* members.insert({ org_id: org.id, user_id: user.id, role, created_at: Fixture.AT })
    const actor: Actor = { ...Fixture.actor([org, role]), id: user.id, name: user.login }
    return { actor, login: user.login }
  })

const as = (actor: Actor) => Effect.provideService(CurrentActor, actor)

const world = (settings: Partial<WaiverSettings> = {}) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const anna = yield* member(org, "admin")
    const tom = yield* member(org, "admin")
    const zoe = yield* member(org, "member")
    yield* Effect.gen(function* () {
      yield* (yield* Policies).put(org.name, {
        name: rules,
        description: "",
        comment: "",
        policy_yaml: YAML
      })
      for (const name of [prod, dev]) {
        yield* (yield* Environments).put(org.name, { name, type: "server" })
        yield* (yield* PolicyAttachments).attach(org.name, name, [rules])
        yield* (yield* Reports).accept(
          org.name,
          name,
          ReportFixture.submitted("server", "body", [
            { name: "shop", fingerprint: "a".repeat(64) },
            { name: "cart", fingerprint: "b".repeat(64) }
          ])
        )
      }
      yield* (yield* Waivers).putSettings(org.name, { ...DEFAULTS, ...settings })
    }).pipe(as(anna.actor))
    return {
      org,
      anna: anna.actor,
      tom: tom.actor,
      zoe: zoe.actor,
      login: anna.login
    } satisfies World
  })

const nowOf = ({ org }: World) =>
  Effect.flatMap(Transaction, ({ run }) => run(org.id, (scope) => scope.now))

const request = (of: World, fields: Partial<WaiverRequest> = {}, days = 3) =>
  Effect.gen(function* () {
    const now = yield* nowOf(of)
    return yield* (yield* Waivers).request(of.org.name, {
      policy_name: rules,
      rule: null,
      environment: null,
      if: null,
      artifact_fingerprint: null,
      reason: "the scanner is down",
      owner: of.login,
      ticket_url: null,
      starts_at: null,
      expires_at: Timestamp.plusSeconds(now, days * DAY),
      extends: null,
      ...fields
    })
  })

const latest = ({ anna, org }: World, name: EnvironmentName) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.get(org.name, name, SnapshotExpression.now)
  ).pipe(as(anna))

const verdict = (of: World, name: EnvironmentName) =>
  Effect.map(latest(of, name), ({ snapshot }) => snapshot.verdict)

const kindsOf = ({ org }: World, number: number) =>
  Effect.flatMap(JournalStore, (journal) =>
    Effect.map(journal.listBySubject(org.id, { type: "waiver", id: String(number) }), (entries) =>
      entries.map(({ kind }) => kind)
    )
  )

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.either(effect), (result) => (Either.isLeft(result) ? result.left._tag : "done"))

const decisions = (it: SuiteIt) => {
  it.effect("W-5: racing approvals activate once", () =>
    Effect.gen(function* () {
      const of = yield* world({ approvals_required: 2 })
      const others = yield* Effect.forEach([1, 2, 3], () => member(of.org, "admin"))
      const waivers = yield* Waivers
      const { waiver } = yield* request(of).pipe(as(of.zoe))
      const path = { org: of.org.name, number: waiver.number }
      const approvers = [of.anna, of.tom, ...others.map(({ actor }) => actor)]
      const results = yield* Effect.forEach(
        approvers,
        (actor) => tagOf(waivers.approve(path, "").pipe(as(actor))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter((result) => result === "done").length, 2)
      assert.strictEqual(results.filter((result) => result === "WaiverDecided").length, 3)
      assert.deepStrictEqual(yield* kindsOf(of, waiver.number), [
        "waiver_requested",
        "waiver_approved",
        "waiver_approved",
        "waiver_activated"
      ])
      const view = yield* (yield* WaiverViews).get(path).pipe(as(of.anna))
      assert.strictEqual(view.state, "active")
      assert.strictEqual(view.waiver.approvals.length, 2)
    }).pipe(Effect.provide(services))
  )

  it.effect("W-6: a user approves once, and not their own request", () =>
    Effect.gen(function* () {
      const of = yield* world({ approvals_required: 2 })
      const waivers = yield* Waivers
      const { waiver } = yield* request(of).pipe(as(of.anna))
      const path = { org: of.org.name, number: waiver.number }
      const approve = (actor: Actor) => tagOf(waivers.approve(path, "fine").pipe(as(actor)))
      assert.strictEqual(yield* approve(of.anna), "WaiverForbidden")
      assert.strictEqual(yield* approve(of.zoe), "WaiverForbidden")
      assert.strictEqual(yield* approve({ ...of.tom, kind: "service-account" }), "WaiverForbidden")
      const twice = yield* Effect.forEach([1, 2, 3], () => approve(of.tom), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...twice].sort(), [
        "WaiverApprovedBefore",
        "WaiverApprovedBefore",
        "done"
      ])
      assert.strictEqual(yield* verdict(of, prod), "NonCompliant")
      const { actor } = yield* member(of.org, "admin")
      assert.strictEqual(yield* approve(actor), "done")
      assert.strictEqual(yield* approve(actor), "WaiverDecided")
      assert.strictEqual(yield* verdict(of, prod), "Compliant")
    }).pipe(Effect.provide(services))
  )

  it.effect("settings bind later requests: own approval, roles, and none at all", () =>
    Effect.gen(function* () {
      const of = yield* world()
      const waivers = yield* Waivers
      const early = yield* request(of).pipe(as(of.zoe))
      yield* waivers
        .putSettings(of.org.name, { ...DEFAULTS, self_approval: true, approver_role: "member" })
        .pipe(as(of.anna))
      const late = yield* request(of, { owner: null }).pipe(as(of.zoe))
      assert.strictEqual(late.waiver.owner_id, of.zoe.id)
      const approve = (number: number) =>
        tagOf(waivers.approve({ org: of.org.name, number }, "").pipe(as(of.zoe)))
      assert.strictEqual(yield* approve(early.waiver.number), "WaiverForbidden")
      assert.strictEqual(yield* approve(late.waiver.number), "done")
      yield* waivers
        .putSettings(of.org.name, { ...DEFAULTS, approvals_required: 0, max_days: 2 })
        .pipe(as(of.anna))
      assert.strictEqual(yield* tagOf(request(of).pipe(as(of.zoe))), "InvalidWaiver")
      const free = yield* request(of, {}, 1).pipe(as(of.zoe))
      assert.strictEqual(free.state, "active")
      assert.strictEqual(
        yield* tagOf(waivers.putSettings(of.org.name, DEFAULTS).pipe(as(of.zoe))),
        "AccessDenied"
      )
    }).pipe(Effect.provide(services))
  )

  it.effect("rejections and revocations end a waiver, each by those who may", () =>
    Effect.gen(function* () {
      const of = yield* world()
      const waivers = yield* Waivers
      const { waiver } = yield* request(of).pipe(as(of.zoe))
      const path = { org: of.org.name, number: waiver.number }
      yield* waivers.reject(path, "no").pipe(as(of.tom))
      assert.strictEqual(
        yield* tagOf(waivers.revoke(path, "why").pipe(as(of.zoe))),
        "WaiverDecided"
      )
      const next = yield* request(of, { extends: waiver.number }).pipe(as(of.tom))
      const other = { org: of.org.name, number: next.waiver.number }
      assert.strictEqual(
        yield* tagOf(waivers.revoke(other, "why").pipe(as(of.zoe))),
        "WaiverForbidden"
      )
      yield* waivers.revoke(other, "not needed").pipe(as(of.anna))
      assert.strictEqual(
        yield* tagOf(waivers.approve(other, "").pipe(as(of.anna))),
        "WaiverDecided"
      )
      assert.deepStrictEqual(yield* kindsOf(of, other.number), [
        "waiver_requested",
        "waiver_revoked"
      ])
    }).pipe(Effect.provide(services))
  )
}

const effects = (it: SuiteIt) => {
  it.effect("W-8: an active waiver turns rows of its environment and artifact alone", () =>
    Effect.gen(function* () {
      const of = yield* world({ approvals_required: 0 })
      const rowsOf = (name: EnvironmentName) =>
        Effect.map(latest(of, name), ({ rows }) =>
          Object.fromEntries(
            rows
              .filter(({ annotation }) => annotation.type !== "exited")
              .map((row) => [row.name, row.verdict])
          )
        )
      const { waiver } = yield* request(of, {
        environment: prod,
        if: PolicyExpression.wrap('artifact.name == "shop"')
      }).pipe(as(of.zoe))
      assert.deepStrictEqual(yield* rowsOf(prod), { shop: "Compliant", cart: "NonCompliant" })
      assert.deepStrictEqual(yield* rowsOf(dev), { shop: "NonCompliant", cart: "NonCompliant" })
      const path = { org: of.org.name, number: waiver.number }
      const view = yield* (yield* WaiverViews).get(path).pipe(as(of.zoe))
      assert.deepStrictEqual(view.in_use, [{ environment: prod, rows: 1 }])
      yield* (yield* Waivers).revoke(path, "fixed").pipe(as(of.zoe))
      assert.deepStrictEqual(yield* rowsOf(prod), { shop: "NonCompliant", cart: "NonCompliant" })
      const debt = yield* (yield* WaiverViews).debt(of.org.name).pipe(as(of.zoe))
      assert.strictEqual(debt.rows_waived, 0)
      assert.isAbove(debt.waived_row_hours_30d, -1)
    }).pipe(Effect.provide(services))
  )

  it.effect("names a rule, and leaves the others as they are", () =>
    Effect.gen(function* () {
      const of = yield* world({ approvals_required: 0 })
      yield* request(of, {
        rule: { type: "attestation", attestation_type: "snyk", attestation_name: "scan" }
      }).pipe(as(of.zoe))
      const { rows } = yield* latest(of, prod)
      for (const row of rows)
        assert.deepStrictEqual(
          row.reasons.map(({ type }) => type),
          ["missing_provenance"]
        )
      assert.strictEqual(
        yield* tagOf(
          request(of, { rule: { type: "attestation", attestation_type: "junit" } }).pipe(as(of.zoe))
        ),
        "InvalidWaiver"
      )
    }).pipe(Effect.provide(services))
  )

  it.effect("counts debt, and records the ends of waivers once", () =>
    Effect.gen(function* () {
      const of = yield* world({ approvals_required: 0 })
      const waivers = yield* Waivers
      yield* request(of, {}, 3).pipe(as(of.zoe))
      yield* waivers.putSettings(of.org.name, DEFAULTS).pipe(as(of.anna))
      yield* request(of).pipe(as(of.zoe))
      const debt = yield* (yield* WaiverViews).debt(of.org.name).pipe(as(of.zoe))
      assert.deepInclude(debt, {
        active: 1,
        requested: 1,
        expiring_7d: 1,
        rows_waived: 4,
        orphans: 0,
        extended_3_times: 0
      })
      assert.strictEqual(debt.trend.length, 30)
      assert.deepInclude(debt.trend.at(-1), { active: 1, rows_waived: 4 })
      assert.deepInclude(debt.trend[0], { active: 0, rows_waived: 0 })
      const later = Timestamp.plusSeconds(yield* nowOf(of), 30 * DAY)
      assert.strictEqual(yield* waivers.settle(of.org.id, yield* nowOf(of)), 0)
      const settled = yield* Effect.forEach([1, 2, 3], () => waivers.settle(of.org.id, later), {
        concurrency: "unbounded"
      })
      assert.strictEqual(
        settled.reduce((sum, count) => sum + count, 0),
        2
      )
      yield* WaiverEnds.settleAll
      assert.deepStrictEqual((yield* kindsOf(of, 1)).at(-1), "waiver_expired")
      assert.deepStrictEqual((yield* kindsOf(of, 2)).at(-1), "waiver_lapsed")
    }).pipe(Effect.provide(services))
  )
}

const ends = (it: SuiteIt, { wait }: TimeTravel) =>
  it.effect("W-2: start and end turn the verdict at their instants", () =>
    Effect.gen(function* () {
      const of = yield* world({ approvals_required: 0 })
      const start = Timestamp.plusSeconds(yield* nowOf(of), DAY)
      const { state, waiver } = yield* request(of, { starts_at: start }, 2).pipe(as(of.zoe))
      assert.strictEqual(state, "scheduled")
      const path = { org: of.org.name, number: waiver.number }
      const turned = (verdictThen: string, at: "starts_at" | "expires_at") =>
        Effect.gen(function* () {
          const view = yield* (yield* WaiverViews).get(path).pipe(as(of.zoe))
          const { snapshot } = yield* latest(of, prod)
          assert.strictEqual(snapshot.verdict, verdictThen)
          assert.strictEqual(snapshot.timestamp, view.waiver[at])
          return view.state
        })
      assert.strictEqual(yield* verdict(of, prod), "NonCompliant")
      yield* wait(25 * 60)
      assert.strictEqual(yield* turned("Compliant", "starts_at"), "active")
      yield* wait(24 * 60)
      assert.strictEqual(yield* turned("NonCompliant", "expires_at"), "expired")
    }).pipe(Effect.provide(services))
  )

/** Runs the suite on one store. */
export const waiversSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { travel, ...options }: SuiteOptions & { readonly travel: TimeTravel }
): void =>
  suite(`Waivers (${name})`, ports, options, (it) => {
    decisions(it)
    effects(it)
    ends(it, travel)
    it.effect("are records that follow from the journal", () =>
      Effect.gen(function* () {
        const of = yield* world()
        const waivers = yield* Waivers
        const { waiver } = yield* request(of, { artifact_fingerprint: null }).pipe(as(of.zoe))
        const path = { org: of.org.name, number: waiver.number }
        yield* waivers.approve(path, "until Friday").pipe(as(of.anna))
        const findings = yield* (yield* RecordVerification).verify(of.org.id, 3)
        // WHY only these: the org and its members are stored without entries.
        assert.deepStrictEqual(
          findings.filter((found) => "table" in found && found.table.startsWith("waiver")),
          []
        )
      }).pipe(Effect.provide(services))
    )
  })
