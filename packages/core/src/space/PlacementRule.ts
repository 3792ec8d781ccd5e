/**
 * Where a new thing goes by its name. Pure.
 *
 * Rules are read in order, and the first whose pattern fits the name reserves the name for its space.
 */
import * as Schema from "effect/Schema"
import { SpaceId } from "../shared/Identifier.js"
import * as WildcardPattern from "../shared/internal/WildcardPattern.js"
import { ThingKind } from "./ThingPlace.js"

/** The most placement rules of an org. */
export const RULES_MAX = 500
/** The most characters of a pattern. */
export const PATTERN_LENGTH_MAX = 256

/** A pattern of names: `*` is any run of characters. */
export const NamePattern = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(PATTERN_LENGTH_MAX)
)

/** A placement rule. */
export const PlacementRule = Schema.Struct({
  kind: ThingKind,
  name: NamePattern,
  space_id: SpaceId
})
/** A placement rule. */
export type PlacementRule = typeof PlacementRule.Type

/** The space that the first fitting rule names; undefined where none fits. */
export const spaceOf = (
  rules: ReadonlyArray<PlacementRule>,
  kind: ThingKind,
  name: string
): SpaceId | undefined =>
  rules.find((rule) => rule.kind === kind && WildcardPattern.matches(rule.name, name, "/"))
    ?.space_id

/** A placement rule reserves the name for another space than was asked for. */
export class NameReserved extends Schema.TaggedError<NameReserved>()("NameReserved", {
  name: Schema.String
}) {
  override get message(): string {
    return "this name is reserved for another space by a placement rule"
  }
}

/** There is no such space that the caller can see. */
export class SpaceUnknown extends Schema.TaggedError<SpaceUnknown>()("SpaceUnknown", {
  space: Schema.String
}) {
  override get message(): string {
    return `there is no space '${this.space}'`
  }
}

/** Why a new thing has no place. */
export type PlacementFailure = NameReserved | SpaceUnknown
