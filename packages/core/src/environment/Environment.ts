/**
 * An environment: a place where artifacts run, with numbered snapshots of its state.
 *
 * Reports go to a physical environment; a logical one groups physical ones and shows their artifacts. Its
 * errors are in `EnvironmentFailure`.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { PolicyMode } from "../policy/PolicyMode.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import {
  EnvironmentId,
  EnvironmentName,
  NAME_LENGTH_MAX,
  OrgId,
  type OrgName,
  PolicyId,
  type PolicyName
} from "../shared/Identifier.js"
import * as Tags from "../shared/Tags.js"
import { Timestamp, toSeconds } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"
import * as Cadence from "./Cadence.js"
import { EnvironmentKind, fromWord, isAlias, KindAlias, type KindWord } from "./EnvironmentKind.js"

/**
 * The settings that requests give and that responses show, each as it is. A new one belongs here. A field that is
 * spelled in ten places is forgotten in one of them.
 */
export const EnvironmentSettings = Schema.Struct({
  description: Schema.String,
  /** Whether a change of instance counts alone appends a snapshot. */
  include_scaling: Schema.Boolean,
  /** Whether provenance is required, as by one more policy; deprecated. */
  require_provenance: Schema.Boolean
})
/** The settings of an environment. */
export type EnvironmentSettings = typeof EnvironmentSettings.Type

/** The settings of an environment whose creation gives none. */
export const DEFAULT_SETTINGS: EnvironmentSettings = {
  description: "",
  include_scaling: false,
  require_provenance: false
}

/**
 * An environment. Its name is unique among active ones; its kind never changes. With another kind its history would
 * lose its meaning.
 */
export const Environment = Schema.Struct({
  org_id: OrgId,
  id: EnvironmentId,
  name: EnvironmentName,
  type: EnvironmentKind,
  /** The second word of its kind, where it was created with it; null for the neutral word. */
  type_alias: Schema.NullOr(KindAlias),
  ...EnvironmentSettings.fields,
  ...Cadence.fields,
  /** The members of a logical environment, in the order of joining; null for a physical one. */
  included: Schema.NullOr(Schema.Array(EnvironmentId)),
  /** The attached policies, in the order of attachment. */
  policies: Schema.Array(PolicyId),
  /** Those of them that only warn; absent when every one counts, as before there were modes. */
  policy_modes: Schema.optionalWith(
    Schema.Record({ key: PolicyId, value: Schema.Literal("warn") }),
    { exact: true }
  ),
  tags: Tags.Tags,
  created_at: Timestamp,
  last_modified_at: Timestamp,
  last_reported_at: Schema.NullOr(Timestamp),
  last_changed_at: Schema.NullOr(Timestamp),
  /** The verdict of the latest snapshot; null before the first. */
  verdict: Schema.NullOr(Verdict),
  /** The instant by which a report was due, while the environment is silent; absent otherwise. */
  silent_since: Schema.optionalWith(Timestamp, { exact: true }),
  archived_at: Schema.NullOr(Timestamp),
  /** The next instant at which time alone may change a verdict; absent without one. */
  due_at: Schema.optionalWith(Timestamp, { exact: true }),
  /** The next look for silence, of an environment with a cadence that has reported; absent without one. */
  silence_due_at: Schema.optionalWith(Timestamp, { exact: true }),
  /**
   * Present where a change of a policy is still to be applied to its verdict, or to that of a member. Lists say so; a
   * locked environment never has it.
   */
  verdict_pending: Schema.optionalWith(Schema.Literal(true), { exact: true })
})
/** An environment. */
export type Environment = typeof Environment.Type

/** The content of an environment: what `EnvironmentStore.update` replaces, and nothing else writes. */
export const EnvironmentContent = Environment.omit(
  "org_id",
  "id",
  "name",
  "type",
  "type_alias",
  "created_at",
  "last_reported_at",
  "last_changed_at",
  "verdict",
  "silent_since",
  "archived_at",
  "due_at",
  "silence_due_at",
  "verdict_pending"
)
/** The content of an environment. */
export type EnvironmentContent = typeof EnvironmentContent.Type

/** The environment that a request gives. An empty description does not clear the stored one. */
export interface EnvironmentDraft extends Partial<EnvironmentSettings>, Partial<Cadence.Cadence> {
  readonly name: EnvironmentName
  /** Either word of its kind. */
  readonly type: KindWord
  /** Names of the members of a logical environment. */
  readonly included_environments?: ReadonlyArray<string>
  /** Names of all policies to attach. */
  readonly policies?: ReadonlyArray<string>
  /** Modes of attached policies by name; others keep theirs. */
  readonly policy_modes?: ModesByName
  /** The path of the space of a new environment; absent where the caller does not say. */
  readonly space?: string
}

/** Modes of policies by name. */
export type ModesByName = { readonly [name: string]: PolicyMode }

/** The fields to change; absent fields stay, an empty description clears. */
export interface EnvironmentPatch extends Partial<EnvironmentSettings>, Partial<Cadence.Cadence> {
  readonly included_environments?: ReadonlyArray<string>
  /** Names of all policies to attach. A list is one act and appends one snapshot. */
  readonly policies?: ReadonlyArray<string>
  /** Modes of attached policies by name; others keep theirs. */
  readonly policy_modes?: ModesByName
}

/** The name of an environment in an org. */
export interface EnvironmentKey {
  readonly org: OrgId
  readonly name: EnvironmentName
}

/** One environment, by id. */
export interface EnvironmentRef {
  readonly org: OrgId
  readonly environment: EnvironmentId
}

/** An environment with the names of its org, its policies and its members. */
export interface EnvironmentView {
  readonly org: OrgName
  readonly environment: Environment
  readonly included: ReadonlyArray<EnvironmentName> | null
  /** By name. */
  readonly policies: ReadonlyArray<PolicyName>
  /** The mode of each of them, by name. */
  readonly policyModes: ModesByName
}

/** Policies that only warn, by id. */
type Warning = NonNullable<Environment["policy_modes"]>

/** How an attached policy counts. */
export const modeOf = (
  { policy_modes }: Pick<Environment, "policy_modes">,
  policy: PolicyId
): PolicyMode => policy_modes?.[policy] ?? "enforce"

/** The attached policies that count. */
export const enforcedOf = (environment: Environment): ReadonlyArray<PolicyId> =>
  environment.policies.filter((policy) => modeOf(environment, policy) === "enforce")

/** The policies that evaluate an environment, and how each counts. */
export const selectionOf = ({
  policies,
  policy_modes: modes = {},
  require_provenance: requireProvenance
}: Environment) => ({ policies, requireProvenance, modes })

/** The modes of policies after some of them are set; a policy that is not attached has none. */
const warningOf = (
  policies: ReadonlyArray<PolicyId>,
  current: Warning,
  given: ReadonlyMap<PolicyId, PolicyMode>
): Warning =>
  Object.fromEntries(
    policies
      .filter((policy) => (given.get(policy) ?? current[policy]) === "warn")
      .map((policy) => [policy, "warn" as const])
  )

/** The word of its kind that an environment was created with, which it is shown with. */
export const kindWord = ({
  type,
  type_alias
}: Pick<Environment, "type" | "type_alias">): KindWord => type_alias ?? type

/** The reference to an environment. */
export const ref = (environment: Pick<Environment, "org_id" | "id">): EnvironmentRef => ({
  org: environment.org_id,
  environment: environment.id
})

const settingNames = Struct.keys(EnvironmentSettings.fields)
const contentNames = Struct.keys(EnvironmentContent.fields)

/** The settings of an environment. */
export const settingsOf = (environment: Environment): EnvironmentSettings =>
  Struct.pick(environment, ...settingNames)

/** The content of an environment. */
export const contentOf = (environment: Environment): EnvironmentContent =>
  Struct.pick(environment, ...contentNames)

/** The settings that a request gives; those that it leaves out are absent. */
export const settingsIn = (given: Partial<EnvironmentSettings>): Partial<EnvironmentSettings> =>
  Struct.pick(given, ...settingNames)

/** The settings that a PUT gives: an empty description does not clear the stored one. SPEC §4.4 */
export const settingsPut = (draft: EnvironmentDraft): Partial<EnvironmentSettings> => {
  const { description, ...settings } = settingsIn(draft)
  return description ? { ...settings, description } : settings
}

/** What of a new environment follows from other records. */
export interface Creation {
  /** The members of a logical environment. */
  readonly included: ReadonlyArray<EnvironmentId>
  readonly policies: ReadonlyArray<PolicyId>
  readonly modes?: ReadonlyMap<PolicyId, PolicyMode> | undefined
  readonly cadence: Partial<Cadence.Cadence> | undefined
  readonly at: Timestamp
}

/** A new environment. */
export const create = (
  key: Pick<Environment, "org_id" | "id">,
  draft: EnvironmentDraft,
  { at, cadence, included, modes, policies }: Creation
): Environment => {
  const type = fromWord(draft.type)
  return {
    ...key,
    name: draft.name,
    type,
    type_alias: isAlias(draft.type) ? draft.type : null,
    ...DEFAULT_SETTINGS,
    ...settingsIn(draft),
    ...Cadence.revise({}, cadence ?? {}),
    included: type === "logical" ? included : null,
    policies,
    ...withModes(policies, {}, modes),
    tags: {},
    created_at: at,
    last_modified_at: at,
    last_reported_at: null,
    last_changed_at: null,
    verdict: null,
    archived_at: null
  }
}

/** The environment after a patch. */
export const revise = (
  current: Environment,
  patch: Partial<EnvironmentSettings> & {
    readonly included?: ReadonlyArray<EnvironmentId> | undefined
    readonly policies?: ReadonlyArray<PolicyId> | undefined
    readonly modes?: ReadonlyMap<PolicyId, PolicyMode> | undefined
    readonly cadence?: Partial<Cadence.Cadence> | undefined
  },
  at: Timestamp
): Environment => {
  const { policy_modes = {}, report_every: _every, when_silent: _effect, ...kept } = current
  const policies = patch.policies ?? current.policies
  return {
    ...kept,
    ...settingsIn(patch),
    ...Cadence.revise(current, patch.cadence ?? {}),
    included: patch.included ?? current.included,
    policies,
    ...withModes(policies, policy_modes, patch.modes),
    last_modified_at: at
  }
}

/** The field of modes; absent when every policy counts. */
export const withModes = (
  policies: ReadonlyArray<PolicyId>,
  current: Warning,
  given: ReadonlyMap<PolicyId, PolicyMode> = new Map()
): Pick<Environment, "policy_modes"> => {
  const policy_modes = warningOf(policies, current, given)
  return Object.keys(policy_modes).length === 0 ? {} : { policy_modes }
}

const sameSet = (left: ReadonlyArray<string> | null, right: ReadonlyArray<string> | null) => {
  const [one, other] = [new Set(left), new Set(right)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}

/** Whether two environments have the same members, in any order. */
export const sameMembers = (left: Environment, right: Environment): boolean =>
  sameSet(left.included, right.included)

/** Whether two environments have the same policies in the same modes, in any order. */
export const samePolicies = (left: Environment, right: Environment): boolean =>
  left.require_provenance === right.require_provenance &&
  sameSet(left.policies, right.policies) &&
  left.policies.every((policy) => modeOf(left, policy) === modeOf(right, policy))

/** Whether two environments have the same settings. */
export const sameSettings = (left: Environment, right: Environment): boolean =>
  CanonicalJson.equals(settingsOf(left), settingsOf(right)) &&
  Cadence.equals(left, right) &&
  sameMembers(left, right) &&
  samePolicies(left, right)

/** The environment archived; its name becomes free. The old one stays under `<name>-archived-at-<epoch>`. */
export const archive = (current: Environment, at: Timestamp): Environment => {
  const suffix = `-archived-at-${Math.floor(toSeconds(at))}`
  const name = current.name.slice(0, NAME_LENGTH_MAX - suffix.length) + suffix
  return { ...current, name: EnvironmentName.make(name), archived_at: at, last_modified_at: at }
}
