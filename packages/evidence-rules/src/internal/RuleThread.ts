/**
 * One worker thread that runs one task at a time. An exit or a timeout is a failure of the thread and not a result of
 * the task; the next task gets a new thread.
 */
import { Worker } from "node:worker_threads"
import type { RuleEquipment, RuleMessage, RuleResult, RuleTask } from "./RuleTask.js"

/** The time limits of a thread in milliseconds. */
export interface ThreadPatience {
  readonly startMs: number
  readonly taskMs: number
}

/** Threads run the built module, also when this module runs from its source. */
const THREAD = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/thread/main.js" : "../thread/main.js",
  import.meta.url
)

/** WHY the stack: nested calls of jq use up to 16 MiB of it before the metering stops them. */
const spawn = (equipment: RuleEquipment): Worker =>
  new Worker(THREAD, {
    workerData: equipment,
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 64 }
  })

/** The next message of a worker. Fails when the worker ends or exceeds its time limit. */
const nextMessage = (worker: Worker, patienceMs: number): Promise<RuleMessage> =>
  new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      clearTimeout(timer)
      worker.off("message", take).off("error", fail).off("exit", end)
      then()
    }
    const take = (message: RuleMessage): void => settle(() => resolve(message))
    const fail = (cause: unknown): void => settle(() => reject(cause))
    const end = (code: number): void => fail(new Error(`the thread ended with ${code}`))
    const timer = setTimeout(
      () => fail(new Error(`the thread said nothing for ${patienceMs} ms`)),
      patienceMs
    )
    worker.on("message", take).on("error", fail).on("exit", end)
  })

/** A slot for one thread, which starts on its first task and is replaced when it fails. */
export class RuleThread {
  private worker: Worker | undefined

  constructor(
    private readonly equipment: () => Promise<RuleEquipment>,
    private readonly patience: ThreadPatience
  ) {}

  private async ready(): Promise<Worker> {
    if (this.worker !== undefined) return this.worker
    const worker = spawn(await this.equipment())
    worker.unref()
    // WHY: a thread may end while it is idle, and an error event without a listener ends the process.
    const forget = (): void => {
      if (this.worker === worker) this.worker = undefined
    }
    worker.on("error", forget).on("exit", forget)
    this.worker = worker
    await nextMessage(worker, this.patience.startMs)
    return worker
  }

  /** The result of a task. Fails and ends the thread when the engine or the thread fails. */
  async run(task: RuleTask): Promise<RuleResult> {
    try {
      const worker = await this.ready()
      const reply = nextMessage(worker, this.patience.taskMs)
      worker.postMessage(task)
      const message = await reply
      if (message._tag === "Failed") throw new Error(message.cause)
      if (message._tag === "Ready") throw new Error("the thread started again")
      return message
    } catch (cause) {
      await this.stop()
      throw cause
    }
  }

  async stop(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    await worker?.terminate()
  }
}
