/** Serves the operations that answer facts. */
import { FACTS_PER_PAGE_DEFAULT, FactApi } from "@attestry/api/FactApi"
import { ArtifactFacts, type RowWithFacts } from "@attestry/core/ArtifactFacts"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const rowOf = ({ environment, facts, isAllowed }: RowWithFacts, isLogical: boolean) => ({
  ...(isLogical ? { environment } : {}),
  is_allowed: isAllowed,
  facts
})

/** Serves the operations that answer facts. */
export const FactHandlers = group(
  FactApi,
  Effect.gen(function* () {
    const facts = yield* ArtifactFacts
    const base = yield* PublicUrl
    return {
      get: ({ path }) => facts.get(path.org, path.fingerprint).pipe(toWire, Effect.map(ok)),
      list: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, FACTS_PER_PAGE_DEFAULT)
        const of = { environment: path.env_name, expression: path.snapshot_expression }
        return facts.list(path.org, of, page).pipe(
          toWire,
          Effect.map(({ index, isLogical, policies, rows: { items, total }, timestamp }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              index,
              timestamp,
              policies,
              rows: items.map((row) => rowOf(row, isLogical))
            })
          )
        )
      }
    }
  })
)
