/**
 * Which artifacts and trails a document is linked to, and which of its subjects wait for an artifact. Pure.
 *
 * A document reaches an artifact only through a SHA-256 that it names itself, or that the caller names and the document
 * does not contradict. A document whose subjects are commits alone reaches trails that report them.
 */
import * as Either from "effect/Either"
import type { Subject } from "./EvidenceFacts.js"

/** The most trails that a document about a commit is linked to. */
export const COMMIT_TRAILS_MAX = 50

/** An artifact record of a trail. */
export interface LinkedArtifact {
  readonly fingerprint: string
  readonly trail: string
}

/** What the caller names. */
export interface Named {
  /** The id of the trail; null if the caller names none. */
  readonly trail: string | null
  readonly fingerprint: string | null
}

/** What a document may be linked to. */
export interface LinkTargets {
  /**
   * The artifact records of the named trail; without one, for each wanted fingerprint its newest record in each flow.
   */
  readonly artifacts: ReadonlyArray<LinkedArtifact>
  /** The trails that report a wanted commit, newest first. */
  readonly commitTrails: ReadonlyArray<string>
}

/** An attestation to make: on a trail, or on the artifact of a trail. */
export interface Link {
  readonly trail: string
  readonly fingerprint: string | null
}

/** The links of a document. */
export interface Links {
  readonly links: ReadonlyArray<Link>
  /** The SHA-256 subjects that no artifact has. */
  readonly waiting: ReadonlyArray<string>
}

/** Why a document cannot be linked. */
export type LinkRefusal =
  | "no_subject"
  | "other_fingerprint"
  | "not_on_trail"
  | "unknown_fingerprint"

const SHA256 = /^[a-f0-9]{64}$/
const SHA1 = /^[a-f0-9]{40}$/

const digestOf = ({ digest }: Subject, algorithm: string): string | undefined =>
  Object.hasOwn(digest, algorithm) ? digest[algorithm]?.toLowerCase() : undefined

/** The commit of a subject: its `gitCommit`, or the `sha1` of a subject without a SHA-256. */
const commitOf = (subject: Subject): string | undefined => {
  const commit = digestOf(subject, "gitCommit")
  if (commit !== undefined) return commit
  return digestOf(subject, "sha256") === undefined ? digestOf(subject, "sha1") : undefined
}

const distinct = (
  values: ReadonlyArray<string | undefined>,
  pattern: RegExp
): ReadonlyArray<string> => [
  ...new Set(values.filter((value): value is string => value !== undefined && pattern.test(value)))
]

/** The SHA-256 digests of subjects, each once. */
export const fingerprintsOf = (subjects: ReadonlyArray<Subject>): ReadonlyArray<string> =>
  distinct(
    subjects.map((subject) => digestOf(subject, "sha256")),
    SHA256
  )

/** The commits of subjects, each once. */
export const commitsOf = (subjects: ReadonlyArray<Subject>): ReadonlyArray<string> =>
  distinct(subjects.map(commitOf), SHA1)

/** Whether every subject is a commit. */
const areCommits = (subjects: ReadonlyArray<Subject>): boolean =>
  subjects.every((subject) => SHA1.test(commitOf(subject) ?? ""))

/** What has to be looked up before links are decided. */
export const wanted = (
  subjects: ReadonlyArray<Subject>,
  named: Named
): { readonly fingerprints: ReadonlyArray<string>; readonly commits: ReadonlyArray<string> } => {
  if (named.trail !== null) return { fingerprints: [], commits: [] }
  if (named.fingerprint !== null) return { fingerprints: [named.fingerprint], commits: [] }
  const fingerprints = fingerprintsOf(subjects)
  return { fingerprints, commits: fingerprints.length === 0 ? commitsOf(subjects) : [] }
}

const unique = (links: ReadonlyArray<Link>): ReadonlyArray<Link> => [
  ...new Map(links.map((link) => [`${link.trail} ${link.fingerprint}`, link])).values()
]

const toArtifacts = (
  artifacts: ReadonlyArray<LinkedArtifact>,
  fingerprints: ReadonlyArray<string>
): ReadonlyArray<Link> => {
  const asked = new Set(fingerprints)
  return unique(
    artifacts
      .filter(({ fingerprint }) => asked.has(fingerprint))
      .map(({ fingerprint, trail }) => ({ trail, fingerprint }))
  )
}

const onTrail = (
  subjects: ReadonlyArray<Subject>,
  { trail, fingerprint }: { readonly trail: string; readonly fingerprint: string | null },
  { artifacts }: LinkTargets
): Either.Either<Links, LinkRefusal> => {
  if (fingerprint !== null) return Either.right({ links: [{ trail, fingerprint }], waiting: [] })
  if (areCommits(subjects)) {
    return Either.right({ links: [{ trail, fingerprint: null }], waiting: [] })
  }
  const links = toArtifacts(artifacts, fingerprintsOf(subjects))
  return links.length === 0 ? Either.left("not_on_trail") : Either.right({ links, waiting: [] })
}

const bySubjects = (
  subjects: ReadonlyArray<Subject>,
  { artifacts, commitTrails }: LinkTargets
): Either.Either<Links, LinkRefusal> => {
  const fingerprints = fingerprintsOf(subjects)
  if (fingerprints.length > 0) {
    const known = new Set(artifacts.map(({ fingerprint }) => fingerprint))
    const waiting = fingerprints.filter((fingerprint) => !known.has(fingerprint))
    return Either.right({ links: toArtifacts(artifacts, fingerprints), waiting })
  }
  if (commitsOf(subjects).length === 0) return Either.left("no_subject")
  const links = [...new Set(commitTrails)]
    .slice(0, COMMIT_TRAILS_MAX)
    .map((trail) => ({ trail, fingerprint: null }))
  return Either.right({ links, waiting: [] })
}

/** The links of a document. */
export const decide = (
  subjects: ReadonlyArray<Subject>,
  named: Named,
  targets: LinkTargets
): Either.Either<Links, LinkRefusal> => {
  const { fingerprint, trail } = named
  const isContradicted =
    fingerprint !== null && subjects.length > 0 && !fingerprintsOf(subjects).includes(fingerprint)
  if (isContradicted) return Either.left("other_fingerprint")
  if (trail !== null) return onTrail(subjects, { trail, fingerprint }, targets)
  if (fingerprint === null) return bySubjects(subjects, targets)
  const links = toArtifacts(targets.artifacts, [fingerprint])
  return links.length === 0
    ? Either.left("unknown_fingerprint")
    : Either.right({ links, waiting: [] })
}
