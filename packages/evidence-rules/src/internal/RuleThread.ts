/**
 * One worker thread with its tasks, one at a time. Anything that ends it, or that it takes too long for, is
 * a failure of the thread and says nothing about the task; the next task then gets a new one.
 */
import { Worker } from "node:worker_threads"
import type { RuleEquipment, RuleMessage, RuleResult, RuleTask } from "./RuleTask.js"

/** How long a thread may take before it is taken for lost, in milliseconds. */
export interface ThreadPatience {
  readonly startMs: number
  readonly taskMs: number
}

/** Threads run what has been built, also when this module runs from its source. */
const THREAD = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/thread/main.js" : "../thread/main.js",
  import.meta.url
)

/** WHY the stack: calls in progress of jq take up to 16 MiB of it before its own count ends them. */
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

/** The next message of a worker. Fails when the worker ends, or says nothing for too long. */
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

/** A place for one thread, which is started when it is needed and replaced when it fails. */
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
    // WHY: a thread may end while it has nothing to do, and an error that has no listener ends the process.
    const forget = (): void => {
      if (this.worker === worker) this.worker = undefined
    }
    worker.on("error", forget).on("exit", forget)
    this.worker = worker
    await nextMessage(worker, this.patience.startMs)
    return worker
  }

  /** What the task comes to. Fails, and ends the thread, when the engine or the thread fails. */
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
