/** The input document for other policy engines: semantics 13.1 step by step, and laws INPUT-1 and INPUT-2. */
import * as EvaluationInput from "@attestry/core/EvaluationInput"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { answeredTrail, details } from "../../testing/arbitrary/EvaluationInput.js"

type Fields = EvaluationInput.Fields

const status = (trail: Fields) =>
  trail.compliance_status as {
    readonly attestations_statuses: Record<string, Fields>
    readonly artifacts_statuses: Record<
      string,
      Fields & { attestations_statuses: Record<string, Fields> }
    >
  }

/** Every list of entries of a response, beside the object of the document in its place. */
const levels = (answer: Fields, document: Fields) => {
  const before = answer.compliance_status as {
    readonly attestations_statuses: ReadonlyArray<unknown>
    readonly artifacts_statuses: Record<string, { attestations_statuses: ReadonlyArray<unknown> }>
  }
  const after = status(document)
  return [
    { list: before.attestations_statuses, entries: after.attestations_statuses },
    ...Object.entries(before.artifacts_statuses).map(([slot, artifact]) => ({
      list: artifact.attestations_statuses,
      entries:
        Object.entries(after.artifacts_statuses).find(([name]) => name === slot)?.[1]
          .attestations_statuses ?? {}
    }))
  ]
}

const named = (list: ReadonlyArray<unknown>): ReadonlyArray<Fields> =>
  list.filter(
    (entry): entry is Fields =>
      typeof entry === "object" &&
      entry !== null &&
      Object.hasOwn(entry, "attestation_name") &&
      typeof (entry as Fields).attestation_name === "string"
  )

const trail: Fields = {
  name: "t",
  extra: 1,
  events: [
    {
      type: "artifact_creation_reported",
      artifact_id: "r0",
      artifact_name: "older",
      git_commit_info: null,
      origin_url: null
    },
    {
      type: "artifact_creation_reported",
      artifact_id: "r1",
      artifact_name: "shop:1.0",
      git_commit_info: { sha1: "c" },
      origin_url: "https://ci.example.org/7"
    }
  ],
  compliance_status: {
    status: "INCOMPLETE",
    attestations_statuses: [
      { attestation_name: "review", attestation_id: "a1", unexpected: false, type: "pull_request" },
      { attestation_name: "review", attestation_id: "a2", unexpected: true, type: "generic" },
      { attestation_name: "scan", attestation_id: null, unexpected: false },
      { attestation_id: "nameless" }
    ],
    artifacts_statuses: {
      api: {
        artifact_id: "r1",
        attestations_statuses: [
          {
            attestation_name: "unit.fast",
            attestation_id: "a3",
            unexpected: true,
            is_compliant: true
          }
        ]
      },
      web: { artifact_id: null, attestations_statuses: [] }
    }
  }
}

describe("EvaluationInput.transform", () => {
  const { attestations_statuses, artifacts_statuses } = status(EvaluationInput.transform(trail))

  it("keys entries by name, drops those without one, and keeps the expected one", () => {
    assert.deepStrictEqual(Object.keys(attestations_statuses), ["review", "scan"])
    assert.strictEqual(attestations_statuses.review?.attestation_id, "a1")
    assert.deepStrictEqual(Object.keys(artifacts_statuses.api?.attestations_statuses ?? {}), [
      "unit.fast"
    ])
  })

  it("keeps the expected entry in either order, and the last of unexpected ones", () => {
    const pick = (...entries: ReadonlyArray<readonly [string, boolean]>) =>
      status(
        EvaluationInput.transform({
          compliance_status: {
            attestations_statuses: entries.map(([attestation_id, unexpected]) => ({
              attestation_name: "n",
              attestation_id,
              unexpected
            }))
          }
        })
      ).attestations_statuses.n?.attestation_id
    assert.strictEqual(pick(["expected", false], ["other", true]), "expected")
    assert.strictEqual(pick(["other", true], ["expected", false]), "expected")
    assert.strictEqual(pick(["first", true], ["last", true]), "last")
  })

  it("has the provenance of a slot's artifact", () => {
    assert.deepInclude(artifacts_statuses.api, {
      name: "shop:1.0",
      git_commit_info: { sha1: "c" },
      origin_url: "https://ci.example.org/7"
    })
    assert.deepInclude(artifacts_statuses.web, {
      name: null,
      git_commit_info: null,
      origin_url: null
    })
  })

  it("keeps all other fields", () => {
    const transformed = EvaluationInput.transform(trail)
    assert.deepInclude(transformed, { name: "t", extra: 1, events: trail.events })
    assert.strictEqual((transformed.compliance_status as Fields).status, "INCOMPLETE")
  })

  it.prop(
    "INPUT-1: keeps every entry except clashes, for any response",
    { answer: answeredTrail },
    ({ answer }) => {
      for (const { list, entries } of levels(answer, EvaluationInput.transform(answer))) {
        const expected = named(list)
        assert.deepStrictEqual(
          Object.keys(entries).sort(),
          [...new Set(expected.map((entry) => String(entry.attestation_name)))].sort()
        )
        for (const [name, entry] of Object.entries(entries)) {
          const same = expected.filter(({ attestation_name }) => attestation_name === name)
          assert.include(same, entry)
          if (same.some(({ unexpected }) => unexpected === false))
            assert.strictEqual(entry.unexpected, false)
        }
      }
    }
  )

  it.prop("is idempotent", { answer: answeredTrail }, ({ answer }) => {
    const once = EvaluationInput.transform(answer)
    assert.deepStrictEqual(EvaluationInput.transform(once), once)
  })

  it.prop("is total", { anything: FastCheck.object() }, ({ anything }) => {
    for (const value of [anything, { compliance_status: anything }] as ReadonlyArray<Fields>) {
      const document = EvaluationInput.prepare(value, ["a", "b.c"])
      EvaluationInput.enrich(document, new Map())
      assert.isArray(EvaluationInput.attestationIds([document]))
    }
  })
})

describe("EvaluationInput.filter", () => {
  const transformed = EvaluationInput.transform(trail)
  const names = (...asked: ReadonlyArray<string>) =>
    EvaluationInput.names(EvaluationInput.filter(transformed, asked))

  it("keeps named entries: plain names on the trail, `slot.name` in that slot", () => {
    assert.deepStrictEqual(names("review"), ["review"])
    assert.deepStrictEqual(names("api.unit.fast", "scan"), ["scan", "api.unit.fast"])
    assert.deepStrictEqual(names("api.unit.fast"), ["api.unit.fast"])
    assert.deepStrictEqual(names("web.review", "unit.fast", "api.review"), [])
    assert.deepStrictEqual(names(), [])
  })

  it("keeps slots that are not named, without entries", () => {
    const { artifacts_statuses } = status(EvaluationInput.filter(transformed, ["review"]))
    assert.deepStrictEqual(Object.keys(artifacts_statuses), ["api", "web"])
    assert.deepStrictEqual(artifacts_statuses.api?.attestations_statuses, {})
    assert.strictEqual(artifacts_statuses.api?.artifact_id, "r1")
  })

  it.prop(
    "INPUT-1: of all names it is the identity, and it is idempotent",
    { answer: answeredTrail, mask: FastCheck.infiniteStream(FastCheck.boolean()) },
    ({ answer, mask }) => {
      const document = EvaluationInput.transform(answer)
      const all = EvaluationInput.names(document)
      assert.deepStrictEqual(EvaluationInput.filter(document, all), document)
      const some = all.filter(() => mask.next().value)
      const once = EvaluationInput.filter(document, some)
      assert.deepStrictEqual(EvaluationInput.filter(once, some), once)
      assert.deepStrictEqual(EvaluationInput.names(once), some)
    }
  )
})

describe("EvaluationInput.enrich", () => {
  it("adds details and keeps existing fields", () => {
    const detail = { attestation_id: "x", is_compliant: false, pull_requests: [1], html_url: "u" }
    const { artifacts_statuses } = status(
      EvaluationInput.enrich(EvaluationInput.transform(trail), new Map([["a3", detail]]))
    )
    assert.deepStrictEqual(artifacts_statuses.api?.attestations_statuses["unit.fast"], {
      attestation_name: "unit.fast",
      attestation_id: "a3",
      unexpected: true,
      is_compliant: true,
      pull_requests: [1],
      html_url: "u"
    })
  })

  it.prop(
    "INPUT-2: changes no existing field, and adds all others",
    { answer: answeredTrail, details },
    ({ answer, details }) => {
      const before = EvaluationInput.transform(answer)
      const after = EvaluationInput.enrich(before, details)
      assert.deepStrictEqual(EvaluationInput.names(after), EvaluationInput.names(before))
      const pairs = [
        [status(before).attestations_statuses, status(after).attestations_statuses],
        ...Object.entries(status(before).artifacts_statuses).map(([slot, artifact]) => [
          artifact.attestations_statuses,
          Object.entries(status(after).artifacts_statuses).find(([name]) => name === slot)?.[1]
            .attestations_statuses
        ])
      ]
      for (const [old, next] of pairs)
        for (const [name, entry] of Object.entries(old ?? {})) {
          const found = Object.entries(next ?? {}).find(([key]) => key === name)?.[1] ?? {}
          const own = Object.entries(entry)
          const detail = Object.entries(details.get(String(entry.attestation_id)) ?? {})
          const added = detail.filter(([field]) => !own.some(([known]) => known === field))
          assert.deepStrictEqual(Object.entries(found), [...own, ...added])
        }
    }
  )

  it.prop(
    "INPUT-3: names each attestation once, over all trails",
    { answers: FastCheck.array(answeredTrail, { maxLength: 4 }) },
    ({ answers }) => {
      const documents = answers.map((answer) => EvaluationInput.transform(answer))
      const ids = EvaluationInput.attestationIds(documents)
      assert.strictEqual(new Set(ids).size, ids.length)
      const text = JSON.stringify(documents)
      for (const id of ids) assert.include(text, `"attestation_id":"${id}"`)
    }
  )
})
