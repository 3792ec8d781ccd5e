/** The trail of a command: from a flag, a variable, the pattern in the repository's file, or the commit. */
import { trailName } from "../job/CurrentJob.js"
import type { Sourced } from "../settings/Settings.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"

/** The trail and the source of its name; undefined if there is none. */
export const resolveTrail = async ({
  settings,
  job,
  host
}: CommandContext): Promise<Sourced<string> | undefined> => {
  const { trail, repository } = await settings()
  if (trail !== undefined && trail.value !== repository?.trail?.value) return trail
  if (trail !== undefined) {
    const name = trailName(trail.value, await job(), host.now())
    return name === undefined ? undefined : { value: name, source: `${trail.source}, of the job` }
  }
  const { commit } = await job()
  return commit === undefined ? undefined : { value: commit, source: "the commit of the job" }
}

/** The name of the trail; fails if there is none. */
export const requireTrail = async (context: CommandContext): Promise<string> => {
  const trail = await resolveTrail(context)
  if (trail !== undefined) return trail.value
  throw usage(
    "the trail is not known",
    "give --trail, set ATTESTRY_TRAIL, or run in a job or a repository with a commit"
  )
}

/** The name of the flow; fails if there is none. */
export const requireFlow = async ({ settings }: CommandContext): Promise<string> => {
  const { flow } = await settings()
  if (flow !== undefined) return flow.value
  throw usage(
    "the flow is not known",
    "give --flow, set ATTESTRY_FLOW, or say it in .attestry.yaml"
  )
}
