/**
 * A slow model of links: it asks of every artifact record and every trail on its own whether the document may have an
 * attestation there.
 */
import type { Subject } from "@attestry/core/EvidenceFacts"
import type { Link, LinkTargets, Named } from "@attestry/core/SubjectLinks"

/** Whether a subject names a file with a fingerprint. */
const names = (fingerprint: string, { digest }: Subject): boolean =>
  digest.sha256?.toLowerCase() === fingerprint

const commitOf = ({ digest }: Subject): string | undefined =>
  digest.gitCommit ?? (digest.sha256 === undefined ? digest.sha1 : undefined)

/** Whether a document may have an attestation about an artifact. */
const mayReach = (subjects: ReadonlyArray<Subject>, named: Named, fingerprint: string): boolean => {
  const isOwn = subjects.some((subject) => names(fingerprint, subject))
  if (named.fingerprint === null) return isOwn
  return named.fingerprint === fingerprint && (isOwn || subjects.length === 0)
}

/** The links of a document as texts, sorted; undefined if it is refused. */
export const links = (
  subjects: ReadonlyArray<Subject>,
  named: Named,
  targets: LinkTargets
): ReadonlyArray<string> | undefined => {
  const found = new Set<string>()
  for (const { fingerprint, trail } of targets.artifacts) {
    const isThere = named.trail === null || named.trail === trail
    if (isThere && mayReach(subjects, named, fingerprint)) found.add(`${trail} ${fingerprint}`)
  }
  const isDenied =
    named.fingerprint !== null &&
    subjects.length > 0 &&
    !subjects.some((subject) => names(named.fingerprint ?? "", subject))
  if (isDenied) return undefined
  const isAboutFiles = subjects.some((subject) => commitOf(subject) === undefined)
  if (named.trail !== null) {
    if (named.fingerprint !== null) return [`${named.trail} ${named.fingerprint}`]
    if (!isAboutFiles) return [`${named.trail} null`]
    return found.size === 0 ? undefined : [...found].sort()
  }
  if (named.fingerprint !== null) return found.size === 0 ? undefined : [...found].sort()
  if (subjects.some(({ digest }) => digest.sha256 !== undefined)) return [...found].sort()
  if (!subjects.some((subject) => commitOf(subject) !== undefined)) return undefined
  return [...new Set(targets.commitTrails)]
    .slice(0, 50)
    .map((trail) => `${trail} null`)
    .sort()
}

/** A link as a text. */
export const printed = ({ fingerprint, trail }: Link): string => `${trail} ${fingerprint}`
