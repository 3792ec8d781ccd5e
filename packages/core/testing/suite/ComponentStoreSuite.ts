/** The contract of `ComponentStore`, and exposures by component against a scan of all documents that list some. */
import { AttestationStore } from "@attestry/core/AttestationStore"
import type { Component, ComponentId, ComponentListing } from "@attestry/core/Component"
import * as ComponentIndex from "@attestry/core/ComponentIndex"
import { type ComponentQuery, ComponentStore } from "@attestry/core/ComponentStore"
import { ref } from "@attestry/core/Environment"
import type { Exposure } from "@attestry/core/Exposure"
import { Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import type { FlowId, OrgId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import * as Purl from "@attestry/core/Purl"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { Trail } from "@attestry/core/Trail"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Reports from "../EnvironmentReport.js"
import * as Fixture from "../Fixture.js"
import { restlessHistory } from "../Snapshot.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const PAGE = { page: 1, perPage: 10 }
const ALL = { page: 1, perPage: 1_000_000 }
const FILE = Fingerprint.make("f".repeat(64))

const purlOf = (text: string) => Either.getOrThrow(Purl.parse(text))

const component = (purl: string): Component => ({ purl, ...purlOf(purl) })

const PURLS = [
  "pkg:deb/debian/libc6@2.36",
  "pkg:npm/%40acme/lib@1.0.0",
  "pkg:npm/lodash@4.17.20",
  "pkg:npm/lodash@4.17.21",
  "pkg:npm/lodash",
  "pkg:pypi/lodash@4.17.20"
].sort()

const put = (org: OrgId, purls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* ComponentStore
    const ids = yield* store.put(org, [...purls].sort().map(component))
    return new Map([...purls].sort().map((purl, at) => [purl, ids[at] ?? assert.fail(purl)]))
  })

/** The digest of the set of a document: bills of the same components share one. */
const digestOf = ({ kind, purls, sequence }: Listed): string => {
  if (kind === "provenance") return `provenance:${sequence}`
  return purls.length > PURLS.length ? "large" : [...purls].sort().join("\n")
}

/** A document about an artifact, with an attestation of its own. */
const listed = (trail: Trail, bill: Listed, ids: ReadonlyMap<string, ComponentId>) =>
  Effect.gen(function* () {
    const store = yield* ComponentStore
    const digest = digestOf(bill)
    const components = bill.purls.map((purl) => ids.get(purl) ?? assert.fail(purl))
    yield* store.putSet(trail.org_id, { digest, components: [...components].sort((a, b) => a - b) })
    const attestation = yield* Fixture.newAttestation(trail, bill.sequence)
    yield* (yield* AttestationStore).append(attestation)
    const { fingerprint, kind, sequence } = bill
    const listing = { org_id: trail.org_id, kind, attestation_id: attestation.id }
    yield* store.appendListing({ ...listing, set_digest: digest, fingerprint, sequence })
    yield* store.appendListing({ ...listing, set_digest: digest, fingerprint, sequence })
    yield* store.appendListing({ ...listing, set_digest: "absent", fingerprint, sequence })
  })

interface Listed extends Pick<ComponentListing, "kind"> {
  readonly fingerprint: Fingerprint
  readonly purls: ReadonlyArray<string>
  readonly sequence: number
}

const lists = (it: SuiteIt) => {
  it.effect("lists packages, versions, beginnings of names and what an artifact contains", () =>
    Effect.gen(function* () {
      const store = yield* ComponentStore
      const org = yield* Fixture.org
      const trail = yield* Fixture.trail(yield* Fixture.flow(org))
      const ids = yield* put(org.id, PURLS)
      const [a, b, c] = Reports.fingerprints
      const two = ["pkg:npm/lodash@4.17.20", "pkg:npm/lodash@4.17.21"]
      yield* listed(trail, { kind: "sbom", fingerprint: a, purls: two, sequence: 1 }, ids)
      yield* listed(trail, { kind: "provenance", fingerprint: b, purls: two, sequence: 2 }, ids)
      yield* listed(
        trail,
        { kind: "sbom", fingerprint: b, purls: two.slice(0, 1), sequence: 3 },
        ids
      )
      yield* listed(trail, { kind: "sbom", fingerprint: c, purls: [], sequence: 4 }, ids)
      const list = (query: ComponentQuery, page = PAGE) =>
        Effect.map(store.list(org.id, query, page), ({ items, total }) => [
          items.map(({ artifacts, purl, running_in }) => `${purl} ${artifacts} ${running_in}`),
          total
        ])
      const purl = purlOf("pkg:npm/lodash")
      assert.deepStrictEqual(yield* list({ purl }), [
        ["pkg:npm/lodash 0 ", "pkg:npm/lodash@4.17.20 2 ", "pkg:npm/lodash@4.17.21 2 "],
        3
      ])
      const one = purlOf("pkg:npm/lodash@4.17.20")
      assert.deepStrictEqual(yield* list({ purl: one }), [["pkg:npm/lodash@4.17.20 2 "], 1])
      assert.deepStrictEqual(yield* list({ search: "@acm" }), [["pkg:npm/%40acme/lib@1.0.0 0 "], 1])
      assert.deepStrictEqual((yield* list({ search: "lod" }))[1], 4)
      assert.deepStrictEqual((yield* list({ search: "LOD" }))[1], 0)
      assert.deepStrictEqual(yield* list({ fingerprint: a }), [two.map((each) => `${each} 2 `), 2])
      assert.deepStrictEqual(yield* list({ fingerprint: c }), [[], 0])
      assert.deepStrictEqual((yield* list({ fingerprint: a, search: "lod" }))[1], 2)
      assert.deepStrictEqual((yield* list({}, { page: 2, perPage: 4 }))[1], 6)
      assert.deepStrictEqual(yield* list({}, { page: 3, perPage: 4 }), [[], 6])
      const other = yield* Fixture.org
      assert.deepStrictEqual((yield* store.list(other.id, {}, PAGE)).total, 0)
      const contained = yield* store.listContained(org.id, {
        fingerprints: [a, b, c],
        components: [...ids.values()],
        limit: 1
      })
      assert.deepStrictEqual(
        [...contained].sort((left, right) => (left.fingerprint < right.fingerprint ? -1 : 1)),
        [a, b].map((fingerprint) => ({ fingerprint, purls: two.slice(0, 1) }))
      )
    })
  )

  it.effect("lists only what documents of some flows list: AC-8", () =>
    Effect.gen(function* () {
      const store = yield* ComponentStore
      const org = yield* Fixture.org
      const one = yield* Fixture.trail(yield* Fixture.flow(org, "one"))
      const two = yield* Fixture.trail(yield* Fixture.flow(org, "two"))
      const ids = yield* put(org.id, PURLS)
      const [a, b] = Reports.fingerprints
      const lodash = ["pkg:npm/lodash@4.17.20", "pkg:npm/lodash@4.17.21"]
      const last = lodash.slice(1)
      yield* listed(one, { kind: "sbom", fingerprint: a, purls: lodash, sequence: 1 }, ids)
      yield* listed(two, { kind: "sbom", fingerprint: a, purls: last, sequence: 2 }, ids)
      yield* listed(two, { kind: "sbom", fingerprint: b, purls: last, sequence: 3 }, ids)
      const list = (query: ComponentQuery) =>
        Effect.map(store.list(org.id, query, PAGE), ({ items, total }) => [
          items.map(({ artifacts, purl }) => `${purl} ${artifacts}`),
          total
        ])
      const contained = (flows: ReadonlyArray<FlowId>) =>
        Effect.map(
          store.listContained(org.id, {
            fingerprints: [a, b],
            components: [...ids.values()],
            limit: 9,
            flows
          }),
          (found) => found.map(({ fingerprint, purls }) => [fingerprint, purls] as const).sort()
        )
      const ofOne = lodash.map((purl) => `${purl} 1`)
      const ofTwo = last.map((purl) => `${purl} 2`)
      for (const [flows, expected] of [
        [[one.flow_id], ofOne],
        [[two.flow_id], ofTwo],
        [
          [one.flow_id, two.flow_id],
          [...ofOne.slice(0, 1), ...ofTwo]
        ],
        [[], []]
      ] as const)
        assert.deepStrictEqual(yield* list({ flows }), [[...expected], expected.length])
      const about = { fingerprint: a, flows: [two.flow_id] }
      assert.deepStrictEqual(yield* list(about), [[...ofTwo], 1])
      assert.deepStrictEqual(yield* contained([one.flow_id]), [[a, lodash]])
      const ofBoth = [
        [a, last],
        [b, last]
      ] as const
      assert.deepStrictEqual(yield* contained([two.flow_id]), [...ofBoth].sort())
      assert.deepStrictEqual(yield* contained([]), [])
    })
  )

  it.effect("adds what evidence names with a vulnerability once, the first as it was", () =>
    Effect.gen(function* () {
      const store = yield* ComponentStore
      const org = yield* Fixture.org
      const ids = [...(yield* put(org.id, PURLS)).values()].sort((a, b) => a - b)
      const named = ids.slice(0, 2).map((component_id, at) => ({
        org_id: org.id,
        vulnerability: "CVE-2026-1",
        component_id,
        severity: "high" as const,
        digest: FILE,
        sequence: at + 1
      }))
      yield* store.addVulnerable(named)
      yield* store.addVulnerable(named.map((each) => ({ ...each, severity: "low", sequence: 9 })))
      yield* store.addVulnerable([])
      assert.deepStrictEqual(yield* store.listVulnerable(org.id, "CVE-2026-1"), named)
      assert.deepStrictEqual(yield* store.listVulnerable(org.id, "CVE-2026"), [])
      const other = yield* Fixture.org
      assert.deepStrictEqual(yield* store.listVulnerable(other.id, "CVE-2026-1"), [])
    })
  )
}

const documents = FastCheck.array(
  FastCheck.record({
    kind: FastCheck.constantFrom<Listed["kind"]>("sbom", "provenance"),
    artifact: FastCheck.nat(Reports.fingerprints.length - 1),
    purls: FastCheck.subarray(PURLS)
  }),
  { maxLength: 5 }
)

const exposures = (it: SuiteIt, histories: number) => {
  it.effect.prop(
    "agrees on exposure with a scan of every document that lists components (law V-12)",
    {
      all: FastCheck.tuple(restlessHistory(12), restlessHistory(12)),
      documents,
      asked: FastCheck.subarray(PURLS, { minLength: 1 })
    },
    ({ all, asked, documents: given }) =>
      Effect.gen(function* () {
        const store = yield* ReadModels
        const org = yield* Fixture.org
        const trail = yield* Fixture.trail(yield* Fixture.flow(org))
        const snapshots = yield* SnapshotStore
        for (const [at, history] of all.entries()) {
          const environment = ref(yield* Fixture.environment(org, `env-${at}`))
          for (const { draft } of history) yield* snapshots.append(environment, draft)
        }
        const ids = yield* put(org.id, PURLS)
        const [first] = Reports.fingerprints
        const known = given.map(({ artifact, kind, purls }, at) => ({
          kind,
          fingerprint: Reports.fingerprints[artifact] ?? first,
          purls,
          sequence: at + 1
        }))
        for (const each of known) yield* listed(trail, each, ids)
        const isContained = (fingerprint: string) =>
          known.some(
            (each) =>
              each.fingerprint === fingerprint && each.purls.some((purl) => asked.includes(purl))
          )
        const ran = yield* Effect.forEach(Reports.fingerprints, (one) => {
          const subject = { _tag: "Content", prefix: FingerprintPrefix.make(one) } as const
          return Effect.map(store.exposures(org.id, { subject }, ALL), ({ items }) => items)
        })
        const expected = ran.flat().filter(({ fingerprint }) => isContained(fingerprint))
        const components = asked.map((purl) => ids.get(purl) ?? assert.fail(purl))
        const subject = { _tag: "Component", components } as const
        const found = yield* store.exposures(org.id, { subject }, ALL)
        const shown = (list: ReadonlyArray<Exposure>) =>
          list.map(({ environmentId, firstIndex, fingerprint, from, lastIndex, name, to }) =>
            JSON.stringify([environmentId, name, fingerprint, firstIndex, lastIndex, from, to])
          )
        assert.deepStrictEqual(shown(found.items).sort(), shown(expected).sort())
        const windows = Arr.groupBy(
          found.items,
          (each) => `${each.environmentId} ${each.name} ${each.fingerprint}`
        )
        for (const own of Object.values(windows)) {
          const inOrder = [...own].sort((left, right) => left.from - right.from)
          for (const [at, { to }] of inOrder.entries()) {
            const next = inOrder[at + 1]
            assert.isTrue(next === undefined || (to !== null && to <= next.from))
          }
        }
        const prints = new Set(ran.flat().map(({ fingerprint }) => fingerprint))
        const blind = [...prints].filter(
          (print) => !known.some((each) => each.fingerprint === print && each.kind === "sbom")
        )
        assert.strictEqual(yield* store.withoutSbom(org.id, {}), blind.length)
        const none = { running: true, environments: [] }
        assert.strictEqual(yield* store.withoutSbom(org.id, none), 0)
      }),
    { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
  )
}

/** States the contract of `ComponentStore`. */
export const componentStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ComponentStore (${name})`, ports, options, (it) => {
    it.effect("adds components and sets once, in each org", () =>
      Effect.gen(function* () {
        const store = yield* ComponentStore
        const { run } = yield* Transaction
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        const ids = yield* run(org.id, () => put(org.id, PURLS))
        assert.strictEqual(new Set(ids.values()).size, PURLS.length)
        assert.deepStrictEqual(yield* put(org.id, PURLS), ids)
        assert.deepStrictEqual(yield* store.put(org.id, []), [])
        const theirs = yield* put(other.id, PURLS.slice(0, 1))
        assert.isFalse([...ids.values()].includes([...theirs.values()][0] ?? assert.fail()))
        assert.isFalse(yield* store.hasSet(org.id, "d"))
        const set = { digest: "d", components: [...ids.values()].sort((a, b) => a - b) }
        yield* store.putSet(org.id, set)
        yield* store.putSet(org.id, set)
        assert.isTrue(yield* store.hasSet(org.id, "d"))
        assert.isFalse(yield* store.hasSet(other.id, "d"))
        const versions = yield* store.listVersions(org.id, { type: "npm", name: "lodash" })
        assert.deepStrictEqual(
          versions,
          PURLS.filter((purl) => purl.startsWith("pkg:npm/lodash")).map((purl) => ({
            id: ids.get(purl) ?? assert.fail(purl),
            ...component(purl)
          }))
        )
      })
    )

    it.effect("finds each component of a large set", () =>
      Effect.gen(function* () {
        const store = yield* ComponentStore
        const org = yield* Fixture.org
        const trail = yield* Fixture.trail(yield* Fixture.flow(org))
        const purls = Array.from({ length: 11_000 }, (_, at) => `pkg:npm/many@${at}.0.0`).sort()
        const ids = new Map<string, ComponentId>()
        for (let at = 0; at < purls.length; at += ComponentIndex.SLICE_MAX)
          for (const [purl, id] of yield* put(
            org.id,
            purls.slice(at, at + ComponentIndex.SLICE_MAX)
          ))
            ids.set(purl, id)
        const [fingerprint] = Reports.fingerprints
        yield* listed(trail, { kind: "sbom", fingerprint, purls, sequence: 1 }, ids)
        for (const purl of [purls[0], purls.at(-1)]) {
          const query = { purl: purlOf(purl ?? assert.fail()) }
          const { items } = yield* store.list(org.id, query, PAGE)
          assert.deepStrictEqual(
            items.map(({ artifacts }) => artifacts),
            [1]
          )
        }
        assert.strictEqual((yield* store.list(org.id, { fingerprint }, PAGE)).total, purls.length)
      })
    )

    lists(it)
    exposures(it, 8)
  })
