/**
 * A policy: a named text that environments consume, each change of which is a version. SPEC §2.7
 *
 * What the text means is `PolicyDocument`'s question. Versions never change, and policies are never
 * deleted or archived. DECISION D6.5
 */
import * as Schema from "effect/Schema"
import { OrgId, OrgName, PolicyId, PolicyName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { PolicyDump } from "./AppliedPolicy.js"
import { FlowPart } from "./PolicyDocument.js"

/** One version of a policy; numbers count from 1 without gaps. */
export const PolicyVersionRecord = Schema.Struct({
  org_id: OrgId,
  policy_id: PolicyId,
  version: Schema.Int,
  comment: Schema.String,
  policy_yaml: Schema.String,
  /** What the text said when it was accepted, as snapshots show it. */
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
  /** The number of the latest version: the one that environments use. DECISION D6.6 */
  version: Schema.Int,
  policy_yaml: Schema.String,
  /** What of flows that text looks at: whose change makes consuming environments stale. */
  reads: Schema.Array(FlowPart),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A policy with the text of its latest version. */
export type Policy = typeof Policy.Type

/** What a policy is asked to be; the comment is about the version that the text makes. */
export interface PolicyDraft {
  readonly name: PolicyName
  readonly description: string
  readonly comment: string
  readonly policy_yaml: string
}

/** A name that means one policy in one org. */
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

/** What a draft changes about a policy. */
export interface Revision {
  readonly next: Policy
  /** Whether the text is another one, byte for byte, and so a version. DECISION D6.3 */
  readonly isVersion: boolean
  readonly isDescribed: boolean
}

/** What a draft makes of the current policy, at this instant. */
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
