/** `attestry capsule create THING…`: saves an audit capsule, which `attestry capsule verify` checks offline. */
import * as ReleaseQuestion from "../release-evidence/ReleaseQuestion.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Fields } from "../shared/Json.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import * as CapsuleFile from "./CapsuleFile.js"

const FINGERPRINT = /^(?:sha256:)?([0-9a-fA-F]{64})$/

/** The snapshots of an environment: those of a range, or one. */
const environmentOf = (thing: string, args: Arguments): Fields => {
  const { environment: name, expression } = SnapshotArgument.parse(thing)
  const [from, to] = [args.text("from"), args.text("to")]
  if (from === undefined && to === undefined) return { name, at: expression }
  if (thing !== name) throw usage("--from and --to are for an ENV without a snapshot")
  return { name, from: from ?? "1", to: to ?? "-1" }
}

const trailOf = (thing: string, slash: number): Fields => {
  const [flow_name, trail_name] = [thing.slice(0, slash), thing.slice(slash + 1)]
  if (flow_name === "" || trail_name === "") throw usage("FLOW/TRAIL needs a flow and a trail")
  return { flow_name, trail_name }
}

/** The body of the request: each thing is an environment, a trail or a fingerprint. */
const bodyOf = (context: CommandContext, args: Arguments): Fields => {
  const environments: Array<Fields> = []
  const trails: Array<Fields> = []
  const fingerprints: Array<string> = []
  for (const thing of args.positionals) {
    const [, fingerprint] = FINGERPRINT.exec(thing) ?? []
    const slash = thing.indexOf("/")
    if (fingerprint !== undefined) fingerprints.push(fingerprint.toLowerCase())
    else if (slash >= 0) trails.push(trailOf(thing, slash))
    else environments.push(environmentOf(thing, args))
  }
  const releases = ReleaseQuestion.given(context, args)
  if (!args.has("releases") && Object.keys(releases).length > 0)
    throw usage("--environment, --flow, --policy, --since and --until are for --releases")
  if (args.positionals.length === 0 && !args.has("releases"))
    throw usage("name at least one THING, or give --releases")
  const [evidence, size] = [args.text("evidence"), args.number("log-size")]
  return {
    environments,
    trails,
    fingerprints,
    ...(args.has("releases") ? { releases } : {}),
    ...(evidence === undefined ? {} : { evidence }),
    ...(size === undefined ? {} : { size })
  }
}

/** Runs `attestry capsule create`. */
export const run: CommandModule["run"] = async (context, args) => {
  const payload = bodyOf(context, args)
  const file = args.text("save") ?? `${await (await context.api()).org()}.capsule.zip`
  return CapsuleFile.save(context, payload, file)
}
