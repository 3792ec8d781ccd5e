/** `attest pull-request`: the pull requests of the commit; a commit without any is recorded as not compliant. */
import * as PullRequests from "../../forge/PullRequests.js"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { usage } from "../../shared/CommandFailure.js"
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
    `say --forge ${PullRequests.FORGES.join(", --forge ")}`
  )
}

/** Runs `attestry attest pull-request`. */
export const { run } = command({
  operation: "attestation.pull_request",
  word: "pull_request",
  gather: async (context, args) => {
    const forge = await forgeOf(context, args)
    const { repository, pullRequest } = await context.job()
    const name = args.text("repository") ?? repository?.name
    const commit = await EvidenceFields.commitOf(context, args)
    if (name === undefined)
      throw usage("the repository is not known", "give --repository OWNER/NAME")
    if (commit === undefined) throw usage("the commit is not known", "give --commit")
    const found = await PullRequests.find(context, forge, {
      repository: name,
      commit,
      number: args.text("number") ?? pullRequest,
      apiUrl: args.text("forge-url")
    })
    return {
      fields: { git_provider: forge, pull_requests: found },
      files: [],
      summary: found.length === 0 ? "no pull request" : found.map(({ url }) => url).join(", ")
    }
  }
})
