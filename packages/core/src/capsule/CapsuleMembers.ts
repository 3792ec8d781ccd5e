/**
 * Opens the file of a capsule: unpacks its members, and compares each with the manifest. Pure, besides the unpacking,
 * which the platform does.
 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Capsule from "./Capsule.js"
import * as CapsuleArchive from "./CapsuleArchive.js"
import type { Refusal } from "./CapsuleReport.js"

/** Unpacks bytes (DEFLATE, RFC 1951), which must be of this size; none for others. */
export type Inflate = (packed: Uint8Array, size: number) => Promise<Uint8Array | undefined>

/** The SHA-256 of bytes. */
export type Digest = (bytes: Uint8Array) => Promise<Uint8Array>

/** What the platform does with the members of a capsule. */
export interface Platform {
  readonly inflate: Inflate
  /** WHY the platform where it can: members are long, and its own code is many times faster. */
  readonly digest?: Digest
}

const portable: Digest = (bytes) => Promise.resolve(Sha256.digest(bytes))

/** The members of a capsule, by name, and its manifest. */
export interface CapsuleMembers {
  readonly manifest: Capsule.Manifest
  /** The digest of `capsule.json`, in hexadecimal. */
  readonly digest: string
  readonly contents: ReadonlyMap<string, Uint8Array>
}

/** Reads JSON by a schema. None for another form. */
export const readJson = <A, I>(
  schema: Schema.Schema<A, I>,
  bytes: Uint8Array | undefined
): Option.Option<A> =>
  Option.fromNullable(bytes).pipe(
    Option.flatMap(Base64.textOf),
    Option.flatMap((text) => Either.getRight(Either.try((): unknown => JSON.parse(text)))),
    Option.flatMap(Schema.decodeUnknownOption(schema))
  )

const hexOf = (bytes: Uint8Array): string => Base64.encodeHex(Sha256.digest(bytes))

/** The members that have no digest in the manifest: it is one, and the other signs it. */
const UNLISTED: ReadonlySet<string> = new Set([Capsule.MEMBERS.manifest, Capsule.MEMBERS.statement])

const contentOf = async (
  member: CapsuleArchive.ReadMember,
  inflate: Inflate
): Promise<Uint8Array | undefined> => {
  const content = member.isDeflated ? await inflate(member.packed, member.size) : member.packed
  const isWhole =
    content?.byteLength === member.size && CapsuleArchive.checksum(0, content) === member.checksum
  return isWhole ? content : undefined
}

/** Whether a member is what the manifest says. */
const fits = async (
  listed: Capsule.Member,
  { content, packed }: { readonly packed: Uint8Array; readonly content: Uint8Array },
  digest: Digest
): Promise<boolean> => {
  if (listed.size !== content.byteLength) return false
  const [ofPacked, ofContent] = await Promise.all([
    digest(packed),
    packed === content ? undefined : digest(content)
  ])
  return (
    Base64.encodeHex(ofPacked) === listed.packed &&
    Base64.encodeHex(ofContent ?? ofPacked) === listed.sha256
  )
}

/** Opens the file of a capsule. */
export const open = async (
  file: Uint8Array,
  { digest = portable, inflate }: Platform
): Promise<Either.Either<CapsuleMembers, Refusal>> => {
  const members = Option.getOrUndefined(CapsuleArchive.read(file))
  const [first] = members ?? []
  if (members === undefined || first?.name !== Capsule.MEMBERS.manifest || first.isDeflated)
    return Either.left("archive")
  const manifest = Option.getOrUndefined(readJson(Capsule.Manifest, first.packed))
  if (manifest === undefined) return Either.left("manifest")
  const listed = new Map(manifest.members.map((member) => [member.name, member]))
  const contents = new Map<string, Uint8Array>()
  for (const member of members) {
    const content = await contentOf(member, inflate)
    if (content === undefined) return Either.left("archive")
    contents.set(member.name, content)
    if (UNLISTED.has(member.name)) {
      if (member.isDeflated) return Either.left("archive")
      continue
    }
    const expected = listed.get(member.name)
    if (
      expected === undefined ||
      !(await fits(expected, { packed: member.packed, content }, digest))
    )
      return Either.left("member")
  }
  const isComplete = listed.size === manifest.members.length && listed.size + 2 === contents.size
  return isComplete && contents.has(Capsule.MEMBERS.statement)
    ? Either.right({ manifest, digest: hexOf(first.packed), contents })
    : Either.left("member")
}
