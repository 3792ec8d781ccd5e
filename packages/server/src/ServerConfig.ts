/**
 * The configuration of the assembled server: every setting with its schema, its default and its description.
 *
 * An error lists all invalid values by the names under which they were given; it never contains the value of a secret
 * setting.
 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { Login, OrgName } from "@attestry/core/Identifier"
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Nearest from "./internal/Nearest.js"
import * as Period from "./internal/Period.js"
import * as SecretSettings from "./internal/SecretSettings.js"
import { fileKeyOf, flagOf, PREFIX, pick, type Sources } from "./internal/Setting.js"
import * as SettingSchemas from "./internal/SettingSchemas.js"
import { settings } from "./internal/SettingTable.js"

/** The configuration, decoded. */
export const ServerConfig = Schema.Struct({
  ATTESTRY_HOST: Schema.String.pipe(Schema.minLength(1)),
  ATTESTRY_PORT: SettingSchemas.Port,
  ATTESTRY_PUBLIC_URL: SettingSchemas.optional(SettingSchemas.WebAddress),
  ATTESTRY_BASE_PATH: SettingSchemas.BasePath,
  ATTESTRY_CORS_ORIGINS: SettingSchemas.Origins,
  ATTESTRY_WEB: Schema.Literal("on", "off", "reload"),
  ATTESTRY_STORE: Schema.Literal("embedded", "memory", "postgres"),
  ATTESTRY_DATA_DIR: Schema.String.pipe(Schema.minLength(1)),
  ATTESTRY_DATABASE_URL: SettingSchemas.optional(Schema.Redacted(SettingSchemas.SecretUrl)),
  ATTESTRY_MIGRATION_DATABASE_URL: SettingSchemas.optional(
    Schema.Redacted(SettingSchemas.SecretUrl)
  ),
  ATTESTRY_ROLE: Schema.Literal("writer", "reader"),
  ATTESTRY_PRIMARY_DATABASE_URL: SettingSchemas.optional(Schema.Redacted(SettingSchemas.SecretUrl)),
  ATTESTRY_READER_LAG_MAX: Period.between("500ms", "1h"),
  ATTESTRY_READER_DEFAULT: Schema.Literal("hand-on", "serve"),
  ATTESTRY_BOOTSTRAP_ORG: SettingSchemas.optional(OrgName),
  ATTESTRY_BOOTSTRAP_USER: SettingSchemas.optional(Login),
  ATTESTRY_BOOTSTRAP_KEY_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_ADMIN_SOCKET: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_TRUSTED_PROXIES: SettingSchemas.Networks,
  ATTESTRY_BETA_CONTROLS: Schema.Literal("on", "off", "header"),
  ATTESTRY_RATE_PER_ORG: SettingSchemas.PerMinute,
  ATTESTRY_WRITES_PER_ORG: SettingSchemas.PerMinute,
  ATTESTRY_RATE_PER_CREDENTIAL: SettingSchemas.PerMinute,
  ATTESTRY_AUTH_FAILURES_PER_SOURCE: SettingSchemas.PerMinute,
  ATTESTRY_AUTH_FAILURES_PER_KEY: SettingSchemas.PerMinute,
  ATTESTRY_ATTACHMENT_BYTES_MAX: SettingSchemas.AttachmentBytes,
  ATTESTRY_EVIDENCE_BYTES_MAX: SettingSchemas.EvidenceBytes,
  ATTESTRY_EVIDENCE_READERS: Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 16)),
  ATTESTRY_TRUST_ROOTS_DIR: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_OIDC_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_SEND_TIMEOUT: Period.between("100ms", "1h"),
  ATTESTRY_SMTP_URL: SettingSchemas.optional(Schema.Redacted(SettingSchemas.SecretUrl)),
  ATTESTRY_SMTP_FROM: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(3))),
  ATTESTRY_EXPIRY_SCAN_INTERVAL: Period.between("1s", "7d"),
  ATTESTRY_DELIVERY_ATTEMPTS: Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 100)),
  ATTESTRY_DELIVERY_TIMEOUT: Period.between("100ms", "30s"),
  ATTESTRY_DELIVERY_BACKOFF: Period.between("1ms", "1d"),
  ATTESTRY_DEAD_LETTER_RETENTION: Period.between("1s", "3650d"),
  ATTESTRY_OUTBOUND_ALLOW: SettingSchemas.Permitted,
  ATTESTRY_OUTBOUND_RESOLVER: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_OUTBOUND_CA: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_LOG_KEY_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_LOG_STATE_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_LOG_PUBLISH: Schema.Literal("signed", "quorum"),
  ATTESTRY_WITNESS_POLICY_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_WITNESS_LOGS_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_WITNESS_KEY_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_BACKTESTS: Schema.NumberFromString.pipe(Schema.int(), Schema.between(0, 100)),
  ATTESTRY_DUE_TURN: Schema.Literal("on", "off"),
  ATTESTRY_SCRUB_RATE: Schema.NumberFromString.pipe(Schema.int(), Schema.between(0, 100_000)),
  ATTESTRY_LOG_LEVEL: Schema.Literal("debug", "info", "warning", "error", "none"),
  ATTESTRY_LOG_FORMAT: Schema.Literal("auto", "text", "json"),
  ATTESTRY_ACCESS_LOG: Schema.Literal("on", "off"),
  ATTESTRY_REPORT_READER: Schema.Literal("fast", "plain"),
  ATTESTRY_OTLP_ENDPOINT: SettingSchemas.optional(
    Schema.Redacted(SettingSchemas.WebAddress.annotations(FieldErrors.sensitive))
  )
}).pipe(
  Schema.filter(SettingSchemas.missingAddress),
  Schema.filter(SettingSchemas.incompleteReader),
  Schema.filter(SettingSchemas.missingSender)
)
/** The configuration, decoded. */
export type ServerConfig = typeof ServerConfig.Type

/** The configuration is invalid; each problem names the setting as it was given. */
export class InvalidConfig extends Schema.TaggedError<InvalidConfig>()("InvalidConfig", {
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message(): string {
    return `the configuration is not valid:\n${this.problems.map((line) => `  ${line}`).join("\n")}`
  }
}

/** Every flag. */
const FLAGS = ["--config", "--json", ...settings.map(({ variable }) => `--${flagOf(variable)}`)]

const unknownNames = ({ file, flags }: Sources): ReadonlyArray<string> => {
  const known = settings.map(({ variable }) => variable)
  return [
    ...[...flags.keys()]
      .filter((flag) => !known.some((variable) => flagOf(variable) === flag))
      .map((flag) => `--${flag}: there is no such flag${Nearest.hint(`--${flag}`, FLAGS)}`),
    ...[...file.keys()]
      .filter((key) => !known.some((variable) => fileKeyOf(variable) === key))
      .map((key) => `${key}: there is no such setting${Nearest.hint(key, known.map(fileKeyOf))}`)
  ]
}

/** Variables that Kubernetes sets for a service with the name `attestry`. */
const SERVICE_LINK = /^ATTESTRY_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/

/**
 * A warning for each unknown variable with the prefix of settings. WHY not an error: other programs share the
 * environment, and it may be newer than this program.
 */
export const unknownVariables = (variables: Sources["variables"]): ReadonlyArray<string> => {
  const known: ReadonlyArray<string> = settings.map(({ variable }) => variable)
  return Object.keys(variables)
    .filter((name) => name.startsWith(PREFIX) && !SERVICE_LINK.test(name) && !known.includes(name))
    .map((name) => `${name}: there is no such setting${Nearest.hint(name, known)}`)
}

const decode = ParseResult.decodeUnknownEither(ServerConfig, { errors: "all" })

/** Reads the configuration from its sources. */
export const read = (sources: Sources): Either.Either<ServerConfig, InvalidConfig> => {
  const names = new Map<string, string>()
  const values = new Map<string, string>()
  for (const setting of settings) {
    const given = pick(setting.variable, sources)
    names.set(setting.variable, given?.givenAs ?? setting.variable)
    const value = given?.value ?? setting.default
    if (value !== undefined) values.set(setting.variable, value)
  }
  const decoded = decode(Object.fromEntries(values))
  const invalid = Either.isLeft(decoded)
    ? Object.entries(FieldErrors.fromParseIssue(decoded.left))
    : []
  const [first, ...others] = [
    ...unknownNames(sources),
    ...[...SecretSettings.problems(values), ...invalid].map(
      ([variable, message]) => `${names.get(variable) ?? variable}: ${message}`
    )
  ]
  return first === undefined && Either.isRight(decoded)
    ? Either.right(decoded.right)
    : Either.left(new InvalidConfig({ problems: [first ?? "it cannot be read", ...others] }))
}

/** The settings of a configuration file: a YAML mapping from names to plain values. */
export const parseFile = (
  name: string,
  text: string
): Either.Either<ReadonlyMap<string, string>, InvalidConfig> => {
  const wrong = (problem: string) => new InvalidConfig({ problems: [`${name}: ${problem}`] })
  return YamlText.parse(text).pipe(
    Either.mapLeft(({ problems: [first] }) =>
      wrong(`line ${first.line}, column ${first.column}: ${first.message}`)
    ),
    Either.flatMap(({ value }) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return Either.left(wrong("should be a mapping from settings to values"))
      }
      const nested = Object.entries(value).find(([, member]) => typeof member === "object")
      return nested === undefined
        ? Either.right(new Map(Object.entries(value).map(([key, member]) => [key, String(member)])))
        : Either.left(wrong(`\`${nested[0]}\` should be a plain value`))
    })
  )
}

/** Every setting, in the order of the reference. */
export { type SettingDoc, settings } from "./internal/SettingTable.js"
