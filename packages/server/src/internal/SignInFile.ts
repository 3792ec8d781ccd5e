/**
 * The file of the providers with which people sign in (`ATTESTRY_OIDC_FILE`), in YAML or JSON, and their connections.
 *
 * It is read once, at the start, with the secrets that it names; every problem is told, and none shows a secret. No
 * provider is asked then, so that a provider that is down keeps no server from starting.
 */
import { readFile } from "node:fs/promises"
import * as FieldErrors from "@attestry/core/FieldErrors"
import { OrgName } from "@attestry/core/Identifier"
import * as Provider from "@attestry/core/Provider"
import * as YamlText from "@attestry/core/YamlText"
import * as AllowList from "@attestry/notifier/AllowList"
import { GuardedHttpClient } from "@attestry/notifier/GuardedHttpClient"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as OutboundUrl from "@attestry/notifier/OutboundUrl"
import * as ClientCredentials from "@attestry/sign-in/ClientCredentials"
import * as Outbound from "@attestry/sign-in/Outbound"
import * as SignInProviders from "@attestry/sign-in/SignInProviders"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../ServerConfig.js"
import * as Deliveries from "./Deliveries.js"

/** The file cannot be used; each problem names its place. */
export class SignInFileFailed extends Schema.TaggedError<SignInFileFailed>()("SignInFileFailed", {
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message(): string {
    return `ATTESTRY_OIDC_FILE:\n${this.problems.map((line) => `  ${line}`).join("\n")}`
  }
}

const SECRET_LENGTH_MIN = 16

const { fields } = Provider.Provider
const path = Schema.String.pipe(Schema.minLength(1))
const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { default: () => value })

/** A provider as the file has it. */
const FileProvider = Schema.Struct({
  id: fields.id,
  label: fields.label,
  issuer: fields.issuer,
  client_id: fields.client_id,
  client_secret_file: Schema.optionalWith(path, { exact: true }),
  private_key_file: Schema.optionalWith(path, { exact: true }),
  scopes: withDefault(fields.scopes, ["openid", "profile", "email"]),
  subject: withDefault(fields.subject, "sub"),
  groups: withDefault(fields.groups, null),
  orgs: withDefault(Schema.NullOr(Schema.Array(OrgName)), null),
  link: withDefault(fields.link, "none"),
  domains: withDefault(fields.domains, []),
  logout: withDefault(fields.logout, false)
})
type FileProvider = typeof FileProvider.Type

const File = Schema.Struct({
  providers: Schema.Array(FileProvider).pipe(
    Schema.minItems(1),
    Schema.maxItems(Provider.PROVIDERS_MAX)
  )
})

const decode = ParseResult.decodeUnknownEither(File, { errors: "all", onExcessProperty: "error" })

/** The provider of identities of hosts that sign people in themselves. */
const HOST = "host"

const ENTRA = /^https:\/\/login\.microsoftonline\.(?:com|us)\//
const ENTRA_TENANT =
  /^https:\/\/login\.microsoftonline\.(?:com|us)\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\/v2\.0$/

const issuerProblem = ({ issuer, subject }: FileProvider, allow: AllowList.AllowList) => {
  if (/[?#]/.test(issuer)) return "an issuer has no query and no fragment"
  const refused = OutboundUrl.check(issuer, allow)
  if (Either.isLeft(refused)) return refused.left.message
  if (ENTRA.test(issuer) && !ENTRA_TENANT.test(issuer))
    return "an issuer of Entra names one tenant by its id: `https://login.microsoftonline.com/TENANT/v2.0`"
  return subject === "oid" && !ENTRA_TENANT.test(issuer)
    ? "the subject `oid` needs an issuer of Entra that names one tenant"
    : null
}

/** What is wrong with one provider, by its member. */
const problemsOf = (
  provider: FileProvider,
  isTaken: boolean,
  allow: AllowList.AllowList
): ReadonlyArray<readonly [member: string, problem: string | null]> => [
  ["id", isTaken ? "another provider has this id" : null],
  [
    "id",
    provider.id === HOST ? "`host` is the provider of hosts with a sign-in of their own" : null
  ],
  ["issuer", issuerProblem(provider, allow)],
  ["scopes", provider.scopes.includes("openid") ? null : "the scope `openid` is missing"],
  [
    "domains",
    provider.link === "verified_email" && provider.domains.length === 0
      ? "`link: verified_email` needs the domains whose addresses this provider alone gives"
      : null
  ],
  [
    "client_secret_file",
    (provider.client_secret_file === undefined) === (provider.private_key_file === undefined)
      ? "a provider has either a client_secret_file or a private_key_file"
      : null
  ]
]

const failed = (problems: ReadonlyArray<string>) => {
  const [first = "it cannot be read", ...others] = problems
  return new SignInFileFailed({ problems: [first, ...others] })
}

/** The providers of a text; every problem of it is told. */
export const parse = (
  text: string,
  permitted: ReadonlyArray<string> = []
): Either.Either<ReadonlyArray<FileProvider>, SignInFileFailed> =>
  Either.gen(function* () {
    const { value } = yield* Either.mapLeft(YamlText.parse(text), ({ problems }) =>
      failed(
        problems.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`)
      )
    )
    const { providers } = yield* Either.mapLeft(decode(value), (issue) =>
      failed(
        Object.entries(FieldErrors.fromParseIssue(issue)).map(
          ([field, problem]) => `${field}: ${problem}`
        )
      )
    )
    const allow = Either.getOrElse(AllowList.parse(permitted), () => AllowList.empty)
    const problems = providers.flatMap((provider, place) =>
      problemsOf(
        provider,
        providers.findIndex(({ id }) => id === provider.id) < place,
        allow
      ).flatMap(([member, problem]) =>
        problem === null ? [] : [`providers[${place}].${member}: ${problem}`]
      )
    )
    return problems.length === 0 ? providers : yield* Either.left(failed(problems))
  })

const readText = (file: string) =>
  Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: () => `cannot read \`${file}\`` })

const credentialsOf = ({
  client_secret_file: secretFile,
  private_key_file: keyFile
}: FileProvider): Effect.Effect<ClientCredentials.ClientCredentials, string> => {
  if (secretFile !== undefined)
    return readText(secretFile).pipe(
      Effect.map((text) => text.trim()),
      Effect.filterOrFail(
        (text) => text.length >= SECRET_LENGTH_MIN,
        () => `\`${secretFile}\` has a secret of fewer than ${SECRET_LENGTH_MIN} characters`
      ),
      Effect.map((text) => ClientCredentials.ofSecret(Redacted.make(text)))
    )
  const file = keyFile ?? ""
  return Effect.flatMap(readText(file), (text) =>
    Effect.mapError(
      ClientCredentials.ofPrivateKey(Redacted.make(text)),
      ({ message }) => `\`${file}\` is ${message}`
    )
  )
}

/** The providers of a file with what their clients prove themselves with. */
export const read = (
  file: string,
  permitted: ReadonlyArray<string> = []
): Effect.Effect<ReadonlyArray<SignInProviders.ConnectedProvider>, SignInFileFailed> =>
  Effect.gen(function* () {
    const text = yield* Effect.mapError(readText(file), (problem) => failed([problem]))
    const providers = yield* parse(text, permitted)
    const found = yield* Effect.forEach(providers, (given) =>
      Effect.either(
        Effect.map(credentialsOf(given), (credentials) => {
          const { client_secret_file: _secret, private_key_file: _key, ...provider } = given
          return { provider, credentials }
        })
      )
    )
    const problems = found.flatMap((each, place) =>
      Either.isLeft(each) ? [`providers[${place}]: ${each.left}`] : []
    )
    return problems.length === 0
      ? found.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
      : yield* failed(problems)
  })

/** The providers of the configuration, reached through the guard of deliveries; none without a file. */
export const layer = (
  config: ServerConfig
): Layer.Layer<never, SignInFileFailed | Deliveries.InvalidDeliverySettings> => {
  const file = config.ATTESTRY_OIDC_FILE
  if (file === undefined) return Layer.empty
  return Layer.unwrapScoped(
    Effect.gen(function* () {
      const connected = yield* read(file, config.ATTESTRY_OUTBOUND_ALLOW)
      const context = yield* Layer.build(
        GuardedHttpClientNode.layerWithResolver({
          allow: config.ATTESTRY_OUTBOUND_ALLOW,
          maxResponseBytes: Outbound.ANSWER_BYTES_MAX,
          ...Deliveries.resolverOf(config),
          ...(yield* Deliveries.readCertificates(config))
        })
      )
      const client = yield* Effect.provide(GuardedHttpClient, context)
      return SignInProviders.layer(connected, Outbound.through(client))
    })
  )
}
