/**
 * `attestry assert pull-request`: asks the forge whether the commit has a pull request. It records nothing, and asks
 * no server.
 */
import * as PullRequest from "../attestation/kind/PullRequest.js"
import { type Announcement, announce } from "../job/JobSummary.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as ForeignText from "../shared/ForeignText.js"
import type { Style } from "../shared/Style.js"

const announcementOf = ({ repository, commit, found }: PullRequest.Asked): Announcement => {
  const name = `${repository} ${commit}`
  const isFound = found.length > 0
  const message = `no pull request of ${repository} has the commit ${commit}`
  const links = found.map(({ url }) => ForeignText.markdown(String(url))).join(", ")
  return {
    markdown: `### ${isFound ? "Pull request" : "No pull request"}: ${ForeignText.code(name)}\n\n${links}\n\n`,
    annotations: isFound
      ? []
      : [{ level: "error", title: "pull request", message, file: null, line: 1, column: 1 }],
    outputs: { compliant: String(isFound) }
  }
}

const linesOf =
  ({ repository, commit, found }: PullRequest.Asked) =>
  (style: Style): ReadonlyArray<string> => {
    const subject = `commit ${style.short(commit)} of ${style.text(repository)}`
    if (found.length === 0)
      return [
        `${subject}: ${style.tint("red", "no pull request")}`,
        "  a pull request counts if the forge connects it with this commit"
      ]
    return [
      `${subject}: ${style.tint("green", found.length === 1 ? "1 pull request" : `${found.length} pull requests`)}`,
      ...found.map(({ url, state }) => `  ${style.text(url)}  ${style.text(state ?? "")}`.trimEnd())
    ]
  }

/** Runs `attestry assert pull-request`. */
export const run: CommandModule["run"] = async (context, args) => {
  const asked = await PullRequest.ask(context, args)
  const { forge, repository, commit, found } = asked
  await announce(context, args, announcementOf(asked))
  const compliant = found.length > 0
  return {
    exit: compliant ? "done" : "no",
    value: {
      schema: "attestry.cli/pull-requests/v1",
      git_provider: forge,
      repository,
      commit,
      compliant,
      pull_requests: found
    },
    items: found,
    quiet: compliant ? found.map(({ url }) => String(url)).join("\n") : "NONE",
    lines: linesOf(asked)
  }
}
