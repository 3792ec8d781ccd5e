/**
 * Facts over few names, tags, types and controls, so that they often match the rules of
 * `testing/PolicyDocument`: no provenance, several flows, the same name at both levels, old and new.
 */
import type { AttestationFact, Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as FastCheck from "effect/FastCheck"
import {
  ARTIFACT_NAMES,
  FINGERPRINTS,
  FLOW_NAMES,
  TAG_KEYS,
  TAG_VALUES
} from "./arbitrary/PolicyExpression.js"

/** The words of facts. */
export interface Vocabulary {
  readonly artifactNames: ReadonlyArray<string>
  readonly fingerprints: ReadonlyArray<string>
  readonly flowNames: ReadonlyArray<string>
  readonly tagKeys: ReadonlyArray<string>
  readonly tagValues: ReadonlyArray<string>
  readonly attestationNames: ReadonlyArray<string>
  readonly attestationTypes: ReadonlyArray<string>
  readonly controls: ReadonlyArray<string>
}

/** The vocabulary that documents of `testing/PolicyDocument` share. */
export const VOCABULARY: Vocabulary = {
  artifactNames: ARTIFACT_NAMES,
  fingerprints: FINGERPRINTS,
  flowNames: FLOW_NAMES,
  tagKeys: TAG_KEYS.filter((key) => key !== "missing"),
  tagValues: TAG_VALUES,
  attestationNames: ["unit", "scan", "pr"],
  attestationTypes: ["junit", "pull_request", "decision", "custom:scan"],
  controls: ["CTL-1", "CTL-2"]
}

const attestation = (words: Vocabulary): FastCheck.Arbitrary<AttestationFact> =>
  FastCheck.record({
    sequence: FastCheck.nat(999),
    name: FastCheck.constantFrom(...words.attestationNames),
    type: FastCheck.constantFrom(...words.attestationTypes),
    is_compliant: FastCheck.boolean(),
    level: FastCheck.constantFrom("artifact" as const, "trail" as const),
    control: FastCheck.constantFrom(...words.controls)
  }).map((fact) => ({ ...fact, control: fact.type === "decision" ? fact.control : null }))

const tags = (words: Vocabulary): FastCheck.Arbitrary<FlowView["tags"]> =>
  FastCheck.array(
    FastCheck.tuple(
      FastCheck.constantFrom(...words.tagKeys),
      FastCheck.constantFrom(...words.tagValues)
    ),
    { maxLength: 4 }
  ).map((entries) => Object.fromEntries(entries))

const flowView = (words: Vocabulary): FastCheck.Arbitrary<FlowView> =>
  FastCheck.record({
    flow_name: FastCheck.constantFrom(...words.flowNames),
    tags: tags(words),
    trail_name: FastCheck.constantFrom("t1", "t2"),
    artifact_status: FastCheck.constantFrom(
      "COMPLIANT" as const,
      "COMPLIANT" as const,
      "NON-COMPLIANT" as const,
      "INCOMPLETE" as const
    ),
    attestations: FastCheck.array(attestation(words), { maxLength: 5 })
  })

/** Makes every sequence number of the facts distinct, in the generated order. */
const renumber = (flows: ReadonlyArray<FlowView>): ReadonlyArray<FlowView> => {
  let count = 0
  return flows.map((flow) => ({
    ...flow,
    attestations: flow.attestations.map((fact) => ({
      ...fact,
      sequence: fact.sequence * 1000 + count++
    }))
  }))
}

/** Facts from the words of a vocabulary; each flow knows the artifact at most once. */
export const factsOf = (words: Vocabulary): FastCheck.Arbitrary<Facts> =>
  FastCheck.record({
    artifact: FastCheck.record({
      name: FastCheck.constantFrom(...words.artifactNames),
      fingerprint: FastCheck.constantFrom(...words.fingerprints)
    }),
    flows: FastCheck.uniqueArray(flowView(words), {
      maxLength: 3,
      selector: ({ flow_name }) => flow_name
    }).map(renumber)
  })

/** The instant, in epoch seconds, at which the first of `agedFacts` was reported. */
export const FIRST_REPORTED = 1_790_000_000

const reportedAt = FastCheck.option(
  FastCheck.integer({ min: 0, max: 10 }).map((half) => FIRST_REPORTED + half * 43_200),
  { freq: 8, nil: undefined }
).map((at) => (at === undefined ? {} : { reported_at: at }))

/** Facts that were reported in the course of five days; some lack the instant. */
export const agedFacts: FastCheck.Arbitrary<Facts> = FastCheck.tuple(
  factsOf(VOCABULARY),
  FastCheck.infiniteStream(reportedAt)
).map(([drawn, times]) => {
  const next = () => times.next().value
  return {
    ...drawn,
    flows: drawn.flows.map((flow) => ({
      ...flow,
      ...next(),
      attestations: flow.attestations.map((fact) => ({ ...fact, ...next() }))
    }))
  }
})

const asked: FastCheck.Arbitrary<Pick<AttestationFact, "verification" | "facts">> =
  FastCheck.record(
    {
      verification: FastCheck.constantFrom(
        "verified",
        "verified",
        "untrusted",
        "unsigned",
        "failed"
      ),
      facts: FastCheck.record(
        {
          level: FastCheck.constantFrom<unknown>(0, 1, 2, 3, 1e21, "2", null),
          builder: FastCheck.constantFrom<unknown>("https://ci.example/one", "other", 3, null),
          is_agent: FastCheck.constantFrom<unknown>(true, false, "true"),
          source: FastCheck.constantFrom<unknown>({ uri: "git+https://one" }, {}, "text", null),
          licenses: FastCheck.constantFrom<unknown>([], ["MIT"], ["GPL-3.0", 2], "MIT"),
          purls: FastCheck.constantFrom<unknown>(
            [],
            ["pkg:npm/a@1", 2],
            ["pkg:npm/b", "pkg:npm/a@2"],
            ["pkg:npm/ab@1", "pkg:npm/b@3"],
            "pkg:npm/a@1"
          ),
          truncated: FastCheck.constantFrom<unknown>([], ["licenses"], ["purls"])
        },
        { requiredKeys: [] }
      )
    },
    { requiredKeys: [] }
  )

/** Facts as of `agedFacts` with attestations that often are verified and have what conditions on facts ask about. */
export const askedFacts: FastCheck.Arbitrary<Facts> = FastCheck.tuple(
  agedFacts,
  FastCheck.infiniteStream(asked)
).map(([drawn, stream]) => ({
  ...drawn,
  flows: drawn.flows.map((flow) => ({
    ...flow,
    attestations: flow.attestations.map((fact) => ({ ...fact, ...stream.next().value }))
  }))
}))

/** Facts that often match the rules of generated documents. */
export const facts: FastCheck.Arbitrary<Facts> = factsOf(VOCABULARY)
