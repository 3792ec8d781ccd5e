/** `attest pull-request`: the pull requests of the commit; a commit without any is recorded as not compliant. */
import * as PullRequests from "../../forge/PullRequests.js"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { usage } from "../../shared/CommandFailure.js"
import type * as Json from "../../shared/Json.js"
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"

/** The forge of each provider, by the provider's name in the API. */
const OF_PROVIDER: ReadonlyMap<string | undefined, PullRequests.Forge> = new Map([
  ["github", "github"],
  ["gitlab", "gitlab"],
  ["bitbucket_cloud", "bitbucket"],
  ["cloudx-devops", "cloudx"]
])

const forgeOf = async ({ job }: CommandContext, args: Arguments): Promise<PullRequests.Forge> => {
  const word = args.text("forge")
  const forge =
    PullRequests.FORGES.find((each) => each === word) ??
    OF_PROVIDER.get((await job()).repository?.provider)
  if (forge !== undefined) return forge
  throw usage(
    "the forge of the repository is not known",
    "say --forge github, --forge gitlab, --forge bitbucket, --forge azure"
  )
}

/** The pull requests of a commit, and the place where they were asked for. */
export interface Asked {
  readonly forge: PullRequests.Forge
  readonly repository: string
  readonly commit: string
  readonly found: ReadonlyArray<Json.Fields>
}

/** Asks the forge of the flags or of the job for the pull requests of the commit. */
export const ask = async (context: CommandContext, args: Arguments): Promise<Asked> => {
  const forge = await forgeOf(context, args)
  const { repository: own, pullRequest } = await context.job()
  const repository = args.text("repository") ?? own?.name
  const commit = await EvidenceFields.commitOf(context, args)
  if (repository === undefined)
    throw usage("the repository is not known", "give --repository OWNER/NAME")
  if (commit === undefined) throw usage("the commit is not known", "give --commit")
  const found = await PullRequests.find(context, forge, {
    repository,
    commit,
    number: args.text("number") ?? pullRequest,
    apiUrl: args.text("forge-url")
  })
  return { forge, repository, commit, found }
}

/** Runs `attestry attest pull-request`. */
export const { run } = command({
  operation: "attestation.pull_request",
  word: "pull_request",
  asksForge: true,
  gather: async (context, args) => {
    const { forge, found } = await ask(context, args)
    return {
      fields: { git_provider: forge, pull_requests: found },
      files: [],
      summary: found.length === 0 ? "no pull request" : found.map(({ url }) => url).join(", ")
    }
  }
})
