/**
 * A control: a requirement that people decide about, with the versions of its definition.
 *
 * Changes are pure functions: each returns the next control with its version entry, or none when nothing
 * changes. SPEC §2.11, §3
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as Dictionary from "../shared/Dictionary.js"
import { WebUrl } from "../shared/Evidence.js"
import { ControlIdentifier, NAME_LENGTH_MAX, OrgId, OrgName } from "../shared/Identifier.js"
import { Tags } from "../shared/Tags.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The name of a control. */
export const ControlName = Schema.String.pipe(
  Schema.filter((name) => name.trim() !== "" || "String should not be blank"),
  Schema.maxLength(NAME_LENGTH_MAX)
)

/** Links by name; names may contain dots. */
export const Links = Dictionary.make({
  key: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(NAME_LENGTH_MAX)),
  value: WebUrl,
  members: { type: "string", format: "uri" }
}).annotations({ identifier: "ControlLinks" })
/** Links by name. */
export type Links = typeof Links.Type

/** The definition in a version. */
export const Definition = Schema.Struct({
  name: ControlName,
  description: Schema.NullOr(Schema.String),
  links: Links
})
/** The definition in a version. */
export type Definition = typeof Definition.Type

/** The reason for a version. SPEC §3 */
export const VersionKind = Schema.Literal("Created", "Edited", "Archived", "Unarchived")
/** The reason for a version. */
export type VersionKind = typeof VersionKind.Type

/** One version of a control: its definition from then on, with actor and instant. */
export const ControlVersion = Schema.Struct({
  version: Schema.Int,
  kind: VersionKind,
  ...Definition.fields,
  user: Schema.String,
  timestamp: Timestamp
})
/** One version of a control. */
export type ControlVersion = typeof ControlVersion.Type

/** The current state of a control; `version` is the number of its newest version. */
export const Control = Schema.Struct({
  org_id: OrgId,
  identifier: ControlIdentifier,
  ...Definition.fields,
  tags: Tags,
  version: Schema.Int,
  archived: Schema.Boolean,
  created_by: Schema.String,
  created_at: Timestamp
})
/** The current state of a control. */
export type Control = typeof Control.Type

/** The identifier of a control in an org. */
export interface ControlKey {
  readonly org: OrgId
  readonly identifier: ControlIdentifier
}

/** The key of a control. */
export const keyOf = ({ org_id, identifier }: Control): ControlKey => ({ org: org_id, identifier })

/** The control that a request gives. */
export interface ControlDraft extends Definition {
  readonly identifier: ControlIdentifier
  /** The path of the space of the control; absent where the caller does not say. */
  readonly space?: string
}

/** The fields to change; absent fields stay, and links are replaced as a whole. */
export type ControlPatch = Partial<Definition>

/** The actor and the instant of a change. */
export interface Change {
  readonly by: string
  readonly at: Timestamp
}

/** A control after a change, with its new version. */
export interface Changed {
  readonly control: Control
  readonly entry: ControlVersion
}

/** There is no control of that identifier. */
export class ControlNotFound extends Schema.TaggedError<ControlNotFound>()("ControlNotFound", {
  org: OrgName,
  control: Schema.String
}) {
  override get message(): string {
    return `there is no control \`${this.control}\` in org \`${this.org}\``
  }
}

/** The control has no version of that number. */
export class ControlVersionNotFound extends Schema.TaggedError<ControlVersionNotFound>()(
  "ControlVersionNotFound",
  { org: OrgName, control: Schema.String, version: Schema.Int }
) {
  override get message(): string {
    return `control \`${this.control}\` in org \`${this.org}\` has no version ${this.version}`
  }
}

/** The control has no decision of that id. */
export class ControlDecisionNotFound extends Schema.TaggedError<ControlDecisionNotFound>()(
  "ControlDecisionNotFound",
  { org: OrgName, control: Schema.String, decision: Schema.String }
) {
  override get message(): string {
    return `control \`${this.control}\` in org \`${this.org}\` has no decision \`${this.decision}\``
  }
}

/** The identifier is taken, by an active or an archived control; it never becomes free. */
export class ControlExists extends Schema.TaggedError<ControlExists>()("ControlExists", {
  org: OrgName,
  control: Schema.String
}) {
  override get message(): string {
    return `there is a control \`${this.control}\` in org \`${this.org}\` already`
  }
}

/** The control is archived, and archived controls are not edited. */
export class ControlArchived extends Schema.TaggedError<ControlArchived>()("ControlArchived", {
  org: OrgName,
  control: Schema.String
}) {
  override get message(): string {
    return `control \`${this.control}\` in org \`${this.org}\` is archived`
  }
}

const definitionOf = ({ name, description, links }: Definition): Definition => ({
  name,
  description,
  links
})

const entryOf = (control: Control, kind: VersionKind, { by, at }: Change): Changed => ({
  control,
  entry: { version: control.version, kind, ...definitionOf(control), user: by, timestamp: at }
})

/** The first version of a control. */
export const create = (org: OrgId, draft: ControlDraft, change: Change): Changed =>
  entryOf(
    {
      org_id: org,
      identifier: draft.identifier,
      ...definitionOf(draft),
      tags: {},
      version: 1,
      archived: false,
      created_by: change.by,
      created_at: change.at
    },
    "Created",
    change
  )

/** The control with another definition; none when the definition is the same. */
export const edit = (
  control: Control,
  patch: ControlPatch,
  change: Change
): Either.Either<Option.Option<Changed>, "archived"> => {
  if (control.archived) return Either.left("archived")
  const before = definitionOf(control)
  const after = { ...before, ...patch }
  return Either.right(
    CanonicalJson.equals(before, after)
      ? Option.none()
      : Option.some(
          entryOf({ ...control, ...after, version: control.version + 1 }, "Edited", change)
        )
  )
}

const moved = (control: Control, archived: boolean, change: Change): Option.Option<Changed> =>
  control.archived === archived
    ? Option.none()
    : Option.some(
        entryOf(
          { ...control, archived, version: control.version + 1 },
          archived ? "Archived" : "Unarchived",
          change
        )
      )

/** The control archived; none when it already is. Archivings count as versions. */
export const archive = (control: Control, change: Change): Option.Option<Changed> =>
  moved(control, true, change)

/** The control no longer archived; none when it is not. */
export const unarchive = (control: Control, change: Change): Option.Option<Changed> =>
  moved(control, false, change)
