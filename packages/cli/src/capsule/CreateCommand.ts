/** `attestry capsule create THING…`: saves an audit capsule, which `attestry capsule verify` checks offline. */
import { resolve } from "node:path"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Fields } from "../shared/Json.js"
import * as NewFile from "../shared/NewFile.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"

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
const bodyOf = (args: Arguments): Fields => {
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
  const [evidence, size] = [args.text("evidence"), args.number("log-size")]
  return {
    environments,
    trails,
    fingerprints,
    ...(evidence === undefined ? {} : { evidence }),
    ...(size === undefined ? {} : { size })
  }
}

/** The log has a new checkpoint within a second or so, and one capsule is made at a time. */
const WAIT_MS = 60_000
const PAUSE_MS = 1_000

/** The capsule, piece by piece. A deployment that cannot make it yet is asked again. */
async function* download({ api, host, output }: CommandContext, payload: Fields) {
  const deployment = await api()
  const last = host.now() + WAIT_MS
  for (;;) {
    let isBegun = false
    try {
      for await (const piece of deployment.download("capsule.create", { payload })) {
        isBegun = true
        yield piece
      }
      return
    } catch (error) {
      const isLater = error instanceof CommandFailure && error.details.status === 503
      if (!isLater || isBegun || host.now() > last) throw error
      output.progress(`${error.message} …`)
      await host.sleep(PAUSE_MS, host.signal)
    } finally {
      output.progress("")
    }
  }
}

/** Runs `attestry capsule create`. */
export const run: CommandModule["run"] = async (context, args) => {
  const payload = bodyOf(args)
  const api = await context.api()
  const file = args.text("save") ?? `${await api.org()}.capsule.zip`
  const target = NewFile.begin(resolve(context.host.cwd, file))
  let size = 0
  try {
    for await (const piece of download(context, payload)) {
      await target.write(piece)
      size += piece.byteLength
    }
    await target.end()
  } catch (error) {
    target.drop()
    throw error
  }
  return {
    value: { schema: "attestry.cli/capsule-create/v1", file, size },
    quiet: file,
    lines: (style) => [
      `${style.text(file)}: ${size} bytes`,
      `check it with ${style.text(`attestry capsule verify ${file}`)}`
    ]
  }
}
