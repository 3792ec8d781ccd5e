/**
 * The notifier of the assembled server with its channels, and the check of target URLs.
 *
 * Destinations that are not public are refused unless `ATTESTRY_OUTBOUND_ALLOW` permits them; the banner then warns.
 */
import { readFile } from "node:fs/promises"
import { OutboundUrlCheck } from "@attestry/core/OutboundUrlCheck"
import type { OutboxStore } from "@attestry/core/OutboxStore"
import type { SigningSecrets } from "@attestry/core/SigningSecrets"
import type { TeamDeliveries } from "@attestry/core/TeamDeliveries"
import * as AllowList from "@attestry/notifier/AllowList"
import * as Channels from "@attestry/notifier/Channels"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as HmacNode from "@attestry/notifier/HmacNode"
import type * as HostResolverNode from "@attestry/notifier/HostResolverNode"
import * as Mailer from "@attestry/notifier/Mailer"
import * as MailerNode from "@attestry/notifier/MailerNode"
import * as Notifier from "@attestry/notifier/Notifier"
import * as OutboundUrl from "@attestry/notifier/OutboundUrl"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../ServerConfig.js"

/** The file of extra certificates cannot be read. */
export class UnreadableCertificates extends Schema.TaggedError<UnreadableCertificates>()(
  "UnreadableCertificates",
  { file: Schema.String }
) {
  override get message(): string {
    return `ATTESTRY_OUTBOUND_CA: cannot read \`${this.file}\``
  }
}

/** The errors of delivery settings, with which the server does not start. */
export type InvalidDeliverySettings =
  | AllowList.InvalidAllowList
  | GuardedHttpClientNode.InvalidExtraCa
  | HostResolverNode.InvalidResolver
  | MailerNode.InvalidMailSettings
  | UnreadableCertificates

/** Refuses target URLs that are never permitted when they are saved; it sends no DNS query. */
export const layerUrlCheck = ({
  ATTESTRY_OUTBOUND_ALLOW: permitted
}: Pick<ServerConfig, "ATTESTRY_OUTBOUND_ALLOW">): Layer.Layer<OutboundUrlCheck> => {
  const allow = Either.getOrElse(AllowList.parse(permitted), () => AllowList.empty)
  return Layer.succeed(OutboundUrlCheck, (url) =>
    Either.match(OutboundUrl.check(url, allow), {
      onLeft: ({ message }) => message,
      onRight: () => null
    })
  )
}

/** The certificates to trust beside Node's. */
export const readCertificates = ({ ATTESTRY_OUTBOUND_CA: file }: ServerConfig) =>
  file === undefined
    ? Effect.succeed({})
    : Effect.map(
        Effect.tryPromise({
          try: () => readFile(file, "utf8"),
          catch: () => new UnreadableCertificates({ file })
        }),
        (extraCa) => ({ extraCa })
      )

const mailer = (config: ServerConfig, trust: { readonly extraCa?: string }) =>
  config.ATTESTRY_SMTP_URL === undefined
    ? Mailer.layerNone
    : MailerNode.layer({
        url: config.ATTESTRY_SMTP_URL,
        from: config.ATTESTRY_SMTP_FROM ?? "",
        ...trust
      })

/** The name server to ask, where one is set. */
export const resolverOf = ({ ATTESTRY_OUTBOUND_RESOLVER: resolver }: ServerConfig) =>
  resolver === undefined ? {} : { resolver }

/** The worker, from when the layer is built until its scope closes. */
export const layer = (
  config: ServerConfig,
  publicUrl: string
): Layer.Layer<
  Notifier.Notifier,
  InvalidDeliverySettings,
  OutboxStore | SigningSecrets | TeamDeliveries
> =>
  Layer.unwrapEffect(
    Effect.map(readCertificates(config), (trust) =>
      Notifier.layer({
        attemptsMax: config.ATTESTRY_DELIVERY_ATTEMPTS,
        backoffMillis: config.ATTESTRY_DELIVERY_BACKOFF,
        timeoutMs: config.ATTESTRY_DELIVERY_TIMEOUT
      }).pipe(
        Layer.provide(
          Channels.layer({
            publicUrl: publicUrl.replace(/\/+$/, ""),
            timeoutMs: config.ATTESTRY_DELIVERY_TIMEOUT
          })
        ),
        Layer.provide(mailer(config, trust)),
        Layer.provide(HmacNode.layer),
        Layer.provide(
          GuardedHttpClientNode.layerWithResolver({
            allow: config.ATTESTRY_OUTBOUND_ALLOW,
            ...resolverOf(config),
            ...trust
          })
        )
      )
    )
  )
