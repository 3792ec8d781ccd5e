/**
 * A provider of identities, by OpenID Connect. Providers belong to the deployment, not to its orgs: an issuer that an
 * org names would be a fetch at the wish of that org.
 *
 * The secret of the client is not here; the host keeps it with the connection to the provider.
 */
import * as Schema from "effect/Schema"
import { OrgName } from "../shared/Identifier.js"

/** The most providers of a deployment. */
export const PROVIDERS_MAX = 20
/** The longest issuer. */
export const ISSUER_LENGTH_MAX = 512

/** The id of a provider: a part of paths and of logins. */
export const ProviderId = Schema.String.pipe(
  Schema.pattern(/^[a-z][a-z0-9-]{0,31}$/),
  Schema.brand("ProviderId")
)
/** The id of a provider. */
export type ProviderId = typeof ProviderId.Type

const CLAIM_LENGTH_MAX = 128
const Claim = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(CLAIM_LENGTH_MAX))

/** The domain of an e-mail address, in lower case. */
export const Domain = Schema.String.pipe(
  Schema.maxLength(253),
  Schema.pattern(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/)
)

/** A provider as the operator has named it. */
export const Provider = Schema.Struct({
  id: ProviderId,
  /** What its button says. */
  label: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64)),
  /** Compared byte by byte with what the provider says. */
  issuer: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(ISSUER_LENGTH_MAX)),
  client_id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(256)),
  scopes: Schema.Array(
    Schema.String.pipe(Schema.pattern(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/))
  ).pipe(Schema.maxItems(20)),
  /** The claim that names a person and never changes hands. */
  subject: Claim,
  /** The claim with the groups of a person; `null` has none. */
  groups: Schema.NullOr(Claim),
  /** The orgs that it is offered to; `null` is every org. */
  orgs: Schema.NullOr(Schema.Array(OrgName)),
  /** Whether a verified address of one of `domains` may lead to an existing user. */
  link: Schema.Literal("none", "verified_email"),
  domains: Schema.Array(Domain).pipe(Schema.maxItems(100)),
  /** Whether signing out here also signs out at the provider. */
  logout: Schema.Boolean
}).annotations({ identifier: "Provider" })
/** A provider. */
export type Provider = typeof Provider.Type

/** Whether a provider is offered to an org. */
export const isOffered = ({ orgs }: Pick<Provider, "orgs">, org: OrgName): boolean =>
  orgs === null || orgs.includes(org)

/** The provider of that id; undefined where the host has none. */
export const find = (providers: ReadonlyArray<Provider>, id: string): Provider | undefined =>
  providers.find((provider) => provider.id === id)
