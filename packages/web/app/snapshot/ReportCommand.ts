/** The command that reports an environment, with placeholders for values that only the machine knows. Pure. */
import { attestryLine } from "../shell/AttestryLine.js"

/** The arguments after `attestry report` for each kind; the name of the environment follows the first one. */
const KINDS: ReadonlyMap<string, readonly [kind: string, ...flags: ReadonlyArray<string>]> =
  new Map([
    ["K8S", ["kubernetes"]],
    ["docker", ["docker"]],
    ["server", ["paths", "--path", "<NAME>=<PATH>"]],
    ["container-tasks", ["ecs"]],
    ["functions", ["lambda"]],
    ["object-store", ["s3", "--bucket", "<BUCKET>"]],
    ["cloudx-apps", ["azure-apps", "--subscription", "<SUBSCRIPTION>"]],
    ["serverless-run", ["cloud-run", "--project", "<PROJECT>"]]
  ])

export interface ReportPlace {
  /** The public URL of the deployment. */
  readonly url: string
  readonly org: string
  readonly environment: string
  /** The kind of the environment. */
  readonly type: string
}

/** The command; undefined for a kind that no command reports. */
export const commandOf = ({ environment, org, type, url }: ReportPlace): string | undefined => {
  const words = KINDS.get(type)
  if (words === undefined) return undefined
  const [kind, ...flags] = words
  return attestryLine(["attestry", "report", kind, environment, ...flags], { url, org })
}
