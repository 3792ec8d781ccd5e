/** Serves the operations of snapshots. */
import { BadRequest } from "@attestry/api/HttpError"
import { SnapshotApi } from "@attestry/api/SnapshotApi"
import * as QualifiedExpression from "@attestry/core/QualifiedExpression"
import { SnapshotNotFound } from "@attestry/core/Snapshot"
import * as SnapshotRange from "@attestry/core/SnapshotRange"
import * as SnapshotRows from "@attestry/core/SnapshotRows"
import { Snapshots } from "@attestry/core/Snapshots"
import { SnapshotViews } from "@attestry/core/SnapshotViews"
import { Timelines } from "@attestry/core/Timelines"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as AsOfView from "../../history/internal/AsOfView.js"
import { type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as SnapshotView from "./SnapshotView.js"

/** How many rows of a snapshot in short a page has by default. */
const ROWS_PER_PAGE_DEFAULT = 100

const readSnappish = (text: string) =>
  Either.mapBoth(QualifiedExpression.parse(text), {
    onRight: (named) => ({ ...named, text }),
    onLeft: () => new BadRequest({ message: `Bad snappish ${text}` })
  })

/** The expression in a path below an environment, without the optional `#` before a number. */
const typedIn = ({ url }: IncomingRequest): string => {
  const [path = ""] = url.split("?")
  const [, below = ""] = path.split(/\/snapshots\/[^/]*\/[^/]*\//)
  return decodeURIComponent(below.split("/")[0] ?? "").replace(/^#/, "")
}

/** Puts the expression as it was typed into the error about it. */
export const asTyped =
  (environment: string, incoming: IncomingRequest) =>
  <A, E extends { readonly _tag: string }, R>(
    effect: Effect.Effect<A, E | SnapshotNotFound, R>
  ): Effect.Effect<A, E | SnapshotNotFound, R> =>
    Effect.mapError(effect, (error) =>
      error instanceof SnapshotNotFound
        ? new SnapshotNotFound({ ...error, asked: `${environment}#${typedIn(incoming)}` })
        : error
    )

/** A range, or the error message that clients expect. */
export const readRange = (text: string) =>
  Either.mapLeft(
    SnapshotRange.parse(text),
    ({ bound }) => new BadRequest({ message: `'${bound}' is not a valid snapshot index` })
  )

/** Serves the operations of snapshots. */
export const SnapshotHandlers = group(
  SnapshotApi,
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const timelines = yield* Timelines
    const views = yield* SnapshotViews
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams }) =>
        Effect.gen(function* () {
          const range = yield* readRange(urlParams.interval ?? "")
          const window = { ...Paging.pageOf(urlParams), reverse: urlParams.reverse ?? false }
          return ok(yield* snapshots.list(path.org, path.env_name, { range, window }))
        }).pipe(toWire),
      timeline: ({ path, urlParams: { buckets, ...window } }) =>
        timelines
          .get(path.org, path.env_name, {
            ...window,
            ...(buckets === undefined ? {} : { columns: buckets })
          })
          .pipe(toWire, Effect.map(ok)),
      get: ({ path, urlParams: { as_of: asOf, policies = "recorded" }, incoming }) =>
        views
          .get(path.org, path.env_name, { expression: path.snapshot_expression, asOf, policies })
          .pipe(
            asTyped(path.env_name, incoming),
            toWire,
            Effect.flatMap((found) => AsOfView.responseOf(base, path.org, found)),
            Effect.map(ok)
          ),
      rows: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams, ROWS_PER_PAGE_DEFAULT)
        const rule = SnapshotRows.parseRule(urlParams.rule ?? "")
        return snapshots
          .rows(path.org, path.env_name, {
            expression: path.snapshot_expression,
            query: {
              ...(urlParams.search === undefined ? {} : { search: urlParams.search }),
              ...(urlParams.verdict === undefined ? {} : { verdict: urlParams.verdict }),
              ...(urlParams.flow_name === undefined ? {} : { flowName: urlParams.flow_name }),
              ...(rule === undefined ? {} : { rule })
            },
            page
          })
          .pipe(
            asTyped(path.env_name, incoming),
            toWire,
            Effect.map((found) => ok(SnapshotView.shortOf({ base, org: path.org, page }, found)))
          )
      },
      row: ({ path, urlParams, incoming }) =>
        snapshots
          .row(path.org, path.env_name, { expression: path.snapshot_expression, ...urlParams })
          .pipe(
            asTyped(path.env_name, incoming),
            toWire,
            Effect.map((found) => ok(SnapshotView.rowOf(base, path.org, found)))
          ),
      compare: ({ path, urlParams }) =>
        Effect.gen(function* () {
          const first = yield* readSnappish(urlParams.snappish1)
          const second = yield* readSnappish(urlParams.snappish2)
          return ok(yield* snapshots.compare(path.org, first, second))
        }).pipe(toWire)
    }
  })
)
