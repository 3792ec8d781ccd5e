/** Documents for other policy engines, built through both faces of the client from a real deployment. */
import { AttestationName } from "@attestry/core/Attestation"
import * as EvaluationInput from "@attestry/core/EvaluationInput"
import * as EvaluationInputJsonSchema from "@attestry/core/EvaluationInputJsonSchema"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { CommitSha, FlowName, SlotName, TrailName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { DateTime, Effect, Redacted, Schema } from "effect"
import * as Client from "../../src/Client.js"
import { type AttestryError, attestry } from "../../src/PromiseClient.js"
import * as EvaluationInputs from "../../src/trail/EvaluationInputs.js"
import * as TestDeployment from "../shared/TestDeployment.js"
import { BASE_URL, org } from "../shared/TestDeployment.js"

const flow_name = FlowName.make("shop")
const fingerprint = Fingerprint.make("a".repeat(64))
const git_commit = CommitSha.make("c".repeat(40))

const template_file = `
version: 1
trail:
  attestations: [{ name: review, type: pull_request }]
  artifacts:
    - { name: api, attestations: [{ name: unit, type: generic }] }
    - { name: web }
`

type Fields = EvaluationInput.Fields

/** A deployment with two trails, of which the first has evidence, and what was asked of it. */
const deployment = Effect.gen(function* () {
  const { adminKey, fetch } = yield* TestDeployment.make
  const asked: Array<string> = []
  const counting: typeof globalThis.fetch = (input, init) => {
    const { pathname, search } = new URL(new Request(input, init).url)
    asked.push(pathname + search)
    return fetch(input, init)
  }
  const client = yield* Client.make({ baseUrl: BASE_URL, apiKey: adminKey }).pipe(
    Effect.provide(TestDeployment.layerFetch(counting))
  )
  yield* client.flow.putWithTemplate({ path: { org }, payload: { name: flow_name, template_file } })
  const trails = ["t1", "t2"].map((name) => ({ flow_name, trail_name: TrailName.make(name) }))
  for (const { trail_name } of trails) {
    yield* client.trail.begin({ path: { org, flow_name }, payload: { name: trail_name } })
    yield* client.artifact.report({
      path: { org, flow_name },
      payload: {
        fingerprint,
        filename: "shop-api:1.0",
        build_url: "https://ci.example.org/7",
        commit_url: "https://git.example.org/c",
        git_commit,
        trail_name,
        template_reference_name: SlotName.make("api")
      }
    })
    const path = { org, flow_name, trail_name }
    yield* client.attestation.pull_request({
      path,
      payload: {
        attestation_name: AttestationName.make("review"),
        git_provider: "github",
        pull_requests: [{ url: "https://git.example.org/pr/1", state: "MERGED" }]
      }
    })
    yield* client.attestation.generic({
      path,
      payload: {
        attestation_name: AttestationName.make("unit"),
        artifact_fingerprint: fingerprint,
        is_compliant: true,
        user_data: { coverage: 91 }
      }
    })
  }
  asked.length = 0
  return { client, asked, trails, adminKey, fetch: counting }
})

const entriesOf = (trail: Fields) =>
  (trail as { compliance_status: { attestations_statuses: Record<string, Fields> } })
    .compliance_status.attestations_statuses

const slotsOf = (trail: Fields) =>
  (
    trail as {
      compliance_status: {
        artifacts_statuses: Record<
          string,
          Fields & { attestations_statuses: Record<string, Fields> }
        >
      }
    }
  ).compliance_status.artifacts_statuses

const isInput = Schema.is(EvaluationInput.EvaluationInput)
const validate = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false
}).compile(EvaluationInputJsonSchema.document)

describe("EvaluationInputs", () => {
  it.effect("builds the document of one trail, by name and with details", () =>
    Effect.gen(function* () {
      const { client } = yield* deployment
      const trail_name = TrailName.make("t1")
      const document = yield* EvaluationInputs.one(client, { org, flow_name, trail_name })
      const { trail } = JSON.parse(JSON.stringify(document)) as { trail: Fields }
      assert.isTrue(isInput({ trail }))
      assert.isTrue(validate({ trail }), JSON.stringify(validate.errors))
      const answer = yield* client.trail.get({ path: { org, flow_name, trail_name } })
      assert.strictEqual(trail.created_at, DateTime.toEpochMillis(answer.created_at) / 1000)
      assert.deepStrictEqual(Object.keys(entriesOf(trail)), ["review"])
      assert.deepInclude(entriesOf(trail).review, {
        attestation_name: "review",
        status: "COMPLETE",
        is_compliant: true,
        unexpected: false,
        git_provider: "github",
        pull_requests: [{ url: "https://git.example.org/pr/1", state: "MERGED" }]
      })
      const { api, web } = slotsOf(trail)
      assert.deepInclude(api, {
        artifact_fingerprint: fingerprint,
        name: "shop-api:1.0",
        origin_url: "https://ci.example.org/7"
      })
      assert.deepInclude(api?.attestations_statuses.unit, { user_data: { coverage: 91 } })
      assert.deepInclude(web, { status: "MISSING", name: null })
    })
  )

  it.effect("INPUT-3: asks for each attestation once, over all trails, in the order asked", () =>
    Effect.gen(function* () {
      const { client, asked, trails } = yield* deployment
      const [first, second] = trails
      const again = first === undefined || second === undefined ? [] : [second, first, second]
      const document = yield* EvaluationInputs.many(client, { org, trails: again })
      assert.deepStrictEqual(
        document.trails.map(({ name }) => name),
        ["t2", "t1", "t2"]
      )
      assert.isTrue(validate(JSON.parse(JSON.stringify(document))))
      const details = asked.filter((url) => url.includes("attestation_id="))
      assert.strictEqual(details.length, 4)
      assert.strictEqual(new Set(details).size, 4)
    })
  )

  it.effect("asks only for what the names leave", () =>
    Effect.gen(function* () {
      const { client, asked } = yield* deployment
      const trail_name = TrailName.make("t1")
      const { trail } = yield* EvaluationInputs.one(client, {
        org,
        flow_name,
        trail_name,
        attestations: ["api.unit"]
      })
      assert.deepStrictEqual(EvaluationInput.names(trail), ["api.unit"])
      assert.deepStrictEqual(Object.keys(slotsOf(trail)), ["api", "web"])
      assert.strictEqual(asked.filter((url) => url.includes("attestation_id=")).length, 1)
    })
  )

  it.effect("builds the same document with promises, and rejects as the client does", () =>
    Effect.gen(function* () {
      const { client, trails, adminKey, fetch } = yield* deployment
      const promises = attestry({ baseUrl: BASE_URL, apiKey: Redacted.value(adminKey), fetch })
      const trail_name = TrailName.make("t1")
      assert.deepStrictEqual(
        yield* Effect.promise(() =>
          EvaluationInputs.oneAsync(promises, { org: "acme", flow_name: "shop", trail_name: "t1" })
        ),
        yield* EvaluationInputs.one(client, { org, flow_name, trail_name })
      )
      assert.deepStrictEqual(
        yield* Effect.promise(() =>
          EvaluationInputs.manyAsync(promises, { org: "acme", trails, attestations: ["review"] })
        ),
        yield* EvaluationInputs.many(client, { org, trails, attestations: ["review"] })
      )
      const refused = yield* Effect.promise(() =>
        EvaluationInputs.oneAsync(promises, {
          org: "acme",
          flow_name: "shop",
          trail_name: "nobody"
        }).then(
          () => undefined,
          (error: AttestryError) => error
        )
      )
      assert.deepInclude(refused, { _tag: "NotFound", status: 404 })
    })
  )

  it("refuses what is no such document", () => {
    for (const wrong of [{}, { trail: {} }, { trails: {} }, { trail: {}, trails: [] }, null])
      assert.isFalse(validate(wrong))
    assert.isTrue(validate({ trails: [] }))
  })
})
