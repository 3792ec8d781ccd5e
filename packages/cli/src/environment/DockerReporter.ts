/**
 * `attestry report docker ENV`: the running containers of the engine on this machine.
 *
 * An image without a registry digest is reported with its image id. No flow knows that id, but the running image is
 * not hidden.
 */
import * as DockerEngine from "../artifact/DockerEngine.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import * as Json from "../shared/Json.js"
import { command } from "./Report.js"
import type { ReportDraft, Reporter, ReporterInput, WatchInput } from "./Reporter.js"

interface Unit {
  readonly unit?: Json.Fields
  readonly warning?: string
  readonly leftOut?: string
}

const queryOf = (args: Arguments): string => {
  const labels = args.texts("label")
  const filters = { status: ["running"], ...(labels.length === 0 ? {} : { label: labels }) }
  return `/containers/json?filters=${encodeURIComponent(JSON.stringify(filters))}`
}

const unitOf = async (
  { host }: CommandContext,
  container: Json.Fields,
  skipsLocal: boolean
): Promise<Unit> => {
  const name = Json.text(container.Image) ?? ""
  const id = Json.text(container.ImageID) ?? ""
  const created = Json.number(container.Created)
  const image = await DockerEngine.get(host, `/images/${encodeURIComponent(id)}/json`)
  const digest = image === undefined ? undefined : DockerEngine.repoDigest(name, image)
  const report = (fingerprint: string): Json.Fields => ({
    digests: { [name]: fingerprint },
    creationTimestamp: created
  })
  if (digest !== undefined) return { unit: report(digest) }
  const own = /([0-9a-f]{64})$/.exec(id)?.[1]
  if (own === undefined) return { leftOut: `${name}: the engine tells no digest and no id` }
  return skipsLocal
    ? { leftOut: `${name}: it is an image of this machine alone` }
    : {
        unit: report(own),
        warning: `${name} is an image of this machine alone: reported under its id`
      }
}

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const containers = Json.objects(await DockerEngine.get(context.host, queryOf(args)))
  const units = await Promise.all(
    containers.map((container) => unitOf(context, container, args.has("skip-local")))
  )
  return {
    units: units.flatMap(({ unit }) => (unit === undefined ? [] : [unit])),
    leftOut: units.flatMap(({ leftOut }) => (leftOut === undefined ? [] : [leftOut])),
    warnings: units.flatMap(({ warning }) => (warning === undefined ? [] : [warning]))
  }
}

const EVENTS = ["start", "die", "pause", "unpause", "rename"]

/** Waits until a container starts or ends. */
const changed = async ({ context, sinceMs, signal }: WatchInput): Promise<void> => {
  const filters = { type: ["container"], event: EVENTS }
  const since = Math.floor(sinceMs / 1_000)
  const query = `since=${since}&filters=${encodeURIComponent(JSON.stringify(filters))}`
  await DockerEngine.firstOf(context.host, `/events?${query}`, signal)
}

/** Reports environments of kind `docker`. */
export const reporter: Reporter = { kind: () => "docker", gather, changed }

/** Runs `attestry report docker`. */
export const { run } = command(reporter)
