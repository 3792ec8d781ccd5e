/** `attestry spool list`: lists waiting and refused entries. */
import * as ByteSize from "../shared/ByteSize.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Table from "../shared/Table.js"
import type { SpoolEntry } from "./SpoolEntry.js"
import * as SpoolStore from "./SpoolStore.js"

const shown = (entry: SpoolEntry, state: "waiting" | "refused") => ({
  id: entry.id,
  state,
  operation: entry.operation,
  label: entry.label,
  url: entry.url,
  org: entry.org ?? null,
  flow: entry.flow,
  trail: entry.trail,
  recorded_at: new Date(entry.recordedMs).toISOString(),
  files: entry.files.map(({ filename, size, sha256 }) => ({ filename, size, sha256 }))
})

const bytesOf = ({ files }: SpoolEntry): string => {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return files.length === 0 ? "–" : ByteSize.print(bytes)
}

/** Runs `attestry spool list`. */
export const run: CommandModule["run"] = async ({ host, output }) => {
  const { folder, entries, damaged } = SpoolStore.read(host)
  const refused = SpoolStore.readRefused(host)
  for (const id of damaged) output.warn(`entry ${id} of the spool is damaged`)
  const values = [
    ...entries.map((entry) => ({ entry, value: shown(entry, "waiting") })),
    ...refused.map((entry) => ({ entry, value: shown(entry, "refused") }))
  ]
  return {
    value: {
      schema: "attestry.cli/spool/v1",
      folder,
      entries: values.map(({ value }) => value),
      damaged
    },
    items: values.map(({ value }) => value),
    quiet: values.map(({ value }) => value.id).join("\n"),
    lines: (style) =>
      values.length === 0
        ? ["nothing waits"]
        : Table.lines([
            ["ID", "STATE", "WHAT", "FLOW", "TRAIL", "FILES", "RECORDED"],
            ...values.map(({ entry, value }) => [
              value.id,
              value.state,
              style.text(value.label),
              style.text(value.flow),
              style.text(value.trail),
              bytesOf(entry),
              style.instant(entry.recordedMs / 1_000)
            ])
          ])
  }
}
