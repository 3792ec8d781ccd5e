/** Serves the operations about the API itself. */

import { type Deployment, MetaApi } from "@attestry/api/MetaApi"
import * as Limit from "@attestry/api/Operation"
import { PER_PAGE_DEFAULT, PER_PAGE_MAX } from "@attestry/api/Paging"
import { CurrentActor } from "@attestry/core/Actor"
import type { ApiKey } from "@attestry/core/ApiKey"
import { PersonalKeys } from "@attestry/core/PersonalKeys"
import { Reaches } from "@attestry/core/Reaches"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { FeatureFlags } from "../../shared/FeatureFlags.js"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { PARAMETERS_MAX } from "../../shared/internal/Query.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { FileBytesMax, type Limits, RequestLimits } from "../../shared/RequestLimits.js"
import { ServiceVersion } from "../../shared/ServiceVersion.js"

/** The version of the interface, as in the OpenAPI document. */
const API_VERSION = "2.0"

/** When a key ends: the earlier of its expiry and the end of its grace period. */
const endOf = ({ expires_at, grace_period_expires_at }: ApiKey): Timestamp | null =>
  grace_period_expires_at ?? expires_at

const limitsOf = (
  { perOrg, writesPerOrg, perCredential }: Limits,
  fileBytesMax: number
): (typeof Deployment.Type)["limits"] => ({
  json_bytes_max: Limit.JSON_BYTES_MAX,
  report_bytes_max: Limit.REPORT_BYTES_MAX,
  form_json_bytes_max: Limit.JSON_PART_BYTES_MAX,
  form_parts_max: Limit.PARTS_MAX,
  file_bytes_max: fileBytesMax,
  query_parameters_max: PARAMETERS_MAX,
  per_page_default: PER_PAGE_DEFAULT,
  per_page_max: PER_PAGE_MAX,
  requests_per_minute_per_org: perOrg,
  writes_per_minute_per_org: writesPerOrg,
  requests_per_minute_per_key: perCredential
})

/** Serves the operations about the API itself. */
export const MetaHandlers = group(
  MetaApi,
  Effect.gen(function* () {
    const keys = yield* PersonalKeys
    const flags = yield* FeatureFlags
    const reaches = yield* Reaches
    const version = yield* ServiceVersion
    const limits = limitsOf(yield* RequestLimits, yield* FileBytesMax)
    return {
      whoami: () =>
        toWire(
          Effect.gen(function* () {
            const { actor, key } = yield* keys.whoami()
            const orgs = yield* Effect.forEach(actor.memberships, (membership) =>
              Effect.map(reaches.ownAccess(actor, membership), ({ spaces }) => ({
                name: membership.org,
                role: membership.role,
                ...(spaces.length === 0 ? {} : { spaces })
              }))
            )
            return ok({
              type: actor.kind,
              id: actor.id,
              name: actor.name,
              orgs,
              api_key:
                key === null
                  ? null
                  : {
                      id: key.id,
                      description: key.description,
                      created_at: key.created_at,
                      expires_at: endOf(key),
                      ...(key.scope === undefined ? {} : { scope: key.scope })
                    }
            })
          })
        ),
      get: ({ incoming: { headers } }) =>
        Effect.gen(function* () {
          const actor = yield* CurrentActor
          const closed = yield* flags.closed({ feature: "controls", org: "", actor, headers })
          return ok({
            version,
            api_version: API_VERSION,
            features: {
              controls: Option.isNone(closed),
              dry_run: true,
              environment_type_aliases: true,
              idempotency_keys: true,
              return_representation: true
            },
            limits
          })
        })
    }
  })
)
