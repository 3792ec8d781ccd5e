/** `attestry get previous-commit ARTIFACT`: the commit of the artifact that came before, for a list of changes. */
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { requireFlow } from "../trail/TrailName.js"

/** Runs `attestry get previous-commit`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [text = ""] = args.positionals
  const [, flow, digest] = /^([^@]+)@(.+)$/.exec(text) ?? []
  const branch = args.text("branch")
  const value = await (await context.api()).call("artifact.latestCommit", {
    path: {
      flow_name: flow ?? (await requireFlow(context)),
      fingerprint: parseFingerprint(digest ?? text)
    },
    urlParams: branch === undefined ? {} : { branch }
  })
  const commit = Json.text(Json.object(value).latest_commit)
  if (commit === undefined)
    throw new CommandFailure("missing", "no artifact with a commit came before this one")
  return { value, quiet: commit, lines: (style) => [style.text(commit)] }
}
