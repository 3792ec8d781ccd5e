/** The contract of `VexStore`. */
import type { EvidenceRecord } from "@attestry/core/EvidenceRecord"
import { EvidenceStore } from "@attestry/core/EvidenceStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowName } from "@attestry/core/Identifier"
import type { KeptStatement } from "@attestry/core/KeptStatement"
import type { Ports } from "@attestry/core/Ports"
import { type VexQuestions, VexStore } from "@attestry/core/VexStore"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import * as Model from "../internal/model/VexModel.js"
import { type SuiteOptions, suite } from "../Suite.js"
import { document } from "./EvidenceStoreSuite.js"

const [X, Y] = ["pkg:npm/x@1", "pkg:npm/y@1"]
const IMAGE = "ab".repeat(32)
const SHOP = FlowName.make("shop")

const digestOf = (sequence: number) => Fingerprint.make(sequence.toString(16).padStart(64, "0"))

const statement = (
  { digest, org_id, position, sequence }: EvidenceRecord,
  fields: Partial<KeptStatement> = {}
): KeptStatement => ({
  org_id,
  digest,
  position,
  ordinal: 1,
  vulnerability: "CVE-1",
  product: X,
  component: null,
  status: "fixed",
  justification: null,
  at: 1_790_000_000.5,
  trusted: true,
  flows: null,
  sequence,
  ...fields
})

const ASKED: VexQuestions = {
  vulnerabilities: ["CVE-1"],
  products: [X],
  components: [X],
  flow: null
}

/** An org with documents of these places in the journal. */
const world = Effect.fnUntraced(function* (size: number) {
  const org = yield* Fixture.org
  const documents = Array.from({ length: size }, (_, index) =>
    document(org, index + 1, { digest: digestOf(index + 1) })
  )
  const evidence = yield* EvidenceStore
  for (const each of documents) yield* evidence.append(each)
  return { org, documents, store: yield* VexStore }
})

const written = FastCheck.record({
  vulnerability: FastCheck.constantFrom("CVE-1", "CVE-2"),
  product: FastCheck.constantFrom(X, IMAGE),
  component: FastCheck.constantFrom(null, X, Y),
  status: FastCheck.constantFrom<KeptStatement["status"]>(
    "fixed",
    "affected",
    "not_affected",
    "under_investigation"
  ),
  justification: FastCheck.constantFrom(null, "not there"),
  at: FastCheck.constantFrom(null, 1, 2, 2.5),
  trusted: FastCheck.boolean()
})

/** Lists of statements, each of a document of its own. */
const LISTS = FastCheck.sample(FastCheck.array(written, { maxLength: 14 }), {
  numRuns: 12,
  seed: 13
})

const ALL: VexQuestions = {
  vulnerabilities: ["CVE-1", "CVE-2"],
  products: [X, IMAGE],
  components: [X, Y],
  flow: null
}

/** States the contract of `VexStore`. */
export const vexStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`VexStore (${name})`, ports, options, (it) => {
    it.effect("finds the trusted statements about what is asked, of the org and the flow", () =>
      Effect.gen(function* () {
        const { documents, org, store } = yield* world(1)
        const [one] = documents
        assert.isDefined(one)
        const about = (ordinal: number, fields: Partial<KeptStatement>) =>
          statement(one, { ordinal, justification: "ü\u{1f600}", ...fields })
        const whole = about(1, {})
        const part = about(2, { component: X, flows: ["shop", "pay"] })
        const others = [
          about(3, { vulnerability: "CVE-2" }),
          about(4, { product: IMAGE }),
          about(5, { component: Y }),
          about(6, { trusted: false, at: 1_800_000_000 })
        ]
        yield* store.append(org.id, [whole, part, ...others])
        yield* store.append(org.id, [])
        const asked = (questions: Partial<VexQuestions>, of = org) =>
          Effect.map(store.listDeciding(of.id, { ...ASKED, ...questions }), (found) =>
            [...found].sort((left, right) => left.ordinal - right.ordinal)
          )
        assert.deepStrictEqual(yield* asked({}), [whole])
        assert.deepStrictEqual(yield* asked({ flow: SHOP }), [whole, part])
        assert.deepStrictEqual(yield* asked({ flow: FlowName.make("sho") }), [whole])
        assert.deepStrictEqual(yield* asked({ flow: SHOP, components: [] }), [whole])
        assert.deepStrictEqual(yield* asked({ products: [] }), [])
        assert.deepStrictEqual(yield* asked({ vulnerabilities: [] }), [])
        assert.deepStrictEqual(yield* asked({}, yield* Fixture.org), [])
      })
    )

    it.effect("prefers, in one document and at one time, what takes nothing away", () =>
      Effect.gen(function* () {
        const { documents, org, store } = yield* world(1)
        const [one] = documents
        assert.isDefined(one)
        const open = statement(one, { ordinal: 2, status: "not_affected" })
        yield* store.append(org.id, [statement(one), open])
        assert.deepStrictEqual(yield* store.listDeciding(org.id, ASKED), [open])
      })
    )

    // V-13
    it.effect("finds what decides as the model does, whatever the order of arrival", () =>
      Effect.forEach(
        LISTS,
        (list) =>
          Effect.gen(function* () {
            const { documents, org, store } = yield* world(list.length)
            const kept = list.flatMap((fields, index) => {
              const of = documents[index]
              return of === undefined ? [] : [statement(of, fields)]
            })
            yield* store.append(org.id, [...kept].reverse())
            const found = yield* store.listDeciding(org.id, ALL)
            const accepted = kept.map(({ component, trusted, ...each }) => ({
              ...each,
              state: trusted ? ("verified" as const) : ("unsigned" as const),
              product: `${each.product} ${component}`
            }))
            for (const vulnerability of ALL.vulnerabilities)
              for (const product of ALL.products)
                for (const component of [null, ...ALL.components]) {
                  const place = { vulnerability, product: `${product} ${component}`, component }
                  assert.strictEqual(
                    found.find(
                      (each) =>
                        each.vulnerability === vulnerability &&
                        each.product === product &&
                        each.component === component
                    )?.status,
                    Model.statusOf(accepted, place)
                  )
                }
          }),
        { discard: true }
      )
    )
  })
