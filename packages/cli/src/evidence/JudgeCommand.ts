/**
 * `attestry evidence judge DIGEST`: the server verifies and judges an accepted file again, by what it trusts today.
 *
 * Recorded attestations never change: one that comes out otherwise is followed by a new one.
 */
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import { dryRun } from "../attestation/DryRun.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as AcceptedEvidence from "./AcceptedEvidence.js"

const OPERATION = "evidence.judge"

const summaryOf = (changed: number, total: number): string => {
  if (total === 0) return "nothing is linked to it, so nothing was judged"
  return changed === 0
    ? "nothing changed: every attestation comes out as before"
    : `${changed} of ${total} attestations came out otherwise and were recorded again`
}

/** Runs `attestry evidence judge`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [text = ""] = args.positionals
  const digest = parseFingerprint(text)
  const call = { path: { digest } }
  if (args.has("dry-run")) return dryRun(context, OPERATION, call)
  const answer = Json.object(await (await context.api()).call(OPERATION, call))
  const links = Json.objects(answer.links)
  const changed = Json.number(answer.changed)
  return {
    value: { schema: "attestry.cli/evidence-judge/v1", digest, changed, links },
    items: links,
    quiet: String(changed),
    lines: (style: Style) => [
      ...AcceptedEvidence.judged(links, style),
      summaryOf(changed, links.length)
    ]
  }
}
