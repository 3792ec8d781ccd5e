/** Defines, versions, finds and archives custom attestation types. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import * as EvidenceKind from "../evidence/EvidenceKind.js"
import { Journals } from "../journal/Journals.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import * as AttestationType from "./AttestationType.js"
import * as BuiltInTypes from "./BuiltInTypes.js"
import { PayloadRules } from "./PayloadRules.js"

type Type = AttestationType.AttestationType

const RESERVED = `Names that begin with \`${EvidenceKind.RESERVED_PREFIX}\` are those of built-in types`

const fresh = (writer: WriteContext.WriteContext, draft: AttestationType.TypeDraft): Type => ({
  org_id: writer.org,
  name: draft.name,
  description: draft.description,
  archived: false,
  versions: [versionOf(writer, draft, 1)],
  created_by: writer.actor.name,
  created_at: writer.at,
  last_modified_at: writer.at
})

const versionOf = (
  writer: WriteContext.WriteContext,
  { type_schema, evaluator, summary }: AttestationType.TypeContent,
  version: number
): AttestationType.TypeVersion => ({
  type_schema,
  evaluator,
  summary,
  version,
  timestamp: writer.at,
  created_by: writer.actor.name
})

/** The type after a draft: a different content adds a version, and the type is no longer archived. */
const revise = (
  writer: WriteContext.WriteContext,
  current: Type,
  draft: AttestationType.TypeDraft
): Type => {
  const last = AttestationType.newest(current)
  const isSame = AttestationType.sameContent(last, draft)
  return {
    ...current,
    description: draft.description ?? current.description,
    archived: false,
    versions: isSame
      ? current.versions
      : [...current.versions, versionOf(writer, draft, last.version + 1)],
    last_modified_at: writer.at
  }
}

/** Use cases of custom attestation types. */
export class AttestationTypes extends Effect.Service<AttestationTypes>()(
  "@attestry/core/AttestationTypes",
  {
    effect: Effect.gen(function* () {
      const store = yield* AttestationStore
      const rules = yield* PayloadRules
      const transaction = yield* Transaction
      const journals = yield* Journals
      const builtIn = BuiltInTypes.make()

      const record = (writer: WriteContext.WriteContext, kind: string, type: Type) =>
        journals.record({
          ...writer,
          kind,
          subject: { type: "attestation-type", id: type.name },
          content: type
        })

      const tell = (type: Type, result: WriteOutcome["result"]) => {
        const { version } = AttestationType.newest(type)
        return CurrentOutcome.setOutcome({
          type: "attestation-type",
          id: null,
          name: type.name,
          result,
          version
        })
      }

      const update =
        (writer: WriteContext.WriteContext, draft: AttestationType.TypeDraft) =>
        (current: Type) => {
          const next = revise(writer, current, draft)
          const isSame =
            next.versions === current.versions &&
            next.description === current.description &&
            !current.archived
          return isSame
            ? Effect.as(tell(next, "unchanged"), "unchanged" as const)
            : store
                .updateType(next)
                .pipe(
                  Effect.zipRight(record(writer, "attestation_type_updated", next)),
                  Effect.zipRight(tell(next, "updated")),
                  Effect.as("updated" as const)
                )
        }

      /** Defines the type, or adds a version where its content differs. Names of built-in types are refused. */
      const put = Effect.fn("AttestationTypes.put")(function* (
        org: OrgName,
        draft: AttestationType.TypeDraft
      ) {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "attestation-type.write")
        const problems = BuiltInTypes.isReserved(draft.name)
          ? [{ field: "name", message: RESERVED }]
          : yield* rules.check(granted.orgId, draft)
        if (problems.length > 0)
          return yield* new AttestationType.InvalidAttestationType({ problems })
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => {
            const writer = WriteContext.make(granted, now)
            const type = fresh(writer, draft)
            return Upsert.put({
              find: store.findType({ org: writer.org, name: draft.name }, { lock: true }),
              insert: Effect.tap(store.insertType(type), (created) =>
                created
                  ? Effect.zipRight(
                      record(writer, "attestation_type_created", type),
                      tell(type, "created")
                    )
                  : Effect.void
              ),
              update: update(writer, draft)
            })
          })
        )
      })

      const notFound = (org: OrgName, type: string) => () =>
        new AttestationType.AttestationTypeNotFound({ org, type })

      /** The type of that name, archived or not; a built-in type unless the org has one of its name. */
      const get = Effect.fn("AttestationTypes.get")(function* (
        org: OrgName,
        name: AttestationType.AttestationTypeName
      ) {
        const { orgId } = yield* Access.authorizeMember(yield* CurrentActor, org)
        const own = Option.toArray(yield* store.findType({ org: orgId, name }))
        const found = BuiltInTypes.beside(orgId, own, builtIn).find((type) => type.name === name)
        return yield* Either.fromNullable(found, notFound(org, name))
      })

      /** Every type by name, built-in ones included; archived ones only on request. */
      const list = Effect.fn("AttestationTypes.list")(function* (
        org: OrgName,
        withArchived: boolean
      ) {
        const { orgId } = yield* Access.authorizeMember(yield* CurrentActor, org)
        const all = yield* store.listTypes(orgId)
        return BuiltInTypes.beside(orgId, all, builtIn).filter(
          ({ archived }) => withArchived || !archived
        )
      })

      /** Archives the type; its attestations stay. A built-in type is refused. */
      const archive = Effect.fn("AttestationTypes.archive")(function* (
        org: OrgName,
        name: AttestationType.AttestationTypeName
      ) {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "attestation-type.write")
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const found = yield* store.findType({ org: granted.orgId, name }, { lock: true })
            if (Option.isNone(found) && builtIn.some((type) => type.name === name))
              return yield* new AttestationType.InvalidAttestationType({
                problems: [{ field: "name", message: "A built-in type cannot be archived" }]
              })
            const type = yield* Either.fromOption(found, notFound(org, name))
            yield* tell(type, type.archived ? "unchanged" : "archived")
            if (type.archived) return
            const next = { ...type, archived: true, last_modified_at: now }
            yield* store.updateType(next)
            yield* record(WriteContext.make(granted, now), "attestation_type_archived", next)
          })
        )
      })

      /** Evaluates data by the newest version, for reports before their transaction. */
      const evaluate = (
        at: { readonly org: OrgName; readonly orgId: OrgId },
        name: AttestationType.AttestationTypeName,
        data: unknown
      ) =>
        Effect.gen(function* () {
          const found = Option.filter(
            yield* store.findType({ org: at.orgId, name }),
            ({ archived }) => !archived
          )
          const type = yield* Either.fromOption(found, notFound(at.org, name))
          const version = AttestationType.newest(type)
          const { problem, isCompliant } = yield* rules.evaluate(at.orgId, version, data)
          return problem === null
            ? { version: version.version, isCompliant }
            : yield* new AttestationType.InvalidAttestationData({ type: name, problem })
        })

      return { put, get, list, archive, evaluate } as const
    })
  }
) {}
