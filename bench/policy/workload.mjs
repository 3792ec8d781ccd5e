/**
 * The work of benchmarks 9 and 10: artifacts with what their flow knows about them, and policies of four
 * rules each, as documents and as the few constants that every other engine's version is written from.
 */

const pick = (list, n) => list[n % list.length]

/** A generator of the same numbers every time. */
const numbers = () => {
  let state = 42
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % max
  }
}

const NAMES = ["shop/api", "shop/web", "pay/ledger", "datadog/agent", "tools/cron"]

/** Facts about so many artifacts; one in ten is known to no flow. */
export const factsOf = (count) => {
  const next = numbers()
  const facts = Array.from({ length: count }, (_, index) => {
    const name = `registry.example.com/${pick(NAMES, next(5))}:${next(2) === 0 ? "prod" : "beta"}-${index}`
    const artifact = { name, fingerprint: index.toString(16).padStart(64, "0") }
    if (next(10) === 0) return { artifact, flows: [] }
    const attestation = (sequence, type, called) => ({
      sequence,
      name: called,
      type,
      is_compliant: next(4) !== 0,
      level: next(2) === 0 ? "artifact" : "trail",
      control: null
    })
    return {
      artifact,
      flows: [
        {
          flow_name: pick(["shop", "pay", "tools"], next(3)),
          tags: { risk: pick(["low", "high"], next(2)), tier: String(next(5)) },
          trail_name: `t-${index}`,
          artifact_status: pick(["COMPLIANT", "COMPLIANT", "NON-COMPLIANT", "INCOMPLETE"], next(4)),
          attestations: [
            attestation(1, "junit", "unit-tests"),
            ...(next(3) === 0 ? [] : [attestation(2, "snyk", "scan")]),
            ...(next(3) === 0 ? [] : [attestation(3, "pull_request", "review")])
          ]
        }
      ]
    }
  })
  // WHY: facts are read from somewhere; texts that were put together here would be slower to search.
  return JSON.parse(JSON.stringify(facts))
}

/** What the policies of a set differ in. */
export const policiesOf = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `policy-${String(index).padStart(3, "0")}`,
    exempt: `registry.example.com/${pick(["datadog", "tools", "vendor"], index)}/`,
    prod: `:${pick(["prod", "beta"], index)}-`,
    tier: index % 5,
    type: pick(["snyk", "pull_request"], index),
    attestation: pick(["scan", "review"], index)
  }))

const escaped = (text) => text.replaceAll(".", "\\\\.")

/** The text of a policy. */
export const yamlOf = ({ exempt, prod, tier, type, attestation }) => `
_schema: https://bench.example/v1
artifacts:
  provenance:
    required: true
    exceptions: [{ if: '\${{ matches(artifact.name, "^${escaped(exempt)}.*") }}' }]
  trail-compliance:
    required: true
    exceptions: [{ if: '\${{ flow.tags.tier < ${tier} and flow.tags.risk == "low" }}' }]
  attestations:
    - { type: junit, name: unit-tests, if: '\${{ matches(artifact.name, "${prod}") }}' }
    - { type: ${type}, name: ${attestation}, if: '\${{ flow.tags.risk == "high" or flow.name in ["pay", "bank"] }}' }
`

/** The text of a policy whose rules about evidence have ages. */
export const agedYamlOf = (policy) =>
  yamlOf(policy)
    .replace("/v1", "/v2")
    .replace("required: true", "required: true\n    max_age: 90d")
    .replaceAll(
      " if: '${{ matches(artifact.name, \":",
      " max_age: 7d, if: '${{ matches(artifact.name, \":"
    )
    .replace(" if: '${{ flow.tags.risk ==", " max_age: 7d, if: '${{ flow.tags.risk ==")

/** The instant at which all evidence of `reported` was reported, in epoch seconds. */
export const REPORTED_AT = 1_790_000_000

/** Facts with the instants of their evidence. */
export const reported = ({ artifact, flows }) => ({
  artifact,
  flows: flows.map((flow) => ({
    ...flow,
    reported_at: REPORTED_AT,
    attestations: flow.attestations.map((fact) => ({ ...fact, reported_at: REPORTED_AT }))
  }))
})
