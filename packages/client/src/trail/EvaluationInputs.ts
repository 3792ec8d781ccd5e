/**
 * Documents about trails as input for other policy engines, fetched from a deployment.
 *
 * Core's `EvaluationInput` defines the document; each attestation is fetched once. No policy engine is included.
 */
import * as EvaluationInput from "@attestry/core/EvaluationInput"
import {
  AttestationId,
  type FlowName,
  type OrgName,
  type TrailName
} from "@attestry/core/Identifier"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { WireError } from "../Calls.js"
import type { Client } from "../Client.js"
import type { ClientError } from "../ClientError.js"
import type { Plain, PromiseClient } from "../PromiseClient.js"

/** One trail. */
export interface TrailPath {
  readonly flow_name: FlowName
  readonly trail_name: TrailName
}

/** The trails of a document, and the attestations that it contains. */
export interface Asked {
  readonly org: OrgName
  readonly trails: ReadonlyArray<TrailPath>
  /** `name` for one of the trail, `slot.name` for one of an artifact; all by default. */
  readonly attestations?: ReadonlyArray<string>
}

/** A document about one trail. */
export interface OneTrail {
  readonly trail: EvaluationInput.Fields
}

/** A document about several trails, in the given order. */
export interface ManyTrails {
  readonly trails: ReadonlyArray<EvaluationInput.Fields>
}

/** The number of concurrent requests. */
const CONCURRENCY = 8

interface Reader<E> {
  readonly trail: (path: TrailPath) => Effect.Effect<object, E>
  readonly attestation: (id: AttestationId) => Effect.Effect<EvaluationInput.Fields, E>
}

/** A value as the API returns it: instants are epoch seconds. */
const onTheWire = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.toEpochMillis(value) / 1000
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map(onTheWire)
  return typeof value === "object" && value !== null ? fieldsOf(value) : value
}

const fieldsOf = (value: object): EvaluationInput.Fields =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, onTheWire(field)]))

const build = <E>(
  reader: Reader<E>,
  { trails, attestations }: Pick<Asked, "trails" | "attestations">
): Effect.Effect<ReadonlyArray<EvaluationInput.Fields>, E> =>
  Effect.gen(function* () {
    const concurrency = CONCURRENCY
    const answers = yield* Effect.forEach(trails, reader.trail, { concurrency })
    const prepared = answers.map((trail) => EvaluationInput.prepare(fieldsOf(trail), attestations))
    const details = new Map(
      yield* Effect.forEach(
        EvaluationInput.attestationIds(prepared),
        (id) =>
          Effect.map(
            reader.attestation(AttestationId.make(id)),
            (detail): readonly [string, EvaluationInput.Fields] => [id, fieldsOf(detail)]
          ),
        { concurrency }
      )
    )
    return prepared.map((trail) => EvaluationInput.enrich(trail, details))
  })

const readerOf = (client: Client, org: OrgName): Reader<WireError | ClientError> => ({
  trail: (path) => client.trail.get({ path: { org, ...path } }),
  attestation: (attestation_id) =>
    Effect.map(
      client.attestation.list({ path: { org }, urlParams: { attestation_id } }),
      ({ data: [found] }) => found ?? {}
    )
})

/** The document about several trails. */
export const many = (
  client: Client,
  asked: Asked
): Effect.Effect<ManyTrails, WireError | ClientError> =>
  Effect.map(build(readerOf(client, asked.org), asked), (trails) => ({ trails }))

/** The document about one trail. */
export const one = (
  client: Client,
  { org, attestations, ...path }: Omit<Asked, "trails"> & TrailPath
): Effect.Effect<OneTrail, WireError | ClientError> =>
  Effect.map(
    build(readerOf(client, org), {
      trails: [path],
      ...(attestations === undefined ? {} : { attestations })
    }),
    ([trail = {}]) => ({ trail })
  )

const promiseReaderOf = (client: PromiseClient, org: string): Reader<unknown> => {
  const call = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (error) => error })
  return {
    trail: (path) => call(() => client.trail.get({ path: { org, ...path } })),
    attestation: (attestation_id) =>
      Effect.map(
        call(() => client.attestation.list({ path: { org }, urlParams: { attestation_id } })),
        ({ data: [found] }) => found ?? {}
      )
  }
}

/** The document about several trails, for callers without Effect; rejects as the client's calls do. */
export const manyAsync = async (
  client: PromiseClient,
  { org, trails, attestations }: Plain<Asked>
): Promise<ManyTrails> => {
  const paths = trails.map(({ flow_name, trail_name }) => ({
    // WHY: the client checks names against the contract before it sends a request.
    flow_name: flow_name as FlowName,
    trail_name: trail_name as TrailName
  }))
  const exit = await Effect.runPromiseExit(
    build(promiseReaderOf(client, org), {
      trails: paths,
      ...(attestations === undefined ? {} : { attestations })
    })
  )
  if (Exit.isSuccess(exit)) return { trails: exit.value }
  throw Cause.squash(exit.cause)
}

/** The document about one trail, for callers without Effect. */
export const oneAsync = async (
  client: PromiseClient,
  { org, attestations, flow_name, trail_name }: Plain<Omit<Asked, "trails"> & TrailPath>
): Promise<OneTrail> => {
  const { trails } = await manyAsync(client, {
    org,
    trails: [{ flow_name, trail_name }],
    ...(attestations === undefined ? {} : { attestations })
  })
  return { trail: trails[0] ?? {} }
}
