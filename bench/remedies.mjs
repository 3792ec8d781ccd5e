/**
 * Remedies of one row that fails every rule: 20 rules within 1 ms, and the largest policy in three flows within 20 ms.
 *
 * The baseline is the limit itself, in CPU time, so a ratio of 1 or more is within it.
 */
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyRemedy from "@attestry/policy-lab/PolicyRemedy"
import { compare } from "./lib/compare.mjs"

const TYPES = ["junit", "snyk", "generic", "decision"]

const document = (rules) => ({
  schema: "https://x.example/v1",
  provenance: { required: true, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: Array.from({ length: rules }, (_, index) => ({
    type: TYPES[index % 4],
    name: `evidence-${index}`,
    condition: null,
    mustBeCompliant: true,
    forControl: index % 4 === 3 ? `CTL-${index}` : null
  }))
})

const factsOf = (flows) => ({
  artifact: { name: "shop", fingerprint: "f".repeat(64) },
  flows: Array.from({ length: flows }, (_, flow) => ({
    flow_name: `flow-${flow}`,
    tags: {},
    trail_name: "t1",
    artifact_status: "COMPLIANT",
    attestations: [
      {
        sequence: flow + 1,
        name: "evidence-0",
        type: "junit",
        is_compliant: false,
        level: "artifact",
        control: null
      }
    ]
  }))
})

const side = (rules, flows, times) => {
  const policy = { id: "1", name: "prod", version: 1, document: document(rules) }
  const compiled = PolicyEvaluation.compile([policy])
  const facts = factsOf(flows)
  const work = () => {
    for (let count = 0; count < times; count++) PolicyRemedy.remedies(compiled, facts)
  }
  return {
    warmUp: async () => work(),
    cost: async () => {
      const before = process.cpuUsage()
      work()
      const { system, user } = process.cpuUsage(before)
      return (user + system) / times
    }
  }
}

const limit = (micros) => ({ warmUp: async () => {}, cost: async () => micros })

/** Runs both and gives their lines. */
export const run = async () => [
  await compare({
    name: "remedies of 20 rules, against 1 ms",
    goal: 1,
    unit: "µs CPU",
    subject: side(18, 1, 300),
    baseline: limit(1_000)
  }),
  await compare({
    name: "remedies of 102 rules in 3 flows, against 20 ms",
    goal: 1,
    unit: "µs CPU",
    subject: side(100, 3, 20),
    baseline: limit(20_000)
  })
]
