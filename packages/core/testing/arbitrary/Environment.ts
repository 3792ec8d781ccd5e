/** Environments: any settings, and few small ones on which sequences of commands collide. */
import * as Cadence from "@attestry/core/Cadence"
import {
  type Environment,
  type EnvironmentDraft,
  EnvironmentSettings
} from "@attestry/core/Environment"
import { KindAlias } from "@attestry/core/EnvironmentKind"
import type { ReportDigests } from "@attestry/core/EnvironmentStore"
import { EnvironmentId, EnvironmentName, PolicyId } from "@attestry/core/Identifier"
import { Verdict } from "@attestry/core/Verdict"
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as Reports from "../EnvironmentReport.js"
import { text, timestamp } from "./Text.js"

/** Any name. */
export const environmentName: FastCheck.Arbitrary<EnvironmentName> = FastCheck.oneof(
  FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9.\-_]{0,12}$/),
  FastCheck.constantFrom("0", "constructor", "a".repeat(255))
).map((name) => EnvironmentName.make(name))

const maybeTime = FastCheck.option(timestamp, { nil: null })

/** Settings, made from their schema. */
export const settings: FastCheck.Arbitrary<EnvironmentSettings> = FastCheck.tuple(
  Arbitrary.make(EnvironmentSettings),
  text
).map(([made, description]) => ({ ...made, description }))

/** Any cadence. */
export const cadence: FastCheck.Arbitrary<Cadence.Cadence> = FastCheck.record({
  report_every: FastCheck.option(
    FastCheck.integer({ min: Cadence.SECONDS_MIN, max: Cadence.SECONDS_MAX }),
    { nil: null }
  ),
  when_silent: FastCheck.constantFrom(...Cadence.WhenSilent.literals)
})

/** WHY filtered: ids are made here, and the one text that cannot be a key of an object is none of them. */
const policyId = text.filter((id) => id !== "__proto__").map((id) => PolicyId.make(id))

/** The fields of an environment, without its identity. */
export const environmentContent: FastCheck.Arbitrary<Omit<Environment, "org_id" | "id">> =
  FastCheck.record({
    name: environmentName,
    type: Reports.physicalKind,
    type_alias: FastCheck.constantFrom(null, ...KindAlias.literals),
    included: FastCheck.option(FastCheck.array(text.map((id) => EnvironmentId.make(id))), {
      nil: null
    }),
    policies: FastCheck.array(policyId, { maxLength: 3 }),
    tags: FastCheck.dictionary(
      FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]{0,8}$/),
      text
    ),
    created_at: timestamp,
    last_modified_at: timestamp,
    last_reported_at: maybeTime,
    last_changed_at: maybeTime,
    verdict: FastCheck.constantFrom(null, ...Verdict.literals),
    archived_at: FastCheck.constant(null)
  }).chain((fields) =>
    FastCheck.tuple(
      settings,
      FastCheck.subarray(fields.policies),
      cadence,
      FastCheck.option(timestamp, { nil: undefined })
    ).map(([made, warned, given, silent_since]) => ({
      ...fields,
      ...made,
      ...Cadence.revise({}, given),
      ...(silent_since === undefined ? {} : { silent_since }),
      ...(warned.length === 0
        ? {}
        : { policy_modes: Object.fromEntries(warned.map((id) => [id, "warn" as const])) })
    }))
  )

/** The digests of a report. */
export const reportMark: FastCheck.Arbitrary<ReportDigests> = FastCheck.record({
  bodyDigest: FastCheck.constantFrom("0".repeat(64), "1".repeat(64)),
  rowsDigest: FastCheck.constantFrom("2".repeat(64), "3".repeat(64))
})

/** Two names on which sequences of commands collide: one for pods, one for containers. */
export const COMMAND_NAMES = [
  EnvironmentName.make("prod"),
  EnvironmentName.make("staging")
] as const

/** One of the two names. */
export const commandName: FastCheck.Arbitrary<EnvironmentName> = FastCheck.constantFrom(
  ...COMMAND_NAMES
)

const [prod, staging] = COMMAND_NAMES

/** Mostly the kind of the name. */
const identity = FastCheck.constantFrom<
  Array<{ readonly name: EnvironmentName; readonly type: "K8S" | "docker" }>
>(
  { name: prod, type: "K8S" },
  { name: prod, type: "K8S" },
  { name: prod, type: "docker" },
  { name: staging, type: "docker" },
  { name: staging, type: "docker" },
  { name: staging, type: "K8S" }
)

/** Drafts of two environments with few settings, so that repetitions are common. */
export const environmentDraft: FastCheck.Arbitrary<EnvironmentDraft> = FastCheck.tuple(
  identity,
  FastCheck.record(
    {
      description: FastCheck.constantFrom("", "where it runs"),
      include_scaling: FastCheck.boolean()
    },
    { requiredKeys: [] }
  )
).map(([named, settings]) => ({ ...named, ...settings }))
