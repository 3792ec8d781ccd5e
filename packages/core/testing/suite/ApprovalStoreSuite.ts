/** The contract of `ApprovalStore` and `AttestationStore`. */
import type { Approval } from "@attestry/core/Approval"
import { ApprovalStore } from "@attestry/core/ApprovalStore"
import { AttestationStore } from "@attestry/core/AttestationStore"
import { type AttestationType, AttestationTypeName } from "@attestry/core/AttestationType"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { Flow } from "@attestry/core/Flow"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { json, jsonObject, nonEmptyText, text, timestamp } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const fresh = ({ org_id, id }: Flow) =>
  Effect.map(
    Fixture.freshId,
    (approval): Omit<Approval, "number"> => ({
      org_id,
      flow_id: id,
      id: approval,
      state: "PENDING",
      request: { artifact_fingerprint: Fingerprint.make("a".repeat(64)) },
      created_by: "anna",
      created_at: Fixture.AT
    })
  )

const newFlow = Effect.flatMap(Fixture.org, (org) => Fixture.flow(org))

const content = FastCheck.record({
  description: FastCheck.option(text),
  archived: FastCheck.boolean(),
  created_by: text,
  created_at: timestamp,
  version: FastCheck.record({
    type_schema: json,
    evaluator: FastCheck.oneof(
      FastCheck.constant({ content_type: "default" as const }),
      FastCheck.array(
        nonEmptyText.map((program) => `.${program}`),
        { maxLength: 2 }
      ).map((rules) => ({ content_type: "jq" as const, rules }))
    ),
    summary: FastCheck.constantFrom(null, [], [{ name: "n", expression: ".a" }]),
    version: FastCheck.constant(1),
    timestamp,
    created_by: text
  })
})

/** States the contract of `ApprovalStore` and of `AttestationStore`. */
export const approvalStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ApprovalStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "numbers approvals from 1 in each flow, and lists them newest first",
      { user_data: jsonObject, description: text },
      ({ user_data, description }) =>
        Effect.gen(function* () {
          const store = yield* ApprovalStore
          const flow = yield* newFlow
          const key = { org: flow.org_id, flow: flow.id }
          const draft = yield* fresh(flow)
          const first = yield* store.append({
            ...draft,
            request: { ...draft.request, user_data, description }
          })
          const second = yield* store.append(yield* fresh(flow))
          assert.deepStrictEqual([first.number, second.number], [1, 2])
          deepStrictEqual(yield* store.find({ ...key, number: 1 }), Option.some(first))
          deepStrictEqual(yield* store.find({ ...key, number: 3 }), Option.none())
          deepStrictEqual(yield* store.list(key, { page: 1, perPage: 5 }), [second, first])
          deepStrictEqual(yield* store.list(key, { page: 2, perPage: 1 }), [first])
          assert.strictEqual((yield* store.append(yield* fresh(yield* newFlow))).number, 1)
        }),
      { fastCheck: { numRuns: 10 } }
    )

    it.effect.prop(
      "returns every attestation type unchanged",
      { content },
      ({ content: { version, ...said } }) =>
        Effect.gen(function* () {
          const store = yield* AttestationStore
          const { id: org_id } = yield* Fixture.org
          const type: AttestationType = {
            org_id,
            name: AttestationTypeName.make("cover.age~1"),
            ...said,
            versions: [version],
            last_modified_at: Fixture.AT
          }
          const key = { org: org_id, name: type.name }
          deepStrictEqual(yield* store.findType(key), Option.none())
          assert.strictEqual(yield* store.insertType(type), true)
          assert.strictEqual(yield* store.insertType({ ...type, description: "other" }), false)
          deepStrictEqual(yield* store.findType(key), Option.some(type))
          const next: AttestationType = {
            ...type,
            archived: !type.archived,
            versions: [version, { ...version, version: 2 }]
          }
          yield* store.updateType(next)
          deepStrictEqual(yield* store.findType(key, { lock: true }), Option.some(next))
          deepStrictEqual(yield* store.listTypes(org_id), [next])
          deepStrictEqual(yield* store.listTypes((yield* Fixture.org).id), [])
        }),
      { fastCheck: { numRuns: 25 } }
    )
  })
