/** Serves the operations of custom attestation types. */
import {
  AttestationTypeApi,
  type AttestationTypeResponse,
  type PutAttestationType
} from "@attestry/api/AttestationTypeApi"
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import * as AttestationType from "@attestry/core/AttestationType"
import { AttestationTypes } from "@attestry/core/AttestationTypes"
import type { ShownType } from "@attestry/core/BuiltInTypes"
import type { OrgName } from "@attestry/core/Identifier"
import * as JsonText from "@attestry/core/JsonText"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** A schema from a file is JSON text; one from the body is a value. */
const schemaOf = (given: unknown): Either.Either<unknown, BadRequest> =>
  typeof given !== "string"
    ? Either.right(given ?? null)
    : Either.mapLeft(JsonText.parse(given), (errors) =>
        invalid(
          Object.fromEntries(
            Object.entries(errors).map(([field, message]) => [
              field === "body" ? "type_schema" : `type_schema.${field}`,
              message
            ])
          )
        )
      )

const draftOf = (
  payload: typeof PutAttestationType.Type,
  type_schema: unknown
): AttestationType.TypeDraft => ({
  name: payload.name,
  description: payload.description ?? null,
  type_schema,
  evaluator: AttestationType.evaluatorOf(payload.evaluator),
  summary: payload.summary ?? null
})

/** A type without a description has no such member. */
const described = ({ description }: AttestationType.AttestationType) =>
  description === null ? {} : { description }

/** Other types have no such member. */
const builtIn = ({ isBuiltIn }: ShownType) => (isBuiltIn ? { built_in: true as const } : {})

const responseOf = (org: OrgName, type: ShownType): typeof AttestationTypeResponse.Type => ({
  name: type.name,
  ...described(type),
  org,
  archived: type.archived,
  ...builtIn(type),
  created_by: type.created_by,
  created_at: type.created_at,
  last_modified_at: type.last_modified_at,
  versions: [...type.versions].reverse()
})

/** One version of a type; a text that is no whole number means all versions. */
const versionOf = (
  org: OrgName,
  type: ShownType,
  requested: string | undefined
): Either.Either<typeof AttestationTypeResponse.Type, AttestationType.TypeVersionNotFound> => {
  if (requested === undefined || !/^[+-]?\d{1,15}$/.test(requested)) {
    return Either.right(responseOf(org, type))
  }
  const version = type.versions.find((one) => one.version === Number(requested))
  const { name, archived } = type
  return version === undefined
    ? Either.left(
        new AttestationType.TypeVersionNotFound({ type: name, version: Number(requested) })
      )
    : Either.right({
        name,
        ...described(type),
        org,
        archived,
        ...builtIn(type),
        versions: [version]
      })
}

/** Serves the operations of custom attestation types. */
export const AttestationTypeHandlers = group(
  AttestationTypeApi,
  Effect.map(AttestationTypes, (types) => ({
    put: ({ path, payload }) =>
      Effect.flatMap(schemaOf(payload.type_schema), (schema) =>
        types.put(path.org, draftOf(payload, schema))
      ).pipe(toWire, Effect.as(created("OK" as const))),
    list: ({ path, urlParams }) =>
      types.list(path.org, urlParams.archived ?? false).pipe(
        toWire,
        Effect.map((found) => ok(found.map((type) => responseOf(path.org, type))))
      ),
    get: ({ path, urlParams }) =>
      types.get(path.org, path.type_name).pipe(
        Effect.flatMap((type) => versionOf(path.org, type, urlParams.version)),
        toWire,
        Effect.map(ok)
      ),
    archive: ({ path }) =>
      types.archive(path.org, path.type_name).pipe(toWire, Effect.as(ok("OK" as const)))
  }))
)
