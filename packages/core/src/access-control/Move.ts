/** What a move of things to another space asks for, does, and fails with. Pure. SPEC §4.30 */
import * as Schema from "effect/Schema"
import type { Role } from "../access/Role.js"
import type { SubjectKind } from "../grant/Grant.js"
import { ThingKind } from "../space/ThingPlace.js"

/** The most things of one move. */
export const THINGS_MAX = 1_000

/** A thing by its name. */
export interface ThingName {
  readonly kind: ThingKind
  readonly name: string
}

/** A subject whose grant reaches where the things are, and not where they go. */
export interface LosingSubject {
  readonly kind: SubjectKind
  readonly name: string
  readonly role: Role
}

/** The things that a move takes, and the subjects that lose access by it. */
export interface MoveReport {
  readonly moved: ReadonlyArray<ThingName>
  readonly losing: ReadonlyArray<LosingSubject>
}

/** There is no such thing that the caller can see. */
export class ThingNotFound extends Schema.TaggedError<ThingNotFound>()("ThingNotFound", {
  kind: ThingKind,
  name: Schema.String
}) {
  override get message(): string {
    return `there is no ${this.kind} \`${this.name}\``
  }
}

/** A move has more things than it can have. */
export class TooManyThings extends Schema.TaggedError<TooManyThings>()("TooManyThings", {
  count: Schema.Int
}) {
  override get message(): string {
    return `a move has at most ${THINGS_MAX} things, and this one has ${this.count}: move them in parts`
  }
}
