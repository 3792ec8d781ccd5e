/** Serves the operations that answer facts. */
import { FACTS_PER_PAGE_DEFAULT, FactApi } from "@attestry/api/FactApi"
import { ArtifactFacts, type RowWithFacts } from "@attestry/core/ArtifactFacts"
import type { Page } from "@attestry/core/Page"
import { RunningFacts, type RunningSnapshotFacts } from "@attestry/core/RunningFacts"
import * as Effect from "effect/Effect"
import { type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const rowOf = (
  { environment, facts: { hidden, ...facts }, isAllowed }: RowWithFacts,
  isLogical: boolean
) => ({
  ...(isLogical ? { environment } : {}),
  is_allowed: isAllowed,
  facts,
  ...(hidden === undefined ? {} : { hidden })
})

const answerOf = (
  found: RunningSnapshotFacts,
  asked: { readonly base: string; readonly incoming: IncomingRequest; readonly page: Page }
) => {
  const { index, isLogical, policies, rows, timestamp } = found
  const { items, total } = rows
  return ok({
    ...counters(asked.base, asked.incoming, { total, page: asked.page }),
    index,
    timestamp,
    policies,
    rows: items.map((row) => rowOf(row, isLogical)),
    ...asOfIn(found)
  })
}

/** Serves the operations that answer facts. */
export const FactHandlers = group(
  FactApi,
  Effect.gen(function* () {
    const facts = yield* ArtifactFacts
    const running = yield* RunningFacts
    const base = yield* PublicUrl
    return {
      get: ({ path }) => facts.get(path.org, path.fingerprint).pipe(toWire, Effect.map(ok)),
      list: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, FACTS_PER_PAGE_DEFAULT)
        const of = {
          environment: path.env_name,
          expression: path.snapshot_expression,
          asOf: urlParams.as_of
        }
        return running.list(path.org, of, page).pipe(
          toWire,
          Effect.map((found) => answerOf(found, { base, incoming, page }))
        )
      }
    }
  })
)
