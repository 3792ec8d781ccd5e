/** Downloads the entries that match the filters as one file, page by page. */
import { useSignal } from "@preact/signals"
import { callOf, type ParamsOf } from "../shared/Api.js"
import type { Journal, JournalEntry } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import * as SaveFile from "../shared/SaveFile.js"
import * as Shorten from "../shared/Shorten.js"
import { send } from "../shared/Transport.js"
import * as JournalCsv from "./JournalCsv.js"
import { nextBefore } from "./JournalText.js"

/** A file has at most this many entries; the next download starts after the last one. */
const ENTRIES_MAX = 20_000

interface Read {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly end: "all" | "limit" | "failed"
}

const readAll = async (
  params: ParamsOf<"journal.list">,
  progress: (count: number) => void
): Promise<Read> => {
  const entries: Array<JournalEntry> = []
  let before: string | undefined = params.query?.before?.toString()
  for (;;) {
    const query = { ...params.query, before, per_page: 100 }
    const outcome = await send(callOf("journal.list", { ...params, query }))
    if (outcome._tag !== "Answered") return { entries, end: "failed" }
    // WHY: the contract types the answer of this operation.
    const page = outcome.value as Journal
    entries.push(...Damaged.readable(page.entries).items)
    progress(entries.length)
    before = nextBefore(page._links.next?.href)
    if (before === undefined) return { entries, end: "all" }
    if (entries.length >= ENTRIES_MAX) return { entries, end: "limit" }
  }
}

/** The download button, with its progress. */
export const JournalExport = ({ params }: { readonly params: ParamsOf<"journal.list"> }) => {
  const status = useSignal<string | undefined>(undefined)
  const isRunning = useSignal(false)
  const run = async () => {
    if (isRunning.value) return
    isRunning.value = true
    const { entries, end } = await readAll(params, (count) => {
      status.value = `${Shorten.count(count)} entries`
    })
    isRunning.value = false
    if (end === "failed") {
      status.value = "The download failed. Try again."
      return
    }
    SaveFile.save(
      new Blob([JournalCsv.print(entries)], { type: "text/csv" }),
      `journal-${params.org}.csv`
    )
    status.value =
      end === "all"
        ? `${Shorten.count(entries.length)} entries saved`
        : `the newest ${Shorten.count(entries.length)} entries saved; choose a period for others`
  }
  return (
    <span class="row-actions">
      <span class="quiet" role="status">
        {status.value}
      </span>
      <button type="button" class="button" disabled={isRunning.value} onClick={run}>
        Download CSV
      </button>
    </span>
  )
}
