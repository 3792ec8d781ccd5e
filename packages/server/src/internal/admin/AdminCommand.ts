/**
 * Administration commands, for which the HTTP API has no operation. A person who can run them owns the deployment.
 *
 * A command is data, so that it can be sent to the server that has the store. Parsing reports all problems at once.
 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { ApiKeyId, DeliveryId, Login, OrgName } from "@attestry/core/Identifier"
import { Subject } from "@attestry/core/Identity"
import { ProviderId } from "@attestry/core/Provider"
import { BaseRole } from "@attestry/core/Role"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { InvalidConfig, settings } from "../../ServerConfig.js"
import * as Nearest from "../Nearest.js"
import { flagOf } from "../Setting.js"

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** A duration such as `90d`, `12h` or `30m`, in seconds; a hundred years at most. */
const Lifetime = Schema.transform(
  Schema.String.pipe(Schema.pattern(/^[1-9]\d{0,9}[smhdw]$/)),
  Schema.Int.pipe(Schema.between(1, 3_155_760_000)),
  {
    strict: true,
    decode: (text) => {
      const unit = Object.entries(UNITS).find(([letter]) => text.endsWith(letter))
      return Number.parseInt(text, 10) * (unit?.[1] ?? 1)
    },
    encode: (seconds) => `${seconds}s`
  }
)

const Email = Schema.String.pipe(
  Schema.maxLength(254),
  Schema.filter((text) => /^[^\s@]+@[^\s@]+$/.test(text) || "Input should be a valid email address")
)

/** How much is verified: the log, entries, tables, files, verdicts. */
const Level = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 5))

/** The size of a log up to which it was verified before. */
const Size = Schema.NumberFromString.pipe(Schema.int(), Schema.between(0, Number.MAX_SAFE_INTEGER))

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const OrgList = Schema.TaggedStruct("org list", {})
const OrgCreate = Schema.TaggedStruct("org create", { name: OrgName })
const Folder = Schema.String.pipe(Schema.minLength(1))
const OrgExport = Schema.TaggedStruct("org export", {
  name: OrgName,
  to: Folder,
  "without-secrets": optional(Schema.Literal("true", "false")),
  files: optional(Schema.Literal("all", "none"))
})
const OrgImport = Schema.TaggedStruct("org import", { folder: Folder })
const UserAdd = Schema.TaggedStruct("user add", {
  login: Login,
  org: OrgName,
  role: BaseRole,
  email: optional(Email),
  "display-name": optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)))
})
const UserList = Schema.TaggedStruct("user list", { org: optional(OrgName) })
const UserRole = Schema.TaggedStruct("user role", { login: Login, org: OrgName, role: BaseRole })
const UserRemove = Schema.TaggedStruct("user remove", { login: Login, org: OrgName })
const UserLink = Schema.TaggedStruct("user link", {
  login: Login,
  provider: ProviderId,
  subject: Subject
})
const UserUnlink = Schema.TaggedStruct("user unlink", { login: Login, provider: ProviderId })
const SignInSet = Schema.TaggedStruct("sign-in set", {
  org: OrgName,
  /** The name of a file; `AdminClient` sends its content in place of the name. */
  file: Schema.String.pipe(Schema.minLength(1))
})
const SignInCheck = Schema.TaggedStruct("sign-in check", {})
const KeyIssue = Schema.TaggedStruct("key issue", {
  user: Login,
  "expires-in": optional(Lifetime),
  description: optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(256)))
})
const KeyList = Schema.TaggedStruct("key list", { user: Login })
const KeyRevoke = Schema.TaggedStruct("key revoke", { id: ApiKeyId })
const DeniedList = Schema.TaggedStruct("denied list", { org: optional(Schema.String) })
const Processes = Schema.TaggedStruct("processes", {})
const FailedList = Schema.TaggedStruct("notifications failed list", { org: optional(OrgName) })
const FailedReplay = Schema.TaggedStruct("notifications failed replay", {
  org: optional(OrgName),
  id: optional(DeliveryId)
})
const AcceptRollback = Schema.TaggedStruct("log accept-rollback", { org: OrgName })
const KeyAdd = Schema.TaggedStruct("log key add", {})
const KeyRetire = Schema.TaggedStruct("log key retire", {
  generation: Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 999_999_999)),
  compromised: optional(Schema.Literal("true", "false"))
})
const LogStatus = Schema.TaggedStruct("log status", { org: optional(OrgName) })
const Erase = Schema.TaggedStruct("erase", {
  org: OrgName,
  value: Schema.String.pipe(Schema.minLength(1)),
  reason: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_024)),
  yes: optional(Schema.Literal("true", "false"))
})
const Verify = Schema.TaggedStruct("verify", {
  org: optional(OrgName),
  level: optional(Level),
  from: optional(Size)
}).pipe(
  Schema.filter(({ org, from }) =>
    org === undefined && from !== undefined
      ? { path: ["from"], message: "Input should be given with `--org`: each log has its own size" }
      : undefined
  )
)

/** Every administration command, tagged with its words. */
export const AdminCommand = Schema.Union(
  OrgCreate,
  OrgList,
  OrgExport,
  OrgImport,
  UserAdd,
  UserList,
  UserRole,
  UserRemove,
  UserLink,
  UserUnlink,
  SignInSet,
  SignInCheck,
  KeyIssue,
  KeyList,
  KeyRevoke,
  DeniedList,
  Processes,
  FailedList,
  FailedReplay,
  AcceptRollback,
  KeyAdd,
  KeyRetire,
  LogStatus,
  Erase,
  Verify
)
/** An administration command. */
export type AdminCommand = typeof AdminCommand.Type

/** The syntax of each command: its positional argument and its flags. */
export const USAGE: {
  readonly [Tag in AdminCommand["_tag"]]: {
    readonly positional?: string
    readonly flags: ReadonlyArray<string>
  }
} = {
  "org create": { positional: "name", flags: [] },
  "org list": { flags: [] },
  "org export": { positional: "name", flags: ["to", "without-secrets", "files"] },
  "org import": { positional: "folder", flags: [] },
  "user add": { positional: "login", flags: ["org", "role", "email", "display-name"] },
  "user list": { flags: ["org"] },
  "user role": { positional: "login", flags: ["org", "role"] },
  "user remove": { positional: "login", flags: ["org"] },
  "user link": { positional: "login", flags: ["provider", "subject"] },
  "user unlink": { positional: "login", flags: ["provider"] },
  "sign-in set": { positional: "org", flags: ["file"] },
  "sign-in check": { flags: [] },
  "key issue": { flags: ["user", "expires-in", "description"] },
  "key list": { flags: ["user"] },
  "key revoke": { positional: "id", flags: [] },
  "denied list": { flags: ["org"] },
  processes: { flags: [] },
  "notifications failed list": { flags: ["org"] },
  "notifications failed replay": { flags: ["org", "id"] },
  "log accept-rollback": { flags: ["org"] },
  "log key add": { flags: [] },
  "log key retire": { positional: "generation", flags: ["compromised"] },
  "log status": { flags: ["org"] },
  erase: { flags: ["org", "value", "reason", "yes"] },
  verify: { flags: ["org", "level", "from"] }
}

const isTag = (words: string): words is AdminCommand["_tag"] => Object.hasOwn(USAGE, words)

/** The command that the words begin with, such as `user add` for `user add ada`. */
export const tagOf = (words: ReadonlyArray<string>): AdminCommand["_tag"] | undefined =>
  [1, 2, 3].map((count) => words.slice(0, count).join(" ")).find(isTag)

/** A command, and the flags that belong to the configuration. */
export interface ParsedCommand {
  readonly command: AdminCommand
  readonly flags: ReadonlyMap<string, string>
}

const decode = ParseResult.decodeUnknownEither(AdminCommand, {
  errors: "all",
  onExcessProperty: "error"
})

const wrong = (problems: readonly [string, ...Array<string>]) =>
  Either.left(new InvalidConfig({ problems }))

/** Parses a command from its words and flags. */
export const parse = (
  tag: AdminCommand["_tag"],
  words: ReadonlyArray<string>,
  given: ReadonlyMap<string, string>
): Either.Either<ParsedCommand, InvalidConfig> => {
  const { positional, flags: own } = USAGE[tag]
  const [value, ...rest] = words.slice(tag.split(" ").length)
  if (rest.length > 0 || (positional === undefined && value !== undefined)) {
    return wrong([`\`${rest[0] ?? value}\` is too much; see \`attestry-server help\``])
  }
  const names = [...own, "config", ...settings.map(({ variable }) => flagOf(variable))]
  const known = names.map((name) => `--${name}`)
  const [unknown, ...unknowns] = [...given.keys()]
    .map((flag) => `--${flag}`)
    .filter((flag) => !known.includes(flag))
    .map((flag) => `${flag}: there is no such flag${Nearest.hint(flag, known)}`)
  if (unknown !== undefined) return wrong([unknown, ...unknowns])
  const fields: Array<readonly [string, string]> = [...given].filter(([flag]) => own.includes(flag))
  if (positional !== undefined && value !== undefined) fields.push([positional, value])
  const decoded = decode({ _tag: tag, ...Object.fromEntries(fields) })
  if (Either.isRight(decoded)) {
    const flags = new Map([...given].filter(([flag]) => !own.includes(flag)))
    return Either.right({ command: decoded.right, flags })
  }
  const [first, ...others] = Object.entries(FieldErrors.fromParseIssue(decoded.left)).map(
    ([field, message]) => `${field === positional ? field.toUpperCase() : `--${field}`}: ${message}`
  )
  return wrong([first ?? "the command cannot be read", ...others])
}
