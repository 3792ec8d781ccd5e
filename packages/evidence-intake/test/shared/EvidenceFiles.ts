/** Evidence files for tests: documents of each form as values, and generators of files. */
import { Either, FastCheck } from "effect"
import type { EvidenceDocument, EvidenceFile } from "../../src/EvidenceDocument.js"
import type { EvidenceProblem } from "../../src/EvidenceProblem.js"
import * as EvidenceReader from "../../src/EvidenceReader.js"

export const SHA256 = "3a24".repeat(16)
export const COMMIT = "c0ffee00".repeat(5)

type Value = { readonly [member: string]: unknown }

/** The bytes of a text, or of a value as JSON. */
export const bytesOf = (content: unknown): Uint8Array =>
  new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content))

export const base64 = (content: unknown): string => Buffer.from(bytesOf(content)).toString("base64")

export const read = (
  content: unknown,
  limits?: Partial<EvidenceReader.ReadLimits>
): Either.Either<EvidenceFile, EvidenceProblem> => EvidenceReader.read(bytesOf(content), limits)

/** The documents of a file that is read. */
export const documentsOf = (content: unknown): ReadonlyArray<EvidenceDocument> =>
  Either.getOrThrow(read(content)).documents

/** The only document of a file that is read. */
export const documentOf = (content: unknown): EvidenceDocument => {
  const documents = documentsOf(content)
  const [document] = documents
  if (document === undefined || documents.length !== 1) throw new Error("not one document")
  return document
}

/** The problem of a file that is not read. */
export const problemOf = (
  content: unknown,
  limits?: Partial<EvidenceReader.ReadLimits>
): EvidenceProblem => Either.getOrThrow(Either.flip(read(content, limits)))

export const messageOf = (content: unknown): string => problemOf(content).message

export const statement = (changes: Value = {}): Value => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: [{ name: "shop:1.0", digest: { sha256: SHA256 } }],
  predicateType: "https://example.org/review/v1",
  predicate: { reviewed: true },
  ...changes
})

export const envelope = (payload: unknown = statement(), changes: Value = {}): Value => ({
  payloadType: "application/vnd.in-toto+json",
  payload: base64(payload),
  signatures: [{ keyid: "release", sig: base64("signature") }],
  ...changes
})

export const bundle = (changes: Value = {}): Value => ({
  mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
  verificationMaterial: { tlogEntries: [] },
  dsseEnvelope: envelope(),
  ...changes
})

/** A bundle of a bare file with this digest. */
export const fileBundle = (changes: Value = {}): Value => ({
  mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.2",
  verificationMaterial: {},
  messageSignature: {
    messageDigest: {
      algorithm: "SHA2_256",
      digest: Buffer.from(SHA256, "hex").toString("base64")
    },
    signature: base64("signature"),
    ...changes
  }
})

export const answer = (...bundles: ReadonlyArray<unknown>): Value => ({
  attestations: bundles.map((each) => ({ bundle: each, repository_id: 1 }))
})

export const openVex = (changes: Value = {}): Value => ({
  "@context": "https://openvex.dev/ns/v0.2.0",
  "@id": "https://example.org/vex/1",
  author: "security team",
  timestamp: "2026-01-02T03:04:05Z",
  version: 1,
  statements: [
    {
      vulnerability: { name: "CVE-2026-1000" },
      products: [{ "@id": "pkg:npm/left-pad@1.3.0" }],
      status: "not_affected",
      justification: "vulnerable_code_not_present"
    }
  ],
  ...changes
})

export const csaf = (changes: Value = {}): Value => ({
  document: {
    category: "csaf_vex",
    csaf_version: "2.0",
    tracking: {
      current_release_date: "2026-01-02T03:04:05Z",
      generator: { engine: { name: "maker", version: "2.1" } }
    }
  },
  product_tree: {
    branches: [
      {
        category: "vendor",
        branches: [
          {
            category: "product_version",
            product: {
              product_id: "P1",
              product_identification_helper: { purl: "pkg:npm/left-pad@1.3.0" }
            }
          }
        ]
      }
    ],
    full_product_names: [
      {
        product_id: "P2",
        product_identification_helper: {
          hashes: [{ file_hashes: [{ algorithm: "sha256", value: SHA256.toUpperCase() }] }]
        }
      }
    ],
    relationships: [
      {
        product_reference: "P1",
        relates_to_product_reference: "P2",
        full_product_name: { product_id: "P2:P1" }
      }
    ],
    product_groups: [{ group_id: "G1", product_ids: ["P2"] }]
  },
  vulnerabilities: [
    {
      cve: "CVE-2026-1000",
      product_status: { known_not_affected: ["P1", "P2"], fixed: ["P2:P1"] },
      flags: [
        { label: "component_not_present", product_ids: ["P1"] },
        { label: "inline_mitigations_already_exist", group_ids: ["G1"] }
      ]
    }
  ],
  ...changes
})

export const provenance = (changes: Value = {}): Value => ({
  buildDefinition: {
    buildType: "https://actions.github.io/buildtypes/workflow/v1",
    externalParameters: {
      workflow: {
        ref: "refs/tags/v1.0",
        repository: "https://github.com/acme/shop",
        path: ".github/workflows/release.yml"
      }
    },
    resolvedDependencies: [
      {
        uri: "git+https://github.com/acme/tool@refs/heads/main",
        digest: { gitCommit: "0".repeat(40) }
      },
      { uri: "git+https://github.com/acme/shop@refs/tags/v1.0", digest: { gitCommit: COMMIT } }
    ]
  },
  runDetails: {
    builder: { id: "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/v1.0" },
    metadata: {
      invocationId: "https://github.com/acme/shop/actions/runs/1/attempts/1",
      finishedOn: "2026-01-02T03:04:05Z"
    }
  },
  ...changes
})

/** A statement of provenance. */
export const provenanceStatement = (changes: Value = {}): Value =>
  statement({
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: provenance(changes)
  })

/** One file of each form. */
export const FORMS: ReadonlyArray<Value> = [
  statement(),
  provenanceStatement(),
  envelope(),
  envelope(openVex(), { payloadType: "text/json" }),
  bundle(),
  fileBundle(),
  answer(bundle(), fileBundle()),
  openVex(),
  csaf()
]

const text = FastCheck.oneof(
  FastCheck.string({ maxLength: 8 }),
  FastCheck.constantFrom("__proto__", "constructor", SHA256, "pkg:npm/a@1", "https://example.org")
)

/** Any JSON value, shallow. */
export const json: FastCheck.Arbitrary<unknown> = FastCheck.letrec<{ readonly value: unknown }>(
  (tie) => ({
    value: FastCheck.oneof(
      { maxDepth: 3 },
      text,
      FastCheck.integer(),
      FastCheck.boolean(),
      FastCheck.constant(null),
      FastCheck.array(tie("value"), { maxLength: 3 }),
      FastCheck.dictionary(text, tie("value"), { maxKeys: 3 })
    )
  })
).value

/** A file of some form that is read. */
export const form = FastCheck.constantFrom(...FORMS)

/** The paths to all values in a value. */
const pathsIn = (
  value: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, key]))]
    : [path]

/** The value with another one at a path. */
const replaced = (value: unknown, path: ReadonlyArray<string>, by: unknown): unknown => {
  const [first, ...rest] = path
  if (first === undefined || typeof value !== "object" || value === null) return by
  const entries = Object.entries(value).map(
    ([key, item]) => [key, key === first ? replaced(item, rest, by) : item] as const
  )
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}

/** A file with another value in some place. */
export const mutated = FastCheck.record({
  form,
  place: FastCheck.nat(),
  by: json
}).map(({ form: value, place, by }) => {
  const paths = pathsIn(value)
  return replaced(value, paths[place % paths.length] ?? [], by)
})

/** The same value with the members of objects in another order. */
export const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered)
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, item]) => [key, reordered(item)] as const)
          .reverse()
      )
    : value
}
