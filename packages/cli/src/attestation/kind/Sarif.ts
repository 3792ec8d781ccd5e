/** `attest sarif FILE…`: the results of any scanner; compliant if none reaches a threshold. */
import { unreadable } from "../../shared/CommandFailure.js"
import type { Style } from "../../shared/Style.js"
import * as AttachedFile from "../AttachedFile.js"
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"
import * as Sarif from "../Sarif.js"

const SHOWN_MAX = 20

const findingLines = (
  results: ReadonlyArray<Sarif.SarifResult>,
  style: Style
): ReadonlyArray<string> => [
  ...results
    .slice(0, SHOWN_MAX)
    .map(
      ({ level, rule, message, place }) =>
        `  ${style.tint("red", level)}  ${style.text(rule)}  ${style.text(message)}  ${style.text(place)}`
    ),
  ...(results.length > SHOWN_MAX ? [`  and ${results.length - SHOWN_MAX} more`] : [])
]

/** Runs `attestry attest sarif`. */
export const { run } = command({
  operation: "attestation.generic",
  word: "generic",
  gather: async ({ host }, args) => {
    const threshold = Sarif.LEVELS.find((level) => level === args.text("fail-on")) ?? "error"
    const logs: Array<Sarif.SarifLog> = []
    for (const file of args.positionals) {
      const value = await EvidenceFields.readJson(host, file)
      if (!Sarif.is(value)) throw unreadable(`${file} is no SARIF log`)
      logs.push(Sarif.read(value))
    }
    const failing = logs.flatMap((log) => Sarif.atLeast(log, threshold))
    const tools = logs.map((log) => ({
      tool: log.tool,
      version: log.version,
      counts: Sarif.counts(log),
      suppressed: log.suppressed
    }))
    const count = (level: Sarif.Level) => tools.reduce((sum, { counts }) => sum + counts[level], 0)
    return {
      fields: {
        is_compliant: failing.length === 0,
        user_data: { format: "sarif", fail_on: threshold, tools }
      },
      files: args.positionals.map((file) => AttachedFile.fromPath(host.cwd, file)),
      summary:
        `${tools.map(({ tool }) => tool).join(", ")}: ${count("error")} errors, ` +
        `${count("warning")} warnings, ${count("note")} notes`,
      findings: (style) => findingLines(failing, style)
    }
  }
})
