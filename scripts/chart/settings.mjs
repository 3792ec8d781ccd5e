/**
 * The server's settings as values of the chart. Each setting is in one of four places: `settings` (plain values),
 * `secrets` (variables from existing secrets), `files` (mounted from existing secrets and ConfigMaps), or none, because
 * templates set it.
 */
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import { fileKeyOf } from "../../packages/server/dist/internal/Setting.js"
import { ServerConfig, settings } from "../../packages/server/dist/ServerConfig.js"

/** Settings that templates set, with the reason. */
export const SET_BY_TEMPLATES = {
  ATTESTRY_HOST: "a container listens on all its addresses",
  ATTESTRY_PORT: "the value server.port, which the service and the probes share",
  ATTESTRY_STORE: "the value store, which decides about the workload",
  ATTESTRY_DATA_DIR: "a folder of the volume",
  ATTESTRY_ADMIN_SOCKET: "commands run in the pod, which has the database or the data folder",
  ATTESTRY_LOG_STATE_FILE: "a file of the volume, or of the value logState"
}

/** Files that the chart mounts: the kind of their source, and their entry in it. */
const MOUNTED = {
  ATTESTRY_BOOTSTRAP_KEY_FILE: { source: "existingSecret", entry: "key", standard: "bootstrap" },
  ATTESTRY_LOG_KEY_FILE: { source: "existingSecret", entry: "key", standard: "log" },
  ATTESTRY_WITNESS_KEY_FILE: { source: "existingSecret", entry: "key" },
  ATTESTRY_WITNESS_POLICY_FILE: { source: "existingConfigMap", entry: "policy" },
  ATTESTRY_WITNESS_LOGS_FILE: { source: "existingConfigMap", entry: "logs" },
  ATTESTRY_OUTBOUND_CA: { source: "existingConfigMap", entry: "ca.crt" }
}

const structOf = (ast) => (ast._tag === "Refinement" ? structOf(ast.from) : ast)

const fieldOf = (variable) =>
  structOf(ServerConfig.ast).propertySignatures.find(({ name }) => name === variable)

/** The JSON Schema of a schema without notes for people; undefined for a value that has no form in JSON. */
const jsonSchemaOf = (schema) => {
  try {
    const { $schema: _, description: __, title: ___, ...found } = JSONSchema.make(schema)
    return found
  } catch {
    // WHY: only redacted values have none, and the caller takes them for secrets.
    return undefined
  }
}

const decodedForm = (variable) =>
  jsonSchemaOf(Schema.typeSchema(Schema.make(fieldOf(variable).type)))

/**
 * The form of a plain setting. A number stands for its text, and the text of every other setting is described. YAML
 * reads `on` and `off` as booleans, so they stand for the words.
 */
const formOf = (variable) => {
  const decoded = decodedForm(variable)
  if (decoded.type === "integer") return decoded
  const text = jsonSchemaOf(Schema.make(fieldOf(variable).type))
  return text.enum?.includes("on") ? { enum: [...text.enum, true, false] } : text
}

const described = (setting) => ({
  key: fileKeyOf(setting.variable),
  description: setting.description,
  default: setting.default
})

const isSecret = (variable) => decodedForm(variable) === undefined

const isPlain = (variable) =>
  !(variable in SET_BY_TEMPLATES) && !(variable in MOUNTED) && !isSecret(variable)

/** The plain settings, each with its form. */
export const plain = settings
  .filter(({ variable }) => isPlain(variable))
  .map((setting) => ({ ...described(setting), form: formOf(setting.variable) }))

/** The settings that are secrets. */
export const secrets = settings
  .filter(({ variable }) => isSecret(variable))
  .map((setting) => ({
    ...described(setting),
    standard: setting.variable === "ATTESTRY_DATABASE_URL" ? "database" : undefined
  }))

/** The settings that name a file which the chart mounts. */
export const files = settings
  .filter(({ variable }) => variable in MOUNTED)
  .map((setting) => ({ ...described(setting), ...MOUNTED[setting.variable] }))
