/** Serves the operation that makes audit capsules. */
import { CapsuleApi, type CapsuleRequest } from "@attestry/api/CapsuleApi"
import { invalid } from "@attestry/api/HttpError"
import { MEDIA_TYPE } from "@attestry/core/CapsuleLimits"
import { type CapsuleAsked, Capsules } from "@attestry/core/Capsules"
import * as Log from "@attestry/core/Log"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { streamed } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

type Environment = NonNullable<typeof CapsuleRequest.Type.environments>[number]

/** The range of snapshots that is meant; fails for half of one, and for a range with a single snapshot. */
const rangeOf = ({ at, from, name, to }: Environment, place: number) => {
  const isHalf = (from === undefined) !== (to === undefined)
  if (isHalf || (at !== undefined && from !== undefined))
    return invalid({
      [`environments[${place}]`]:
        "Input should have `from` and `to`, or `at`, or none of them [input: …]"
    })
  const latest = SnapshotExpression.index(-1)
  const single = at ?? latest
  return Effect.succeed({ name, from: from ?? single, to: to ?? single })
}

const askedOf = ({
  environments = [],
  evidence = "bodies",
  fingerprints = [],
  releases,
  trails = []
}: typeof CapsuleRequest.Type) =>
  Effect.gen(function* () {
    if (environments.length + fingerprints.length + trails.length === 0 && releases === undefined)
      return yield* invalid({
        environments:
          "Input should have at least one environment, trail or fingerprint, or releases [input: None]"
      })
    const asked: CapsuleAsked = {
      environments: yield* Effect.forEach(environments, rangeOf),
      trails: trails.map(({ flow_name: flow, trail_name: trail }) => ({ flow, trail })),
      fingerprints,
      ...(releases === undefined ? {} : { releases }),
      evidence
    }
    return asked
  })

/** Serves the operations of capsules. */
export const CapsuleHandlers = group(
  CapsuleApi,
  Effect.gen(function* () {
    const capsules = yield* Capsules
    const base = yield* PublicUrl
    return {
      create: ({ path: { org }, payload }) =>
        Effect.flatMap(askedOf(payload), (asked) =>
          capsules.create(
            { org, origin: Log.originOf(base, org) },
            asked,
            Option.fromNullable(payload.size)
          )
        ).pipe(
          Effect.catchTag("PeriodTooLong", ({ max }) =>
            invalid({ "releases.from": `Input should be at most ${max} days before \`to\`` })
          ),
          toWire,
          Effect.map(({ content, filename }) =>
            streamed(content, {
              "content-type": MEDIA_TYPE,
              "content-disposition": `attachment; filename="${filename}"`,
              "cache-control": "no-store",
              "x-content-type-options": "nosniff"
            })
          )
        )
    }
  })
)
