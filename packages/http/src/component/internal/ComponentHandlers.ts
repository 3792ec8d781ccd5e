/** Serves the operation of components. */
import { ComponentApi, type ComponentResponse } from "@attestry/api/ComponentApi"
import type { ComponentUse } from "@attestry/core/Component"
import { Components } from "@attestry/core/Components"
import * as Purl from "@attestry/core/Purl"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = ({
  artifacts,
  name,
  purl,
  running_in,
  type,
  version
}: ComponentUse): typeof ComponentResponse.Type => ({
  purl,
  type,
  name,
  version,
  artifacts,
  running_in
})

/** Serves the operation of components. */
export const ComponentHandlers = group(
  ComponentApi,
  Effect.gen(function* () {
    const components = yield* Components
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        const { fingerprint, purl, search } = urlParams
        return Effect.gen(function* () {
          const { items, total } = yield* toWire(
            components.list(
              path.org,
              {
                // WHY: the contract lets nothing through that is no purl.
                ...(purl === undefined ? {} : { purl: yield* Effect.orDie(Purl.parse(purl)) }),
                ...(search === undefined ? {} : { search }),
                ...(fingerprint === undefined ? {} : { fingerprint })
              },
              page
            )
          )
          return ok({
            ...Paging.counters(base, incoming, { total, page }),
            components: items.map(responseOf)
          })
        })
      }
    }
  })
)
