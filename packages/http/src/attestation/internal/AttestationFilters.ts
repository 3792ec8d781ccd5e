/** The filters that the query parameters of the lists of attestations mean. */
import type { ListAttestations, ListForCriteria, ListOfFlow } from "@attestry/api/AttestationQuery"
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import { fromWire } from "@attestry/core/AttestationTypePattern"
import type { AttestationQuery } from "@attestry/core/AttestationViews"
import { withInput } from "@attestry/core/FieldErrors"
import * as PolicyPattern from "@attestry/core/PolicyPattern"
import * as Either from "effect/Either"

/** The values of several names for one filter; undefined where none is given. */
const union = <A>(...given: ReadonlyArray<ReadonlyArray<A> | undefined>) =>
  given.every((values) => values === undefined)
    ? undefined
    : given.flatMap((values) => values ?? [])

const listOf = <A>(value: A | undefined): ReadonlyArray<A> | undefined =>
  value === undefined ? undefined : [value]

/** The compiled pattern of names; 400 where policies would refuse it. */
const patternOf = (text: string | undefined) =>
  text === undefined
    ? Either.right({})
    : Either.mapBoth(PolicyPattern.compile(text), {
        onLeft: ({ message }) => invalid({ "query.name_regex": withInput(message, text) }),
        onRight: (namePattern) => ({ namePattern })
      })

/** The filter of the list of attestations. */
export const queryOf = (
  query: typeof ListAttestations.Type
): Either.Either<AttestationQuery, BadRequest> => {
  const names = union(listOf(query.name), listOf(query.attestation_name))
  const flowNames = union(query.flow, query.flow_name)
  const typeWords = union(query.type, query.attestation_type)?.map(fromWire)
  return Either.map(patternOf(query.name_regex), (pattern) => ({
    ...pattern,
    ...(query.attestation_id === undefined ? {} : { id: query.attestation_id }),
    ...(names === undefined ? {} : { names }),
    ...(flowNames === undefined ? {} : { flowNames }),
    ...(query.trail_name === undefined ? {} : { trailName: query.trail_name }),
    ...(typeWords === undefined ? {} : { types: typeWords }),
    ...(query.is_compliant === undefined ? {} : { isCompliant: query.is_compliant }),
    ...periodOf(query)
  }))
}

/** The bounds of a period. */
export const periodOf = ({ from_timestamp, to_timestamp }: typeof ListOfFlow.Type) => ({
  ...(from_timestamp === undefined ? {} : { from: from_timestamp }),
  ...(to_timestamp === undefined ? {} : { to: to_timestamp })
})

/** The filter of the attestations of commits. */
export const criteriaOf = (query: typeof ListForCriteria.Type): AttestationQuery => ({
  ...(query.flow_name === undefined ? {} : { flowNames: [query.flow_name] }),
  ...(query.attestation_name === undefined ? {} : { names: [query.attestation_name] }),
  ...(query.attestation_type === undefined ? {} : { types: query.attestation_type.map(fromWire) })
})
