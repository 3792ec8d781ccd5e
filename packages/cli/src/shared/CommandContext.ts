/** The context of a command: the host, the output, the settings with their sources, and the deployment's API. */
import type { Job } from "../job/Job.js"
import type { Settings } from "../settings/Settings.js"
import type { Api } from "../transport/Api.js"
import type { Host } from "./Host.js"
import type { Output } from "./Output.js"

/** The services of a command; expensive ones are made at their first use. */
export interface CommandContext {
  readonly host: Host
  readonly output: Output
  readonly settings: () => Promise<Settings>
  readonly job: () => Promise<Job>
  readonly api: () => Promise<Api>
}
