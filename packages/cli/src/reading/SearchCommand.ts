/** `attestry search VALUE`: finds a commit or a fingerprint in flows and environments. */
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import * as Table from "../shared/Table.js"

const LENGTH_MIN = 5

/** Runs `attestry search`. */
export const run: CommandModule["run"] = async ({ api }, args) => {
  const [value = ""] = args.positionals
  if (value.length < LENGTH_MIN) throw usage(`VALUE has at least ${LENGTH_MIN} characters`)
  const answer = Json.object(await (await api()).call("search.sha", { path: { value } }))
  const artifacts = Json.objects(answer.artifacts)
  return {
    value: answer,
    items: artifacts,
    quiet: artifacts.map(({ fingerprint }) => String(fingerprint)).join("\n"),
    lines: (style) =>
      Table.lines([
        ["FINGERPRINT", "NAME", "FLOW", "COMMIT", "STATE", "RUNS IN"].map((heading) =>
          style.tint("bold", heading)
        ),
        ...artifacts.map((artifact) => [
          style.short(artifact.fingerprint),
          style.text(artifact.name),
          style.text(artifact.flow),
          style.short(artifact.git_commit),
          style.text(artifact.compliance_state),
          Json.list(artifact.running_in)
            .map((each) => style.text(Json.isObject(each) ? each.environment_name : each))
            .join(", ")
        ])
      ])
  }
}
