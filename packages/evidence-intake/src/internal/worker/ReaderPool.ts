/** A pool of threads with one queue of files, which takes turns between orgs. */
import type { ReaderEquipment, ReaderResult, ReaderTask } from "./ReaderTask.js"
import { ReaderThread, type ThreadLimits } from "./ReaderThread.js"

/** The parts of a pool. */
export interface PoolOptions extends ThreadLimits {
  readonly threads: number
  /** How many files wait for a thread at most. */
  readonly waitingMax: number
  readonly equipment: ReaderEquipment
}

/** A file of an org; `signal` removes it while it waits. */
export interface PoolRequest {
  readonly org: string
  readonly task: ReaderTask
  readonly signal: AbortSignal
}

/** Too many files wait already. */
export class PoolFull extends Error {}

interface Job {
  readonly request: PoolRequest
  readonly resolve: (result: ReaderResult) => void
  readonly reject: (cause: unknown) => void
}

/** A pool of threads. */
export class ReaderPool {
  /** Waiting files by org; the org whose turn is next comes first. */
  private readonly waiting = new Map<string, Array<Job>>()
  private waitingCount = 0
  private readonly all: ReadonlyArray<ReaderThread>
  private readonly idle: Array<ReaderThread>
  private isStopped = false

  constructor(private readonly options: PoolOptions) {
    const { equipment, threads } = options
    this.all = Array.from({ length: threads }, () => new ReaderThread(equipment, options))
    this.idle = [...this.all]
  }

  /** The result of a file. Fails with `PoolFull` when too many files wait, and with `ThreadEnded`. */
  run(request: PoolRequest): Promise<ReaderResult> {
    return new Promise((resolve, reject) => {
      if (this.isStopped || (this.idle.length === 0 && this.isFull())) {
        reject(new PoolFull())
        return
      }
      const job: Job = { request, resolve, reject }
      const lane = this.waiting.get(request.org)
      if (lane === undefined) this.waiting.set(request.org, [job])
      else lane.push(job)
      this.waitingCount += 1
      request.signal.addEventListener("abort", () => this.remove(job), { once: true })
      this.next()
    })
  }

  /** Ends all threads; files that are read or wait fail. */
  async stop(): Promise<void> {
    this.isStopped = true
    for (const lane of this.waiting.values()) for (const { reject } of lane) reject(new PoolFull())
    this.waiting.clear()
    await Promise.all(this.all.map((thread) => thread.stop()))
  }

  private isFull(): boolean {
    return this.waitingCount >= this.options.waitingMax
  }

  private remove(job: Job): void {
    const { org } = job.request
    const lane = this.waiting.get(org)
    const index = lane?.indexOf(job) ?? -1
    if (lane === undefined || index < 0) return
    lane.splice(index, 1)
    this.waitingCount -= 1
    if (lane.length === 0) this.waiting.delete(org)
  }

  /** The next file, whose org then has its turn last. */
  private take(): Job | undefined {
    for (const [org, lane] of this.waiting) {
      const job = lane.shift()
      this.waiting.delete(org)
      if (lane.length > 0) this.waiting.set(org, lane)
      if (job !== undefined) this.waitingCount -= 1
      return job
    }
    return undefined
  }

  private next(): void {
    const thread = this.isStopped ? undefined : this.idle.pop()
    if (thread === undefined) return
    const job = this.take()
    if (job === undefined) {
      this.idle.push(thread)
      return
    }
    void thread
      .run(job.request.task)
      .then(job.resolve, job.reject)
      .finally(() => {
        this.idle.push(thread)
        this.next()
      })
    this.next()
  }
}
