/** The contract of `EvidenceStore`. */
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationName } from "@attestry/core/Attestation"
import { AttestationStore } from "@attestry/core/AttestationStore"
import type { EvidenceRecord, EvidenceSubject } from "@attestry/core/EvidenceRecord"
import { type EvidenceQuery, EvidenceStore } from "@attestry/core/EvidenceStore"
import { UNSIGNED } from "@attestry/core/EvidenceVerification"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const print = (letter: string) => Fingerprint.make(letter.repeat(64))
const [FILE, OTHER] = [print("1"), print("2")]
const PAGE = { page: 1, perPage: 10 }

const common = {
  format: { name: "cyclonedx", version: "1.6" },
  tool: null,
  created_at: 1_790_000_000.5,
  digest: FILE,
  size: 17,
  subjects: [],
  subject_count: 1,
  truncated: []
}

/** A document that is not stored yet. */
export const document = (
  { id }: Org,
  sequence: number,
  fields: Partial<EvidenceRecord> = {}
): EvidenceRecord => ({
  org_id: id,
  digest: FILE,
  position: 1,
  kind: "sbom",
  predicate_type: null,
  state: "unsigned",
  verification: UNSIGNED,
  flows: null,
  facts: {
    kind: "sbom",
    ...common,
    components: { total: 2, with_purl: 1, without_purl: 1 },
    root: { name: "ü\u{1f600}", version: null, purl: null },
    licenses: [],
    purls: [],
    set_sha256: "a".repeat(64)
  },
  subjects: [{ name: null, digest: { sha256: "a".repeat(64), sha512: "d".repeat(128) } }],
  reader: "1",
  size: 17,
  filename: "bom.json",
  accepted_by: "anna",
  accepted_at: Fixture.AT,
  sequence,
  ...fields
})

const VERIFIED = {
  ...UNSIGNED,
  state: "verified",
  rule: "release",
  signer: { kind: "key", key_id: "k" },
  signed_at: 1_790_000_000
} as const

const AFTER_VEX = {
  counts: {
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    negligible: 0,
    unknown: 0,
    total: 0,
    suppressed: 1
  },
  denied_count: 1,
  denied: [
    {
      id: "CVE-1",
      severity: "high",
      purl: "pkg:npm/x@1",
      product: "pkg:npm/x@1",
      status: "fixed",
      digest: OTHER,
      position: 1
    }
  ]
} as const

const subject = (
  { digest, org_id, position }: EvidenceRecord,
  fingerprint: Fingerprint,
  name = "sbom"
): EvidenceSubject => ({
  org_id,
  fingerprint,
  digest,
  position,
  name: AttestationName.make(name),
  type_name: null,
  type_version: null,
  is_compliant: true,
  is_compliant_elsewhere: false,
  after_vex: null
})

const keyOf = ({ digest, position, org_id: org }: EvidenceRecord) => ({ org, digest, position })

const lists = (it: SuiteIt) => {
  it.effect("lists by kind, state, predicate, subject and waiting, newest first", () =>
    Effect.gen(function* () {
      const store = yield* EvidenceStore
      const org = yield* Fixture.org
      const trail = yield* Fixture.trail(yield* Fixture.flow(org))
      yield* (yield* ArtifactStore).append(yield* Fixture.newArtifact(trail, 1))
      const bom = document(org, 11)
      const signed = { state: "verified", verification: VERIFIED, flows: ["build"] } as const
      const built = document(org, 12, { position: 2, predicate_type: "p", ...signed })
      const late = document(org, 13, { digest: OTHER, kind: "scan" })
      for (const each of [bom, built, late]) yield* store.append(each)
      yield* store.addSubjects(org.id, [subject(bom, print("a")), subject(late, print("b"))])
      const attestation = {
        ...(yield* Fixture.newAttestation(trail, 5)),
        fingerprint: print("c")
      }
      yield* (yield* AttestationStore).append(attestation)
      yield* store.appendLink({ ...subjectless(built), attestation_id: attestation.id })
      const list = (query: EvidenceQuery, page = PAGE) =>
        Effect.map(store.list(org.id, query, page), ({ items, total }) => [
          items.map(({ sequence }) => sequence),
          total
        ])
      assert.deepStrictEqual(yield* list({}), [[13, 12, 11], 3])
      assert.deepStrictEqual(yield* list({}, { page: 2, perPage: 2 }), [[11], 3])
      assert.deepStrictEqual(yield* list({}, { page: 3, perPage: 2 }), [[], 3])
      assert.deepStrictEqual(yield* list({ kind: "scan" }), [[13], 1])
      assert.deepStrictEqual(yield* list({ state: "verified" }), [[12], 1])
      assert.deepStrictEqual(yield* list({ predicateType: "p" }), [[12], 1])
      assert.deepStrictEqual(yield* list({ fingerprint: print("a") }), [[11], 1])
      assert.deepStrictEqual(yield* list({ fingerprint: print("c") }), [[12], 1])
      assert.deepStrictEqual(yield* list({ fingerprint: print("d") }), [[], 0])
      assert.deepStrictEqual(yield* list({ isWaiting: true }), [[13], 1])
      assert.deepStrictEqual(yield* list({ isWaiting: false }), [[12, 11], 2])
      // AC-8: only documents with an attestation in one of the flows.
      const other = yield* Fixture.trail(yield* Fixture.flow(org, "other"))
      const flows = [trail.flow_id]
      assert.deepStrictEqual(yield* list({ flows }), [[12], 1])
      assert.deepStrictEqual(yield* list({ flows, fingerprint: print("c") }), [[12], 1])
      assert.deepStrictEqual(yield* list({ flows, isWaiting: true }), [[], 0])
      assert.deepStrictEqual(yield* list({ flows: [other.flow_id] }), [[], 0])
      assert.deepStrictEqual(yield* list({ flows: [] }), [[], 0])
    })
  )
}

const subjectless = ({ digest, org_id, position }: EvidenceRecord) => ({ org_id, digest, position })

const targets = (it: SuiteIt) => {
  it.effect("finds the newest record of a fingerprint in each flow", () =>
    Effect.gen(function* () {
      const store = yield* EvidenceStore
      const artifacts = yield* ArtifactStore
      const org = yield* Fixture.org
      const [shop, pay] = [yield* Fixture.flow(org, "shop"), yield* Fixture.flow(org, "pay")]
      const first = yield* Fixture.trail(shop, "first")
      const second = yield* Fixture.trail(shop, "second")
      const third = yield* Fixture.trail(pay, "third")
      for (const [trail, sequence] of [
        [second, 2],
        [first, 1],
        [third, 3]
      ] as const)
        yield* artifacts.append(yield* Fixture.newArtifact(trail, sequence))
      const found = yield* store.listTargets(org.id, [print("a"), print("b")], { lock: true })
      assert.deepStrictEqual(
        found.map(({ fingerprint, trail_id }) => [fingerprint, trail_id]),
        [second.id, third.id].sort().map((id) => [print("a"), id])
      )
      assert.deepStrictEqual(yield* store.listTargets(org.id, []), [])
      assert.deepStrictEqual(yield* store.listTargets((yield* Fixture.org).id, [print("a")]), [])
    })
  )

  it.effect("holds subjects of a fingerprint, and adds each once", () =>
    Effect.gen(function* () {
      const store = yield* EvidenceStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const bom = document(org, 1)
      yield* store.append(bom)
      const [one, two] = [subject(bom, print("a")), subject(bom, print("a"), "extra")]
      assert.deepStrictEqual(yield* store.addSubjects(org.id, [one]), [one])
      assert.deepStrictEqual(yield* store.addSubjects(org.id, [one, two]), [two])
      const typed = { ...subject(bom, print("b")), type_version: 3, after_vex: AFTER_VEX }
      yield* store.addSubjects(org.id, [typed])
      assert.deepStrictEqual(yield* store.addSubjects(org.id, []), [])
      assert.deepStrictEqual(yield* store.holdSubjects(org.id, print("a")), [two, one])
      assert.deepStrictEqual(yield* store.holdSubjects(org.id, print("b")), [typed])
      assert.deepStrictEqual(yield* store.holdSubjects(other.id, print("a")), [])
    })
  )

  it.effect("holds subjects with the lock of a trail, its own included", () =>
    Effect.gen(function* () {
      const store = yield* EvidenceStore
      const trails = yield* TrailStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const flow = yield* Fixture.flow(org)
      const trail = yield* Fixture.trail(flow)
      const bom = document(org, 1)
      yield* store.append(bom)
      const waiting = subject(bom, print("a"))
      yield* store.addSubjects(org.id, [waiting])
      const held = (fingerprint: Fingerprint, added: ReadonlyArray<EvidenceSubject>) =>
        transaction.run(org.id, () =>
          Effect.gen(function* () {
            const key = { org: org.id, flow: flow.name, name: trail.name, fingerprint }
            assert.isTrue(Option.isSome(yield* trails.lockWithFlow(key)))
            yield* store.addSubjects(org.id, added)
            return yield* store.holdSubjects(org.id, fingerprint)
          })
        )
      assert.deepStrictEqual(yield* held(print("a"), []), [waiting])
      assert.deepStrictEqual(yield* held(print("c"), []), [])
      const late = subject(bom, print("c"))
      assert.deepStrictEqual(yield* held(print("c"), [late]), [late])
    })
  )
}

/** States the contract of `EvidenceStore`. */
export const evidenceStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`EvidenceStore (${name})`, ports, options, (it) => {
    it.effect("keeps the documents of a file, in each org", () =>
      Effect.gen(function* () {
        const store = yield* EvidenceStore
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        const signed = { state: "verified", verification: VERIFIED, flows: ["build"] } as const
        const [one, two] = [document(org, 1), document(org, 2, { position: 2, ...signed })]
        const { run } = yield* Transaction
        yield* run(org.id, () =>
          Effect.zipRight(
            store.lockFile(org.id, FILE),
            Effect.forEach([two, one], (each) => store.append(each))
          )
        )
        assert.deepStrictEqual(yield* store.listByDigest(org.id, FILE), [one, two])
        assert.deepStrictEqual(yield* store.listByDigest(org.id, OTHER), [])
        assert.deepStrictEqual(yield* store.listByDigest(other.id, FILE), [])
        deepStrictEqual(yield* store.find(keyOf(two)), Option.some(two))
        deepStrictEqual(yield* store.find({ ...keyOf(two), position: 3 }), Option.none())
      })
    )

    it.effect("links attestations once, and lists them oldest first", () =>
      Effect.gen(function* () {
        const store = yield* EvidenceStore
        const attestations = yield* AttestationStore
        const org = yield* Fixture.org
        const trail = yield* Fixture.trail(yield* Fixture.flow(org))
        const bom = document(org, 1)
        yield* store.append(bom)
        const made = [
          yield* Fixture.newAttestation(trail, 9),
          yield* Fixture.newAttestation(trail, 4)
        ]
        for (const each of made) yield* attestations.append(each)
        for (const { id } of [...made, ...made])
          yield* store.appendLink({ ...subjectless(bom), attestation_id: id })
        const ids = made.map(({ id }) => id).reverse()
        assert.deepStrictEqual(yield* store.listLinks(keyOf(bom)), ids)
        assert.deepStrictEqual(yield* store.listLinks({ ...keyOf(bom), position: 2 }), [])
      })
    )

    lists(it)
    targets(it)
  })
