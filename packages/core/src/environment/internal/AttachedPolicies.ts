/**
 * The policies of environments by name and by id, and the journal entries of their changes.
 *
 * Runs inside the transactions of use cases that write environments. Policies are locked before the
 * environment: a concurrent new version either sees the environment, or the environment sees the version.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Granted } from "../../access/Access.js"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { Journals } from "../../journal/Journals.js"
import { PolicyNotFound } from "../../policy/Policy.js"
import { type PolicyMode, toField } from "../../policy/PolicyMode.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import { HeldChanges } from "../../protection/internal/HeldChanges.js"
import { type OrgId, type PolicyId, PolicyName, type SpaceId } from "../../shared/Identifier.js"
import { Reevaluations } from "../../snapshot/Reevaluations.js"
import {
  type Environment as Env,
  type EnvironmentView,
  type ModesByName,
  modeOf,
  samePolicies
} from "../Environment.js"
import { PolicyNotAttached } from "../EnvironmentFailure.js"

const decodeName = Schema.decodeOption(PolicyName)

/** The policies of an environment before and after a change, and the reason that was given for it. */
interface AttachmentChange {
  readonly before: Pick<Env, "policies" | "policy_modes">
  readonly after: Env
  readonly reason?: string | undefined
}

/** Whether a change of an environment is one that can be protected. */
const isHeld = (before: Env | null, after: Env): boolean =>
  before === null
    ? after.policies.length > 0
    : !samePolicies(before, after) ||
      before.require_provenance !== after.require_provenance ||
      (after.included ?? []).some((id) => before.included?.includes(id) !== true)

/** The policies of environments. */
export class AttachedPolicies extends Effect.Service<AttachedPolicies>()(
  "@attestry/core/AttachedPolicies",
  {
    effect: Effect.gen(function* () {
      const store = yield* PolicyStore
      const reaches = yield* Reaches
      const journals = yield* Journals
      const reevaluations = yield* Reevaluations
      const held = yield* HeldChanges

      /** The ids of policies by their names, each once, in the order given; locked until the transaction ends. */
      const hold = ({ org, orgId }: Granted, names: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const distinct = [...new Set(names)]
          const found = yield* store.holdByNames(
            orgId,
            distinct.flatMap((name) => Option.toArray(decodeName(name)))
          )
          const ids = new Map<string, PolicyId>(found.map(({ id, name }) => [name, id]))
          const missing = distinct.find((name) => !ids.has(name))
          if (missing !== undefined) return yield* new PolicyNotFound({ org, policy: missing })
          return distinct.flatMap((name) => ids.get(name) ?? [])
        })

      /** As `hold`; a policy that the caller does not read is as absent. */
      const holdReadable = (granted: GrantedWithin, names: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const held = yield* hold(granted, names)
          const readable = yield* reaches.keepReadable(granted, {
            kind: "policy",
            things: held,
            idOf: (id) => id
          })
          const hidden = [...new Set(names)].find((_, index) => {
            const id = held[index]
            return id !== undefined && !readable.includes(id)
          })
          if (hidden === undefined) return held
          return yield* new PolicyNotFound({ org: granted.org, policy: hidden })
        })

      /** Journals the policies that an environment gained, lost, or has in another mode. */
      const recordChanges = (writer: WriteContext, { before, after, reason }: AttachmentChange) => {
        const record = (kind: string, id: PolicyId, mode: { readonly mode?: PolicyMode }) =>
          journals.record({
            ...writer,
            kind,
            subject: { type: "policy", id },
            content: {
              environment: after.name,
              environment_id: after.id,
              ...mode,
              ...(reason === undefined ? {} : { reason })
            }
          })
        return Effect.gen(function* () {
          for (const id of after.policies) {
            const mode = modeOf(after, id)
            if (!before.policies.includes(id)) yield* record("policy_attached", id, toField(mode))
            else if (modeOf(before, id) !== mode) yield* record("policy_mode_changed", id, { mode })
          }
          for (const id of before.policies)
            if (!after.policies.includes(id))
              yield* record("policy_detached", id, toField(modeOf(after, id)))
        })
      }

      /**
       * Fails if an environment may not get other policies or modes, another rule about provenance, or more members,
       * without other people. Instead of an environment before, a new one has the space that it goes to.
       */
      const checkHeld = (writer: WriteContext, given: Env | SpaceId, after: Env) =>
        Effect.gen(function* () {
          const [before, at] =
            typeof given === "string"
              ? ([null, given] as const)
              : ([given, { kind: "environment", id: after.id }] as const)
          if (!isHeld(before, after)) return
          const own = before === null ? [after] : [before, after]
          const found = yield* store.list(writer.org, [
            ...new Set(own.flatMap(({ policies }) => policies))
          ])
          const shown = (environment: Env) => ({
            policies: Object.fromEntries(
              found
                .filter(({ id }) => environment.policies.includes(id))
                .map(({ id, name }) => [name, modeOf(environment, id)])
            ),
            require_provenance: environment.require_provenance,
            ...(environment.included === null ? {} : { members: environment.included })
          })
          yield* held.check(writer, {
            kinds: ["attachment"],
            subject: { type: "environment", name: after.name },
            at,
            before: before && shown(before),
            after: shown(after)
          })
        })

      /** The names of the policies of environments, and the mode of each. */
      const namesOf = (org: OrgId, environments: ReadonlyArray<Env>) =>
        Effect.map(
          store.list(org, [...new Set(environments.flatMap(({ policies }) => policies))]),
          (found) =>
            (environment: Env): Pick<EnvironmentView, "policies" | "policyModes"> => {
              const attached = found.filter(({ id }) => environment.policies.includes(id))
              return {
                policies: attached.map(({ name }) => name),
                policyModes: Object.fromEntries(
                  attached.map(({ id, name }) => [name, modeOf(environment, id)])
                )
              }
            }
        )

      /** Modes by the ids of policies; a name that no attached policy has is refused. */
      const modesOf = (org: OrgId, policies: ReadonlyArray<PolicyId>, given: ModesByName = {}) =>
        Effect.gen(function* () {
          const names = Object.keys(given)
          const found = names.length === 0 ? [] : yield* store.list(org, policies)
          const ids = new Map<string, PolicyId>(found.map(({ id, name }) => [name, id]))
          const missing = names.find((name) => !ids.has(name))
          if (missing !== undefined) return yield* new PolicyNotAttached({ policy: missing })
          return new Map(
            Object.entries(given).flatMap(([name, mode]) => {
              const id = ids.get(name)
              return id === undefined ? [] : [[id, mode] as const]
            })
          )
        })

      const { policiesChanged: reevaluate } = reevaluations

      return { hold, holdReadable, checkHeld, recordChanges, reevaluate, namesOf, modesOf } as const
    })
  }
) {}
