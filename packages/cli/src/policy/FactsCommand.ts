/** `attestry policy facts`: the evaluator's input for an artifact or for the rows of an environment. */
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import * as AsOf from "../history/AsOf.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"

const PER_PAGE = 1_000

const flowLines = (facts: Json.Fields, style: Style): ReadonlyArray<string> => {
  const flows = Json.objects(facts.flows)
  if (flows.length === 0) return ["  no flow knows it"]
  return flows.flatMap((flow) => [
    `  flow ${style.text(flow.flow_name)}, trail ${style.text(flow.trail_name)}`,
    ...Json.objects(flow.attestations).map(
      (each) =>
        `    ${style.text(each.name)} (${style.text(each.type)}, of the ${style.text(each.level)}): ` +
        verdict(style, each.is_compliant)
    )
  ])
}

const factLines = (facts: Json.Fields, style: Style): ReadonlyArray<string> => {
  const artifact = Json.object(facts.artifact)
  return [
    `${style.text(artifact.name)} ${style.short(artifact.fingerprint)}`,
    ...flowLines(facts, style)
  ]
}

const ofArtifact = async ({ api }: CommandContext, text: string): Promise<CommandResult> => {
  const facts = Json.object(
    await (await api()).call("fact.get", { path: { fingerprint: parseFingerprint(text) } })
  )
  if (facts.hidden === true)
    throw new CommandFailure("denied", "a flow that you may not read knows the artifact", {
      hint: "its facts would have a gap; ask about a verdict: attestry assert"
    })
  return { value: facts, lines: (style) => factLines(facts, style) }
}

/** The rows of every page. */
const ofSnapshot = async (
  { api, output }: CommandContext,
  text: string,
  asOf: Json.Fields
): Promise<CommandResult> => {
  const { environment, expression } = SnapshotArgument.parse(text)
  const rows: Array<Json.Fields> = []
  for (let page = 1; ; page++) {
    const answer = Json.object(
      await (await api()).call("fact.list", {
        path: { env_name: environment, snapshot_expression: expression },
        urlParams: { page, per_page: PER_PAGE, ...asOf }
      })
    )
    const found = Json.objects(answer.rows)
    rows.push(...found)
    if (found.length < PER_PAGE) break
  }
  // WHY left out: without the evidence of a hidden flow an evaluation would decide wrongly.
  const known = rows.filter(({ hidden }) => hidden !== true)
  const left = rows.length - known.length
  if (left > 0)
    output.warn(`left out ${left} of ${rows.length} rows: a flow that you may not read knows them`)
  const facts = known.map((row) => Json.object(row.facts))
  return {
    value: facts,
    items: facts,
    lines: (style) =>
      facts.length === 0 ? ["nothing runs"] : facts.flatMap((each) => factLines(each, style))
  }
}

/** Runs `attestry policy facts`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [fingerprint] = args.positionals
  const environment = args.text("environment")
  if ((fingerprint === undefined) === (environment === undefined))
    throw usage("give either FINGERPRINT or --environment ENV")
  const asOf = AsOf.query(context.host, args)
  if (fingerprint === undefined) return ofSnapshot(context, environment ?? "", asOf)
  if (asOf.as_of !== undefined) throw usage("--as-of goes with --environment alone")
  return ofArtifact(context, fingerprint)
}
