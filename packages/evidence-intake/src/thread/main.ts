/** The thread that reads and verifies files, one at a time, without state between them. */
import { parentPort, workerData } from "node:worker_threads"
import * as PackedEvidence from "../internal/worker/PackedEvidence.js"
import type { ReaderEquipment, ReaderMessage, ReaderTask } from "../internal/worker/ReaderTask.js"
import { readFile, rootsOf } from "../internal/worker/ReadFile.js"
import * as SharedBytes from "../internal/worker/SharedBytes.js"

// WHY: only this package starts the thread, and it passes exactly this.
const equipment = workerData as ReaderEquipment
const roots = rootsOf(equipment)

const say = (message: ReaderMessage, moved: ReadonlyArray<ArrayBuffer> = []): void =>
  parentPort?.postMessage(message, moved)

parentPort?.on("message", (task: ReaderTask) => {
  const bytes = SharedBytes.own(task.bytes)
  const result = readFile({ ...task, bytes }, { fileBytes: equipment.fileBytes, roots })
  if (result._tag === "Refused") return say(result)
  const parts = PackedEvidence.pack(result.evidence)
  say(
    { _tag: "Packed", parts },
    parts.map(({ buffer }) => buffer)
  )
})
say({ _tag: "Ready" })
