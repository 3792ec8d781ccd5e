/**
 * The configuration of the assembled server: every setting with its schema, its default and its description.
 *
 * An error lists all invalid values by the names under which they were given; it never contains the value of a secret
 * setting.
 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { Login, OrgName } from "@attestry/core/Identifier"
import * as YamlText from "@attestry/core/YamlText"
import * as RequestLimits from "@attestry/http/RequestLimits"
import * as DeliverySchedule from "@attestry/notifier/DeliverySchedule"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Nearest from "./internal/Nearest.js"
import * as Period from "./internal/Period.js"
import * as SecretSettings from "./internal/SecretSettings.js"
import { fileKeyOf, flagOf, PREFIX, pick, type Sources } from "./internal/Setting.js"
import * as SettingSchemas from "./internal/SettingSchemas.js"

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
  ATTESTRY_BOOTSTRAP_ORG: SettingSchemas.optional(OrgName),
  ATTESTRY_BOOTSTRAP_USER: SettingSchemas.optional(Login),
  ATTESTRY_BOOTSTRAP_KEY_FILE: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_ADMIN_SOCKET: SettingSchemas.optional(Schema.String.pipe(Schema.minLength(1))),
  ATTESTRY_TRUSTED_PROXIES: SettingSchemas.Networks,
  ATTESTRY_BETA_CONTROLS: Schema.Literal("on", "off", "header"),
  ATTESTRY_RATE_PER_ORG: SettingSchemas.PerMinute,
  ATTESTRY_RATE_PER_CREDENTIAL: SettingSchemas.PerMinute,
  ATTESTRY_AUTH_FAILURES_PER_SOURCE: SettingSchemas.PerMinute,
  ATTESTRY_AUTH_FAILURES_PER_KEY: SettingSchemas.PerMinute,
  ATTESTRY_ATTACHMENT_BYTES_MAX: SettingSchemas.AttachmentBytes,
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
}).pipe(Schema.filter(SettingSchemas.missingAddress), Schema.filter(SettingSchemas.missingSender))
/** The configuration, decoded. */
export type ServerConfig = typeof ServerConfig.Type

/** A setting in the reference. */
export interface SettingDoc {
  readonly variable: keyof ServerConfig
  readonly default: string | undefined
  readonly description: string
}

/** Every setting, in the order of the reference. */
export const settings: ReadonlyArray<SettingDoc> = [
  { variable: "ATTESTRY_HOST", default: "127.0.0.1", description: "address to listen on" },
  {
    variable: "ATTESTRY_PORT",
    default: "8080",
    description: "port to listen on; 0 selects a free port"
  },
  {
    variable: "ATTESTRY_PUBLIC_URL",
    default: undefined,
    description:
      "base of every link in responses; by default the address that the server listens on"
  },
  {
    variable: "ATTESTRY_BASE_PATH",
    default: "",
    description: "path below which the API and the pages are served, such as `/attestry`"
  },
  {
    variable: "ATTESTRY_CORS_ORIGINS",
    default: "",
    description:
      "origins of pages that may call the API from a browser, comma-separated; `*` is all"
  },
  {
    variable: "ATTESTRY_WEB",
    default: "on",
    description: "the pages: `on`, `off`, or `reload` to read their files for each request"
  },
  {
    variable: "ATTESTRY_STORE",
    default: "embedded",
    description: "`embedded` (PostgreSQL in the data folder), `postgres` (a server) or `memory`"
  },
  { variable: "ATTESTRY_DATA_DIR", default: "./attestry-data", description: "the data folder" },
  {
    variable: "ATTESTRY_DATABASE_URL",
    default: undefined,
    description: "address of the PostgreSQL server, for the store `postgres`"
  },
  {
    variable: "ATTESTRY_MIGRATION_DATABASE_URL",
    default: undefined,
    description: "address for migrations, if they need another role"
  },
  {
    variable: "ATTESTRY_BOOTSTRAP_ORG",
    default: undefined,
    description: "name of the first org of an empty store; generated by default"
  },
  {
    variable: "ATTESTRY_BOOTSTRAP_USER",
    default: undefined,
    description: "login of the first administrator of an empty store; generated by default"
  },
  {
    variable: "ATTESTRY_BOOTSTRAP_KEY_FILE",
    default: undefined,
    description:
      "file of the first key: read if it exists, otherwise written; by default the key is printed"
  },
  {
    variable: "ATTESTRY_ADMIN_SOCKET",
    default: undefined,
    description: "socket for administration commands; in the data folder for the embedded store"
  },
  {
    variable: "ATTESTRY_TRUSTED_PROXIES",
    default: "",
    description: "addresses and networks whose X-Forwarded-For is trusted, comma-separated"
  },
  {
    variable: "ATTESTRY_BETA_CONTROLS",
    default: "on",
    description: "the beta feature controls: `on`, `off`, or `header` (X-Beta-Features: controls)"
  },
  {
    variable: "ATTESTRY_RATE_PER_ORG",
    default: String(RequestLimits.defaults.perOrg),
    description: "requests per minute of one org before 429"
  },
  {
    variable: "ATTESTRY_RATE_PER_CREDENTIAL",
    default: String(RequestLimits.defaults.perCredential),
    description: "requests per minute of one API key before 429"
  },
  {
    variable: "ATTESTRY_AUTH_FAILURES_PER_SOURCE",
    default: String(RequestLimits.defaults.failuresPerSource),
    description: "failed authentications per minute from one address before 429"
  },
  {
    variable: "ATTESTRY_AUTH_FAILURES_PER_KEY",
    default: String(RequestLimits.defaults.failuresPerKey),
    description: "failed authentications per minute with one key id before 429"
  },
  {
    variable: "ATTESTRY_ATTACHMENT_BYTES_MAX",
    default: String(RequestLimits.FILE_BYTES_MAX_DEFAULT),
    description: "largest file of an attestation, in bytes; a larger one is 413"
  },
  {
    variable: "ATTESTRY_SEND_TIMEOUT",
    default: "60s",
    description:
      "a connection is closed when its client has read none of its response for this time"
  },
  {
    variable: "ATTESTRY_SMTP_URL",
    default: undefined,
    description: "mail server, `smtp://user:password@host:587`; without it deliveries by mail fail"
  },
  {
    variable: "ATTESTRY_SMTP_FROM",
    default: undefined,
    description: "sender address of mails"
  },
  {
    variable: "ATTESTRY_EXPIRY_SCAN_INTERVAL",
    default: "1h",
    description:
      "interval of the scans for API keys and waivers that expire soon, over all servers of one store"
  },
  {
    variable: "ATTESTRY_DELIVERY_ATTEMPTS",
    default: String(DeliverySchedule.defaults.attemptsMax),
    description: "attempts at a delivery before it is a dead letter"
  },
  {
    variable: "ATTESTRY_DELIVERY_TIMEOUT",
    default: "15s",
    description: "time limit of one attempt at a delivery"
  },
  {
    variable: "ATTESTRY_DELIVERY_BACKOFF",
    default: `${DeliverySchedule.defaults.backoffMillis / 1_000}s`,
    description: "pause after the first failed attempt; later pauses are longer"
  },
  {
    variable: "ATTESTRY_DEAD_LETTER_RETENTION",
    default: "30d",
    description: "time for which dead letters are kept for replaying"
  },
  {
    variable: "ATTESTRY_OUTBOUND_ALLOW",
    default: "",
    description:
      "networks, addresses and host names that are not public and still allowed for deliveries, comma-separated"
  },
  {
    variable: "ATTESTRY_OUTBOUND_RESOLVER",
    default: undefined,
    description: "DNS server for deliveries, `address` or `address:port`; the system's by default"
  },
  {
    variable: "ATTESTRY_OUTBOUND_CA",
    default: undefined,
    description: "file of additional certificates that deliveries trust"
  },
  {
    variable: "ATTESTRY_LOG_KEY_FILE",
    default: undefined,
    description:
      "file of the keys that sign evidence logs; in the data folder for the embedded store"
  },
  {
    variable: "ATTESTRY_LOG_STATE_FILE",
    default: undefined,
    description: "file of the newest signed checkpoints; in the data folder for the embedded store"
  },
  {
    variable: "ATTESTRY_LOG_PUBLISH",
    default: "signed",
    description:
      "checkpoint of evidence logs that is served: the newest `signed`, or cosigned by a `quorum` of witnesses"
  },
  {
    variable: "ATTESTRY_WITNESS_POLICY_FILE",
    default: undefined,
    description: "file of the witnesses that cosign evidence logs, as C2SP tlog-policy"
  },
  {
    variable: "ATTESTRY_WITNESS_LOGS_FILE",
    default: undefined,
    description: "file of the keys of logs that this server witnesses, one on each line"
  },
  {
    variable: "ATTESTRY_WITNESS_KEY_FILE",
    default: undefined,
    description: "file of the key with which this server cosigns, in the format of the log's keys"
  },
  {
    variable: "ATTESTRY_BACKTESTS",
    default: "2",
    description: "backtests that one process runs at a time; 0 refuses them"
  },
  {
    variable: "ATTESTRY_DUE_TURN",
    default: "on",
    description:
      "whether this process evaluates environments at the instant at which evidence becomes too old: `on` or `off`"
  },
  {
    variable: "ATTESTRY_SCRUB_RATE",
    default: "200",
    description:
      "entries of evidence logs that the background check verifies per second; 0 turns it off"
  },
  {
    variable: "ATTESTRY_LOG_LEVEL",
    default: "info",
    description: "`debug`, `info`, `warning`, `error` or `none`"
  },
  {
    variable: "ATTESTRY_LOG_FORMAT",
    default: "auto",
    description: "`text`, `json`, or `auto`: text on a terminal and JSON elsewhere"
  },
  {
    variable: "ATTESTRY_ACCESS_LOG",
    default: "off",
    description: "`on` logs each request at the level `info`"
  },
  {
    variable: "ATTESTRY_REPORT_READER",
    default: "fast",
    description:
      "`fast` reads only the differences from the last report of an environment, `plain` parses every report"
  },
  {
    variable: "ATTESTRY_OTLP_ENDPOINT",
    default: undefined,
    description: "address of an OpenTelemetry collector; tracing is off by default"
  }
]

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
