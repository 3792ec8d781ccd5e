/**
 * A policy: a named text that environments use; each change of it is a version. SPEC §2.7
 *
 * `PolicyDocument` parses the text. Versions never change, and policies are never deleted or archived.
 */
import * as Schema from "effect/Schema"
import { OrgId, OrgName, PolicyId, PolicyName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { PolicyDump } from "./AppliedPolicy.js"
import { ReadPart } from "./PolicyDocument.js"

/** One version of a policy; numbers count from 1 without gaps. */
export const PolicyVersionRecord = Schema.Struct({
  org_id: OrgId,
  policy_id: PolicyId,
  version: Schema.Int,
  comment: Schema.String,
  policy_yaml: Schema.String,
  /** The parsed text in the form of snapshots, as of its acceptance. */
  dump: PolicyDump,
  created_by: Schema.String,
  timestamp: Timestamp
})
/** One version of a policy. */
export type PolicyVersionRecord = typeof PolicyVersionRecord.Type

/** A policy with the text of its latest version. Its name is unique in the org and never changes. */
export const Policy = Schema.Struct({
  org_id: OrgId,
  id: PolicyId,
  name: PolicyName,
  description: Schema.String,
  /** The number of the latest version: the one that environments use. Fixing a policy fixes its environments. */
  version: Schema.Int,
  policy_yaml: Schema.String,
  /**
   * What the text reads besides evidence. A change of a part of a flow makes environments with the policy stale;
   * where the age is read, evidence can be renewed.
   */
  reads: Schema.Array(ReadPart),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A policy with the text of its latest version. */
export type Policy = typeof Policy.Type

/** The policy that a request gives; the comment belongs to the version. */
export interface PolicyDraft {
  readonly name: PolicyName
  readonly description: string
  readonly comment: string
  readonly policy_yaml: string
  /** The path of the space of a new policy; absent where the caller does not say. */
  readonly space?: string
}

/** The name of a policy in an org. */
export interface PolicyKey {
  readonly org: OrgId
  readonly name: PolicyName
}

/** There is no policy of that name. */
export class PolicyNotFound extends Schema.TaggedError<PolicyNotFound>()("PolicyNotFound", {
  org: OrgName,
  policy: Schema.String
}) {
  override get message(): string {
    return `there is no policy \`${this.policy}\` in org \`${this.org}\``
  }
}

/** The policy has no version of that number. */
export class PolicyVersionNotFound extends Schema.TaggedError<PolicyVersionNotFound>()(
  "PolicyVersionNotFound",
  { org: OrgName, policy: Schema.String, version: Schema.Int }
) {
  override get message(): string {
    return `policy \`${this.policy}\` in org \`${this.org}\` has no version ${this.version}`
  }
}

/** The effect of a draft on a policy. */
export interface Revision {
  readonly next: Policy
  /** Whether the text differs, byte for byte, and is a new version. Comments in the file are part of it. */
  readonly isVersion: boolean
  readonly isDescribed: boolean
}

/** The policy after a draft, at this instant. */
export const revise = (
  current: Policy,
  draft: PolicyDraft & Pick<Policy, "reads">,
  at: Timestamp
): Revision => {
  const isVersion = draft.policy_yaml !== current.policy_yaml
  const isDescribed = draft.description !== current.description
  return {
    isVersion,
    isDescribed,
    next: {
      ...current,
      description: draft.description,
      version: isVersion ? current.version + 1 : current.version,
      policy_yaml: draft.policy_yaml,
      reads: isVersion ? draft.reads : current.reads,
      last_modified_at: isVersion || isDescribed ? at : current.last_modified_at
    }
  }
}
