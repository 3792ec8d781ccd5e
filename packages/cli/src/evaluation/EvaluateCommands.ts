/**
 * `attestry evaluate trail|input`: builds the document about trails that other policy engines read; with `--rego`,
 * evaluates it with this machine's `opa`.
 */
import { resolve } from "node:path"
import * as EvaluationInput from "@attestry/core/EvaluationInput"
import { readJson } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { requireFlow, requireTrail } from "../trail/TrailName.js"
import * as OpenPolicyAgent from "./OpenPolicyAgent.js"

/** The maximum number of concurrent requests. */
const CONCURRENCY = 8

/** Maps items with limited concurrency; keeps the order. */
const inTurn = async <A, B>(
  items: ReadonlyArray<A>,
  ask: (item: A) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  for (let at = 0; at < items.length; at += CONCURRENCY)
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(ask))))
  return results
}

const documentOf = async (
  { api }: CommandContext,
  flow_name: string,
  {
    trails,
    names
  }: { readonly trails: ReadonlyArray<string>; readonly names: ReadonlyArray<string> }
): Promise<Json.Fields> => {
  const deployment = await api()
  const prepared = await inTurn(trails, async (trail_name) => {
    const trail = await deployment.call("trail.get", { path: { flow_name, trail_name } })
    return EvaluationInput.prepare(Json.object(trail), names.length === 0 ? undefined : names)
  })
  const details = await inTurn(
    EvaluationInput.attestationIds(prepared),
    async (attestation_id): Promise<readonly [string, Json.Fields]> => {
      const answer = await deployment.call("attestation.list", { urlParams: { attestation_id } })
      return [attestation_id, Json.objects(Json.object(answer).data)[0] ?? {}]
    }
  )
  const enriched = prepared.map((trail) => EvaluationInput.enrich(trail, new Map(details)))
  const [only] = enriched
  return enriched.length === 1 && only !== undefined ? { trail: only } : { trails: enriched }
}

/** The value of `--params`: JSON, or `@FILE` for a file with JSON. */
const paramsOf = async ({ host }: CommandContext, args: Arguments): Promise<unknown> => {
  const text = args.text("params")
  if (text === undefined) return {}
  if (text.startsWith("@")) return readJson(host, text.slice(1))
  try {
    return JSON.parse(text)
  } catch {
    throw usage("--params is no JSON", "give JSON, or @FILE with it")
  }
}

const printed = (document: unknown): CommandResult => ({
  value: document,
  lines: (style) => JSON.stringify(document, null, 2).split("\n").map(style.text)
})

const shown = (violation: unknown): string =>
  typeof violation === "string" ? violation : JSON.stringify(violation)

const evaluateDocument = async (
  context: CommandContext,
  args: Arguments,
  input: unknown
): Promise<CommandResult> => {
  const file = args.text("rego")
  if (file === undefined) return printed(input)
  const params = await paramsOf(context, args)
  const path = resolve(context.host.cwd, file)
  const { allow, violations } = await OpenPolicyAgent.evaluate(context.host, path, {
    input,
    params
  })
  return {
    exit: allow ? "done" : "no",
    value: { schema: "attestry.cli/rego-evaluation/v1", allow, violations, rego: file },
    items: violations,
    quiet: allow ? "COMPLIANT" : "NON-COMPLIANT",
    lines: (style) => [
      ...violations.map((each) => `${style.tint("red", "violation")}: ${style.text(shown(each))}`),
      allow
        ? `${style.tint("green", "ALLOWED")}   by ${style.text(file)}`
        : `${style.tint("red", "NOT ALLOWED")}   by ${style.text(file)}`
    ]
  }
}

/** Runs `attestry evaluate trail`. */
export const trail: CommandModule = {
  run: async (context, args) => {
    const flow = await requireFlow(context)
    const trails = args.positionals.length > 0 ? args.positionals : [await requireTrail(context)]
    const names = args.texts("attestation")
    return evaluateDocument(context, args, await documentOf(context, flow, { trails, names }))
  }
}

/** Runs `attestry evaluate input`. */
export const input: CommandModule = {
  run: async (context, args) =>
    evaluateDocument(context, args, await readJson(context.host, args.required("file")))
}
