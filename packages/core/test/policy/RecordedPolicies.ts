/** Policies and rows whose decisions were recorded before modes and remedies existed. */
import type { Facts, FlowView } from "../../src/policy/PolicyFacts.js"

/** The texts of policies by name. */
export const POLICIES = {
  release: `_schema: https://example.com/schemas/environment-policy/v1
artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ flow.tags.kind != "build" }}
  trail-compliance:
    required: true
    exceptions:
      - if: \${{ flow.tags.kind != "build" }}
  attestations:
    - type: pull_request
      if: \${{ flow.tags.kind == "build" }}
    - type: snyk
      name: scan
      must_be_compliant: false
      if: \${{ flow.name == "scan-prod" }}
    - type: decision
      for_control: CTL-7
`,
  strict: `_schema: https://example.com/schemas/environment-policy/v1
artifacts:
  trail-compliance:
    required: true
  attestations:
    - { type: "*", name: unit }
    - { type: "custom:scan", name: "*", if: "\${{ flow.tags.risk > 5 }}" }
`,
  broken: "_schema: https://example.com/schemas/environment-policy/v1\nartifacts: []\n"
} as const

const flow = (flow_name: string, over: Partial<FlowView>): FlowView => ({
  flow_name,
  tags: {},
  trail_name: "build-1",
  artifact_status: "COMPLIANT",
  attestations: [],
  ...over
})

const fact = (sequence: number, name: string, over: object) => ({
  sequence,
  name,
  type: "junit",
  is_compliant: true,
  level: "artifact" as const,
  control: null,
  ...over
})

/** Rows: known to three flows, to one, to none. */
export const ROWS: ReadonlyArray<Facts> = [
  {
    artifact: { name: "registry/shop:1.4", fingerprint: "4b7e2f91".repeat(8) },
    flows: [
      flow("shop-build", {
        tags: { kind: "build", risk: "7" },
        attestations: [fact(1, "pr", { type: "pull_request", level: "trail" }), fact(2, "unit", {})]
      }),
      flow("promote", {
        tags: { kind: "release" },
        artifact_status: "NON-COMPLIANT",
        attestations: [fact(3, "go", { type: "decision", control: "CTL-7", is_compliant: false })]
      }),
      flow("scan-prod", {
        artifact_status: "INCOMPLETE",
        attestations: [
          fact(4, "scan", { type: "snyk", is_compliant: false }),
          fact(5, "go", { type: "decision", control: "CTL-7" })
        ]
      })
    ]
  },
  {
    artifact: { name: "shop:2", fingerprint: "0a".repeat(32) },
    flows: [flow("shop-build", { tags: { kind: "build" }, attestations: [fact(1, "unit", {})] })]
  },
  { artifact: { name: "mystery", fingerprint: "ff".repeat(32) }, flows: [] }
]
