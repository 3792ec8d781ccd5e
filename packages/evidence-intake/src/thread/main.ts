/** The thread that reads and verifies files, one at a time, without state between them. */
import { parentPort, workerData } from "node:worker_threads"
import type { ReaderEquipment, ReaderMessage, ReaderTask } from "../internal/worker/ReaderTask.js"
import { readFile, rootsOf } from "../internal/worker/ReadFile.js"
import * as SharedBytes from "../internal/worker/SharedBytes.js"

// WHY: only this package starts the thread, and it passes exactly this.
const equipment = workerData as ReaderEquipment
const roots = rootsOf(equipment)

const say = (message: ReaderMessage): void => parentPort?.postMessage(message)

parentPort?.on("message", (task: ReaderTask) =>
  say(
    readFile(
      { ...task, bytes: SharedBytes.own(task.bytes) },
      { fileBytes: equipment.fileBytes, roots }
    )
  )
)
say({ _tag: "Ready" })
