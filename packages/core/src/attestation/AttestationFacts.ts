/**
 * The facts of an attestation that policies ask about: a small projection of its body, computed when it is accepted and
 * computed again by verification.
 *
 * Facts have scalars, objects and lists of texts. Lists are cut to `BYTES_MAX`; the member `truncated` names those that
 * are not whole.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as EvidenceKind from "../evidence/EvidenceKind.js"
import { VerificationState } from "../evidence/EvidenceVerification.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { JsonObject } from "../shared/Evidence.js"
import { byteLength } from "../shared/internal/SourceText.js"
import * as AgentAccounts from "./AgentAccounts.js"
import * as PullRequestFacts from "./PullRequestFacts.js"

/** The most bytes of facts in canonical JSON. */
export const BYTES_MAX = 65_536
/** The most characters of a text; a longer one is left out. */
export const TEXT_LENGTH_MAX = 1_024

/** The facts of an attestation, as they are stored. */
export const AttestationFacts = Schema.Struct({
  /** Null where nothing was verified. */
  verification: Schema.NullOr(VerificationState),
  /** Null for a type without facts. */
  facts: Schema.NullOr(JsonObject)
}).annotations({ identifier: "AttestationFacts" })
/** The facts of an attestation, as they are stored. */
export type AttestationFacts = typeof AttestationFacts.Type

/** Reads the facts of one type. */
interface Reader {
  /** The paths of its facts. */
  readonly paths: ReadonlyArray<string>
  /** An object that has facts at these paths, and may have `truncated`. */
  readonly read: (body: JsonObject) => JsonObject
}

const COUNTS = ["critical", "high", "medium", "low", "negligible", "unknown", "total", "suppressed"]
const RESULTS = ["total", "passed", "failed", "skipped", "other", "flaky"]
const SIGNER = ["kind", "key_id", "issuer", "san", "source_repository", "source_ref"]

const below = (parent: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `${parent}.${name}`)

const EVERY_KIND = [
  "kind",
  "tool.name",
  "tool.version",
  "created_at",
  "subject_count",
  "signed_at",
  ...below("signer", SIGNER)
]

const OF_KINDS: { readonly [K in EvidenceKind.EvidenceKind]: ReadonlyArray<string> } = {
  provenance: [
    "builder_id",
    "build_type",
    "build_level",
    ...below("source", ["uri", "commit", "ref"])
  ],
  verification: ["verifier", "result", "levels"],
  sbom: [...below("components", ["total", "with_purl", "without_purl"]), "licenses", "purls"],
  scan: [
    ...below("counts", COUNTS),
    ...below("after_vex.counts", COUNTS),
    "after_vex.denied_count",
    "database_at",
    "database_age_seconds"
  ],
  analysis: below("counts", COUNTS),
  tests: [...below("tests", RESULTS), "duration"],
  junit: [],
  snyk: [],
  coverage: ["lines.percent", "branches.percent"],
  vex: ["statement_count"],
  signature: [],
  statement: ["predicate_type"]
}

const membersOf = (value: unknown): JsonObject => (Predicate.isRecord(value) ? value : {})

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const own = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** How old the database of a scan was when the scan was made, as the file says. */
const databaseAge = (data: JsonObject): number | undefined => {
  const [at, scanned] = [own(data, "database_at"), own(data, "created_at")]
  return typeof at === "number" && typeof scanned === "number" ? scanned - at : undefined
}

const verificationOf = (body: JsonObject): JsonObject =>
  membersOf(own(membersOf(own(body, "attestation_data")), "verification"))

/** What VEX took away from a scan; without VEX the counts are those of the scan. */
const afterVex = (data: JsonObject): JsonObject =>
  Object.hasOwn(data, "after_vex")
    ? membersOf(data.after_vex)
    : Object.hasOwn(data, "counts")
      ? { counts: data.counts, denied_count: 0 }
      : {}

const readEvidence = (body: JsonObject): JsonObject => {
  const data = membersOf(own(body, "attestation_data"))
  const { signed_at, signer } = verificationOf(body)
  const licenses = own(data, "licenses")
  return {
    ...data,
    after_vex: afterVex(data),
    signed_at,
    signer,
    licenses: Array.isArray(licenses)
      ? licenses.map((each) => own(membersOf(each), "license"))
      : undefined,
    database_age_seconds: databaseAge(data)
  }
}

const PULL_REQUEST: Reader = {
  paths: ["authors", "approvers", "independent_reviewers", "is_agent"],
  // WHY the accounts of the body, not those of the org: verification computes the facts again from the body alone.
  read: (body) => ({ ...PullRequestFacts.of(body, AgentAccounts.of(body)) })
}

/** The readers by type. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["pull_request", PULL_REQUEST],
  ...EvidenceKind.ALL.map((kind) => [EvidenceKind.attestationType(kind), kind] as const)
    .filter(([type]) => isEvidence(type))
    .map(([type, kind]): readonly [string, Reader] => [
      type,
      { paths: [...EVERY_KIND, ...OF_KINDS[kind]], read: readEvidence }
    ])
])

/** Whether attestations of a type come from evidence files alone. */
function isEvidence(type: string): boolean {
  return type.startsWith(`custom:${EvidenceKind.RESERVED_PREFIX}`)
}

/** The paths of the facts of a type, of every type for `*`; empty for a type without facts. */
export const pathsOf = (type: string): ReadonlyArray<string> =>
  type === "*"
    ? [...new Set(Array.from(READERS.values()).flatMap(({ paths }) => paths))]
    : (READERS.get(type)?.paths ?? [])

/** A fact: its path and its value. */
interface Leaf {
  readonly path: string
  readonly value: string | number | boolean | ReadonlyArray<string>
}

const memberAt = (source: JsonObject, path: string): unknown => {
  let found: unknown = source
  for (const key of path.split(".")) found = Predicate.isRecord(found) ? own(found, key) : undefined
  return found
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= TEXT_LENGTH_MAX

const leafOf = (path: string, value: unknown): ReadonlyArray<Leaf> => {
  if (isText(value) || typeof value === "boolean") return [{ path, value }]
  if (typeof value === "number") return Number.isFinite(value) ? [{ path, value }] : []
  return Array.isArray(value) ? [{ path, value: value.filter(isText) }] : []
}

const withLeaf = (
  facts: JsonObject,
  [key = "", ...rest]: ReadonlyArray<string>,
  value: Leaf["value"]
): JsonObject => ({
  ...facts,
  [key]: rest.length === 0 ? value : withLeaf(membersOf(own(facts, key)), rest, value)
})

/** The facts of leaves; those of a list that was cut are named. */
const factsOf = (leaves: ReadonlyArray<Leaf>, cut: ReadonlySet<string>): JsonObject => {
  const facts = leaves.reduce(
    (made: JsonObject, { path, value }) => withLeaf(made, path.split("."), value),
    {}
  )
  return cut.size === 0 ? facts : { ...facts, truncated: [...cut].sort() }
}

const sizeOf = ({ value }: Leaf): number => byteLength(CanonicalJson.print(value))

/** Whether a leaf is cut before another one: lists before texts, the largest first. */
const isCutBefore = (one: Leaf, other: Leaf): boolean =>
  Array.isArray(one.value) === Array.isArray(other.value)
    ? sizeOf(one) > sizeOf(other)
    : Array.isArray(one.value)

const isShort = ({ value }: Leaf): boolean => Array.isArray(value) && value.length === 0

/** The facts of leaves within the limit: the longest list is halved again and again, then texts are left out. */
const withinLimit = (leaves: ReadonlyArray<Leaf>, cut: ReadonlySet<string>): JsonObject => {
  const facts = factsOf(leaves, cut)
  if (byteLength(CanonicalJson.print(facts)) <= BYTES_MAX) return facts
  const [first, ...others] = leaves.filter((leaf) => !isShort(leaf))
  if (first === undefined) return {}
  const { path, value } = others.reduce(
    (best, leaf) => (isCutBefore(leaf, best) ? leaf : best),
    first
  )
  return typeof value === "object"
    ? withinLimit(
        leaves.map((leaf) =>
          leaf.path === path ? { path, value: value.slice(0, value.length >> 1) } : leaf
        ),
        new Set([...cut, path])
      )
    : withinLimit(
        leaves.filter((leaf) => leaf.path !== path),
        cut
      )
}

/** The facts of an attestation by its type and its body as it was accepted; an override has none. */
export const of = (type: string, body: JsonObject): AttestationFacts => {
  const reader = READERS.get(type)
  if (reader === undefined) return { verification: null, facts: null }
  const source = reader.read(body)
  const found = reader.paths.map((path) => ({ path, value: memberAt(source, path) }))
  const leaves = found.flatMap(({ path, value }) => leafOf(path, value))
  const cut = found.flatMap(({ path, value }) =>
    (Array.isArray(value) && !value.every(isText)) ||
    listOf(own(source, "truncated")).includes(path)
      ? [path]
      : []
  )
  const state = isEvidence(type) ? own(verificationOf(body), "state") : undefined
  return {
    verification: Schema.is(VerificationState)(state) ? state : null,
    facts: withinLimit(leaves, new Set(cut))
  }
}

/** The same without the list of purls, which is long. */
export const withoutPurls = ({ facts, verification }: AttestationFacts): AttestationFacts => {
  if (facts === null) return { facts, verification }
  const { purls: _, ...others } = facts
  return { facts: others, verification }
}

/** The facts of an attestation, as they are stored: null for one without any. */
export const stored = ({
  body,
  isOverride,
  type
}: {
  readonly body: JsonObject
  readonly isOverride: boolean
  readonly type: string
}): AttestationFacts | null => {
  // WHY none for an override: its body says why the outcome changes, and nothing about the evidence.
  const found = isOverride ? undefined : of(type, body)
  return found === undefined || (found.facts === null && found.verification === null) ? null : found
}
