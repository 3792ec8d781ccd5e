/** The patterns of policy files, the version that a file has, and conditions as it writes them. SPEC §2.7.1 */
import * as AttestationTypePattern from "../../flow/AttestationTypePattern.js"
import { ATTESTATION_NAME_PATTERN } from "../../flow/FlowTemplate.js"
import { NAME_LENGTH_MAX } from "../../shared/Identifier.js"
import * as PolicyExpression from "../PolicyExpression.js"

/** The pattern of a custom type in a rule. */
export const CUSTOM_TYPE_PATTERN = `^custom:${AttestationTypePattern.CUSTOM_NAME_PATTERN.slice(1)}`

/** The pattern of an attestation name in a rule: one that can be reported, or any. */
export const NAME_PATTERN = `^(\\*|${ATTESTATION_NAME_PATTERN.slice(1, -1)})$`

/** The pattern of `_schema`: an absolute address whose last segment is the version. */
export const SCHEMA_PATTERN =
  "^[a-zA-Z][a-zA-Z0-9+.\\-]*:(//[^\\s/?#]+(/[^\\s?#]*)?|[^\\s/?#][^\\s?#]*)/v[12]$"

/** The version of a policy file. */
export type SchemaVersion = 1 | 2

/** The version that the address of a schema ends with; 1 for one that is not valid. */
export const versionOf = (schema: unknown): SchemaVersion =>
  typeof schema === "string" && schema.endsWith("/v2") ? 2 : 1

const nameRegExp = new RegExp(NAME_PATTERN)

/** Whether a rule can name attestations so. */
export const isName = (name: string): boolean =>
  nameRegExp.test(name) && name.length <= NAME_LENGTH_MAX

/** A condition in the form of policy files, in quotes where YAML needs them. */
export const inYaml = (expression: string): string => {
  const wrapped = PolicyExpression.wrap(expression)
  return /: |:$| #/.test(wrapped) ? `'${wrapped.replaceAll("'", "''")}'` : wrapped
}
