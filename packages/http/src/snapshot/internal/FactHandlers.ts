/** Serves the operations that answer facts. */
import { FACTS_PER_PAGE_DEFAULT, FactApi } from "@attestry/api/FactApi"
import { ArtifactFacts, type RowWithFacts, type SnapshotFacts } from "@attestry/core/ArtifactFacts"
import type { Page } from "@attestry/core/Page"
import { PastFacts, type PastSnapshotFacts } from "@attestry/core/PastFacts"
import * as Effect from "effect/Effect"
import { type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const rowOf = ({ environment, facts, isAllowed }: RowWithFacts, isLogical: boolean) => ({
  ...(isLogical ? { environment } : {}),
  is_allowed: isAllowed,
  facts
})

/** Facts of now, or of an instant. */
type AnsweredFacts = SnapshotFacts & Partial<Pick<PastSnapshotFacts, "asOf">>

const answerOf = (
  { asOf, index, isLogical, policies, rows: { items, total }, timestamp }: AnsweredFacts,
  asked: { readonly base: string; readonly incoming: IncomingRequest; readonly page: Page }
) =>
  ok({
    ...counters(asked.base, asked.incoming, { total, page: asked.page }),
    index,
    timestamp,
    policies,
    rows: items.map((row) => rowOf(row, isLogical)),
    ...(asOf === undefined ? {} : { as_of: asOf })
  })

/** Serves the operations that answer facts. */
export const FactHandlers = group(
  FactApi,
  Effect.gen(function* () {
    const facts = yield* ArtifactFacts
    const past = yield* PastFacts
    const base = yield* PublicUrl
    return {
      get: ({ path }) => facts.get(path.org, path.fingerprint).pipe(toWire, Effect.map(ok)),
      list: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, FACTS_PER_PAGE_DEFAULT)
        const of = { environment: path.env_name, expression: path.snapshot_expression }
        const answer = (found: AnsweredFacts) => answerOf(found, { base, incoming, page })
        const { as_of: asOf } = urlParams
        return asOf === undefined
          ? facts.list(path.org, of, page).pipe(toWire, Effect.map(answer))
          : past.list(path.org, { ...of, asOf }, page).pipe(toWire, Effect.map(answer))
      }
    }
  })
)
