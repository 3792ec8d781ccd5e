/**
 * One worker thread that reads one file at a time. A thread that exceeds its time or memory is ended, and the next file
 * gets a new one.
 */
import { Worker } from "node:worker_threads"
import * as PackedEvidence from "./PackedEvidence.js"
import type { ReaderEquipment, ReaderMessage, ReaderResult, ReaderTask } from "./ReaderTask.js"
import * as SharedBytes from "./SharedBytes.js"

/** The limits of a thread. */
export interface ThreadLimits {
  /** The time for its start, in milliseconds. */
  readonly startMs: number
  /** The time for one file, in milliseconds. */
  readonly fileMs: number
  /** The size of its heap, in MiB. */
  readonly heapMiB: number
}

/** A thread that was ended, because it exceeded its time or memory or failed. */
export class ThreadEnded extends Error {
  constructor(
    /** Whether it had started, so that the file is the cause. */
    readonly isStarted: boolean,
    cause: unknown
  ) {
    super("a thread that reads evidence was ended", { cause })
  }
}

/** Threads run the built module, also when this module runs from its source. */
const THREAD = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/thread/main.js" : "../../thread/main.js",
  import.meta.url
)

const spawn = (equipment: ReaderEquipment, { heapMiB }: ThreadLimits): Worker =>
  new Worker(THREAD, {
    workerData: equipment,
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 64 }
  })

/** The next message of a worker. Fails when the worker ends or exceeds its time. */
const nextMessage = (worker: Worker, patienceMs: number): Promise<ReaderMessage> =>
  new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      clearTimeout(timer)
      worker.off("message", take).off("error", fail).off("exit", end)
      then()
    }
    const take = (message: ReaderMessage): void => settle(() => resolve(message))
    const fail = (cause: unknown): void => settle(() => reject(cause))
    const end = (code: number): void => fail(new Error(`the thread ended with ${code}`))
    const timer = setTimeout(
      () => fail(new Error(`the thread said nothing for ${patienceMs} ms`)),
      patienceMs
    )
    worker.on("message", take).on("error", fail).on("exit", end)
  })

/** A slot for one thread, which starts on its first file and is replaced when it was ended. */
export class ReaderThread {
  private worker: Worker | undefined

  constructor(
    private readonly equipment: ReaderEquipment,
    private readonly limits: ThreadLimits
  ) {}

  private async ready(): Promise<Worker> {
    if (this.worker !== undefined) return this.worker
    const worker = spawn(this.equipment, this.limits)
    worker.unref()
    // WHY: a thread may end while it is idle, and an error event without a listener ends the process.
    const forget = (): void => {
      if (this.worker === worker) this.worker = undefined
    }
    worker.on("error", forget).on("exit", forget)
    this.worker = worker
    await nextMessage(worker, this.limits.startMs)
    return worker
  }

  /** The result of a file. Fails with `ThreadEnded` and ends the thread when it exceeds a limit or fails. */
  async run(task: ReaderTask): Promise<ReaderResult> {
    let isStarted = false
    try {
      const bytes = await SharedBytes.share(task.bytes)
      const worker = await this.ready()
      isStarted = true
      const reply = nextMessage(worker, this.limits.fileMs)
      worker.postMessage({ ...task, bytes })
      const message = await reply
      if (message._tag === "Ready") throw new Error("the thread started again")
      return message._tag === "Packed"
        ? { _tag: "Read", evidence: await PackedEvidence.unpack(message.parts) }
        : message
    } catch (cause) {
      await this.stop()
      throw new ThreadEnded(isStarted, cause)
    }
  }

  async stop(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    await worker?.terminate()
  }
}
