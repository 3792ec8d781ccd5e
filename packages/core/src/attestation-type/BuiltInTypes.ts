/**
 * The built-in types of evidence files: one for each kind of evidence that no typed attestation has, with the JSON
 * Schema of its facts. Their names are reserved, and they judge by the trust policy, not by rules.
 */
import * as Arr from "effect/Array"
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EvidenceFacts } from "../evidence/EvidenceFacts.js"
import * as EvidenceKind from "../evidence/EvidenceKind.js"
import { EvidenceVerification } from "../evidence/EvidenceVerification.js"
import { CUSTOM_PREFIX } from "../flow/AttestationTypePattern.js"
import type { OrgId } from "../shared/Identifier.js"
import { fromMillis } from "../shared/Timestamp.js"
import { type AttestationType, AttestationTypeName } from "./AttestationType.js"

/** The author of built-in types. */
const AUTHOR = "attestry"

/** Whether only built-in types have a name. */
export const isReserved = (name: string): boolean => name.startsWith(EvidenceKind.RESERVED_PREFIX)

/** The JSON Schema of the data of attestations of a kind: its facts with the result of verification. */
export const dataSchema = (
  kind: EvidenceKind.EvidenceKind
): Option.Option<JSONSchema.JsonSchema7Root> =>
  Option.map(
    Arr.findFirst(EvidenceFacts.members, ({ fields }) => fields.kind.literals[0] === kind),
    ({ fields }) =>
      JSONSchema.make(Schema.Struct({ ...fields, verification: EvidenceVerification }))
  )

/** The built-in types, in ascending order of name. They have one version, and no time. */
export const make = (): ReadonlyArray<Omit<AttestationType, "org_id">> => {
  const never = fromMillis(0)
  const types = Arr.filterMap(EvidenceKind.ALL, (kind) => {
    const type = EvidenceKind.attestationType(kind)
    if (!type.startsWith(CUSTOM_PREFIX)) return Option.none()
    const name = AttestationTypeName.make(type.slice(CUSTOM_PREFIX.length))
    return Option.map(dataSchema(kind), (type_schema): Omit<AttestationType, "org_id"> => {
      const content = {
        type_schema,
        evaluator: { content_type: "default" },
        summary: null
      } as const
      return {
        name,
        description: `Evidence of the kind ${kind}`,
        archived: false,
        versions: [{ ...content, version: 1, timestamp: never, created_by: AUTHOR }],
        created_by: AUTHOR,
        created_at: never,
        last_modified_at: never
      }
    })
  })
  return types.sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** A type of an org, or a built-in one. */
export interface ShownType extends AttestationType {
  readonly isBuiltIn: boolean
}

/** The types of an org with the built-in ones, in ascending order of name; a name of the org's own comes first. */
export const beside = (
  org: OrgId,
  own: ReadonlyArray<AttestationType>,
  builtIn: ReadonlyArray<Omit<AttestationType, "org_id">>
): ReadonlyArray<ShownType> => {
  const taken = new Set(own.map(({ name }) => name))
  return [
    ...own.map((type) => ({ ...type, isBuiltIn: false })),
    ...builtIn
      .filter(({ name }) => !taken.has(name))
      .map((type) => ({ ...type, org_id: org, isBuiltIn: true }))
  ].sort((left, right) => (left.name < right.name ? -1 : 1))
}
