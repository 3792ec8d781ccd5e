/** A flow: a kind of work, such as the build of one service, with its trails. */
import * as Schema from "effect/Schema"
import {
  FlowId,
  FlowName,
  NAME_LENGTH_MAX,
  OrgId,
  OrgName,
  TemplateId
} from "../shared/Identifier.js"
import { Tags } from "../shared/Tags.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The visibility of a flow; new flows are private. SPEC §9.4 */
export const Visibility = Schema.Literal("public", "private")
/** The visibility of a flow. */
export type Visibility = typeof Visibility.Type

/** A flow. Its name is unique in the org; its id never changes. */
export const Flow = Schema.Struct({
  org_id: OrgId,
  id: FlowId,
  name: FlowName,
  description: Schema.String,
  visibility: Visibility,
  /** The YAML text of the template: what its trails should contain. */
  template: Schema.String,
  /** The id of the template's version. */
  template_id: TemplateId,
  tags: Tags,
  /** When it was archived; null while it is active. */
  archived_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A flow. */
export type Flow = typeof Flow.Type

/** The flow that a request gives; an absent field stays, or gets its default. */
export interface FlowDraft {
  readonly name: FlowName
  readonly description: string
  readonly visibility?: Visibility
  readonly template?: string
  /** The path of the space of a new flow; absent where the caller does not say. */
  readonly space?: string
}

/** The name of a flow in an org. */
export interface FlowKey {
  readonly org: OrgId
  readonly name: FlowName
}

/** There is no flow of that name. */
export class FlowNotFound extends Schema.TaggedError<FlowNotFound>()("FlowNotFound", {
  org: OrgName,
  flow: FlowName
}) {
  override get message(): string {
    return `there is no flow \`${this.flow}\` in org \`${this.org}\``
  }
}

/** Another flow has the name. */
export class FlowNameTaken extends Schema.TaggedError<FlowNameTaken>()("FlowNameTaken", {
  org: OrgName,
  flow: FlowName
}) {
  override get message(): string {
    return `there is a flow \`${this.flow}\` in org \`${this.org}\` already`
  }
}

/** The name of a flow once it is archived, which frees its own. DECISIONS.md, "Old names keep working" */
export const archivedName = ({ name }: Flow, at: Timestamp): FlowName => {
  const suffix = `-archived-at-${Math.floor(at / 1_000_000)}`
  return FlowName.make(`${name.slice(0, NAME_LENGTH_MAX - suffix.length)}${suffix}`)
}

/** The template of a flow without one: it expects nothing. */
export const EMPTY_TEMPLATE = "version: 1\n"

/**
 * The flow after a draft; `version` is the id of the next version of the template, used only for a different
 * text. Pipelines repeat PUTs.
 */
export const revise = (
  current: Flow,
  draft: FlowDraft,
  { at, version }: { readonly at: Timestamp; readonly version: TemplateId }
): Flow => {
  const template = draft.template ?? current.template
  return {
    ...current,
    description: draft.description,
    visibility: draft.visibility ?? current.visibility,
    template,
    template_id: template === current.template ? current.template_id : version,
    last_modified_at: at
  }
}

/** Whether two flows have the same content, whatever their times. */
export const sameContent = (left: Flow, right: Flow): boolean =>
  left.description === right.description &&
  left.visibility === right.visibility &&
  left.template === right.template
