/** Documents as readers make them, for tests of verification. */
import type { EvidenceFacts, FactsOf } from "@attestry/core/EvidenceFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import type { Envelope, EvidenceDocument, Signed } from "../../src/EvidenceDocument.js"

export const IN_TOTO = "application/vnd.in-toto+json"
export const PROVENANCE = "https://slsa.dev/provenance/v1"
export const BUILDER = "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/v1"
export const NOW = Timestamp.fromMillis(Date.now())

const common = {
  format: { name: "in-toto", version: null },
  tool: null,
  created_at: null,
  digest: "0".repeat(64),
  size: 1,
  subjects: [],
  subject_count: 0,
  truncated: []
}

export const provenance: FactsOf<"provenance"> = {
  ...common,
  kind: "provenance",
  builder_id: BUILDER,
  build_type: "https://actions.github.io/buildtypes/workflow/v1",
  build_level: null,
  source: {
    uri: "git+https://github.com/acme/shop@refs/tags/v1",
    commit: null,
    ref: "refs/tags/v1"
  },
  invocation: null,
  parameters_sha256: null,
  parameters: [],
  dependencies: 0
}

export const sbom: FactsOf<"sbom"> = {
  ...common,
  kind: "sbom",
  components: { total: 1, with_purl: 0, without_purl: 1 },
  root: null,
  licenses: [],
  purls: [],
  set_sha256: "0".repeat(64)
}

export const verification: FactsOf<"verification"> = {
  ...common,
  kind: "verification",
  verifier: "https://verify.example.org/a",
  result: "PASSED",
  levels: ["ORG_RELEASE_APPROVED"],
  policy: { uri: null, sha256: null },
  verified_at: null
}

export const signature: FactsOf<"signature"> = { ...common, kind: "signature" }

/** A document with these facts and signatures. */
export const documentOf = (
  facts: EvidenceFacts,
  signed: Signed,
  rest: Partial<EvidenceDocument> = {}
): EvidenceDocument => ({
  line: null,
  facts,
  subjects: [],
  signed,
  predicateType: facts.kind === "provenance" ? PROVENANCE : null,
  parameters: {},
  components: [],
  findings: [],
  statements: [],
  ...rest
})

export const dsse = (envelope: Envelope): Signed => ({ kind: "dsse", envelope })

/** A rule that trusts keys with everything; a test narrows it. */
export const keyRule = (
  rest: Partial<TrustPolicyDocument.TrustRule> = {}
): TrustPolicyDocument.TrustRule => ({
  name: "release",
  kinds: ["provenance", "sbom", "verification", "signature", "statement"],
  predicates: [],
  signer: { kind: "keys", keys: ["release"], threshold: 1 },
  builder: null,
  buildLevel: 2,
  source: null,
  buildType: null,
  parameters: null,
  strictParameters: false,
  flows: null,
  verifiers: null,
  properties: [],
  ...rest
})

export const policyOf = (
  rest: Partial<TrustPolicyDocument.TrustPolicyDocument>
): TrustPolicyDocument.TrustPolicyDocument => ({ ...TrustPolicyDocument.NONE, ...rest })
