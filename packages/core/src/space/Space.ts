/**
 * A space: a node of the tree in which the things of an org are placed, and the scope of grants. Pure. SPEC §2.31
 *
 * The root is the org itself: it is not stored, and its id is the org's. Each state of a space is one time
 * `[from_at, to_at)`, which is written once and ended once, so that the tree of every past instant is known.
 */
import * as Schema from "effect/Schema"
import { OrgId, OrgName, SpaceId, SpaceName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The most spaces of an org, without the root. */
export const SPACES_MAX = 2_000
/** The most names in a path. */
export const DEPTH_MAX = 6
/** The most characters of a description. */
export const DESCRIPTION_LENGTH_MAX = 512
/** The path of the root. */
export const ROOT_PATH = "/"

/** The description of a space; may be empty. */
export const Description = Schema.String.pipe(Schema.maxLength(DESCRIPTION_LENGTH_MAX))

/** A state of a space. */
export const Space = Schema.Struct({
  org_id: OrgId,
  id: SpaceId,
  /** The space that it is in; the root is the org's id. */
  parent_id: SpaceId,
  name: SpaceName,
  description: Schema.String,
  from_at: Timestamp.Timestamp,
  /** Null while it lasts. */
  to_at: Schema.NullOr(Timestamp.Timestamp)
})
/** A state of a space. */
export type Space = typeof Space.Type

/** The id of the root of an org. */
export const rootOf = (org: OrgId): SpaceId => SpaceId.make(org)

/** Whether two states of a space have the same content. */
export const sameContent = (left: Space, right: Space): boolean =>
  left.parent_id === right.parent_id &&
  left.name === right.name &&
  left.description === right.description

/** The names of a path; undefined for a text that is no path. The root has none. */
export const namesOf = (path: string): ReadonlyArray<SpaceName> | undefined => {
  if (path === ROOT_PATH) return []
  const names = path.split("/")
  return names.length <= DEPTH_MAX && names.every(Schema.is(SpaceName))
    ? names.map((name) => SpaceName.make(name))
    : undefined
}

/** The path of some names, the one below the root first. */
export const pathOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? ROOT_PATH : names.join("/")

/** A path as a caller writes it: `/` for the root, else names joined by `/`. */
export const SpacePath = Schema.String.pipe(
  Schema.maxLength(64 * DEPTH_MAX),
  Schema.filter(
    (path) =>
      namesOf(path) !== undefined ||
      `A space is \`/\`, or at most ${DEPTH_MAX} names of small letters, digits and \`._-\`, as \`retail/payments\``
  )
)

/** There is no such space that the caller can see. */
export class SpaceNotFound extends Schema.TaggedError<SpaceNotFound>()("SpaceNotFound", {
  org: OrgName,
  space: Schema.String
}) {
  override get message(): string {
    return `there is no space \`${this.space}\` in org \`${this.org}\``
  }
}

/** Another space has the path. */
export class SpaceExists extends Schema.TaggedError<SpaceExists>()("SpaceExists", {
  space: Schema.String
}) {
  override get message(): string {
    return `there is a space \`${this.space}\` already`
  }
}

/** The space has something in it. */
export class SpaceNotEmpty extends Schema.TaggedError<SpaceNotEmpty>()("SpaceNotEmpty", {
  space: Schema.String,
  what: Schema.Literal("spaces", "things", "grants", "placement rules", "protections")
}) {
  override get message(): string {
    const move = this.what === "grants" ? "end them" : "move or delete them"
    return `space \`${this.space}\` still has ${this.what}: ${move} first`
  }
}

/** A space can be neither in itself nor below itself, nor deeper than a path is long. */
export class SpaceMisplaced extends Schema.TaggedError<SpaceMisplaced>()("SpaceMisplaced", {
  because: Schema.Literal("cycle", "depth")
}) {
  override get message(): string {
    return this.because === "cycle"
      ? "a space cannot be moved into itself or below itself"
      : `a path has at most ${DEPTH_MAX} names`
  }
}

/** The org has the most spaces that an org can have. */
export class TooManySpaces extends Schema.TaggedError<TooManySpaces>()("TooManySpaces", {
  max: Schema.Int
}) {
  override get message(): string {
    return `an org has at most ${this.max} spaces: delete one that is not needed any more`
  }
}
