/** A pool of threads with a fair queue. A task that fails is retried once on a new thread. */
import { FairQueue } from "./FairQueue.js"
import type { RuleEquipment, RuleResult, RuleTask } from "./RuleTask.js"
import { RuleThread, type ThreadPatience } from "./RuleThread.js"

/** The parts of a pool. */
export interface PoolOptions extends ThreadPatience {
  readonly threads: number
  readonly waitingMaxPerOrg: number
  readonly equipment: () => Promise<RuleEquipment>
}

/** A task of an org; `signal` removes it while it is queued. */
export interface PoolRequest {
  readonly org: string
  readonly task: RuleTask
  readonly signal: AbortSignal
  /** Called for every failure, also for one after which the task is retried. */
  readonly failed: (cause: unknown, isTriedAgain: boolean) => void
}

interface Job {
  readonly request: PoolRequest
  readonly resolve: (result: RuleResult) => void
  readonly reject: (cause: unknown) => void
}

const ATTEMPTS = 2

/** A pool of threads. */
export class RulePool {
  private readonly queue: FairQueue<Job>
  private readonly all: ReadonlyArray<RuleThread>
  private readonly idle: Array<RuleThread>
  private isStopped = false

  constructor(options: PoolOptions) {
    const { threads, waitingMaxPerOrg, equipment } = options
    // WHY one less: a single org with slow rules cannot occupy the last thread.
    this.queue = new FairQueue(Math.max(1, threads - 1), waitingMaxPerOrg)
    this.all = Array.from({ length: threads }, () => new RuleThread(equipment, options))
    this.idle = [...this.all]
  }

  /** The result of a task. Fails when the engine has failed twice, or the org has too many queued tasks. */
  run(request: PoolRequest): Promise<RuleResult> {
    return new Promise((resolve, reject) => {
      const job: Job = { request, resolve, reject }
      const queued = { org: request.org, item: job }
      if (!this.queue.add(queued)) {
        const cause = new Error("too many evaluations of the org wait already")
        request.failed(cause, false)
        return reject(cause)
      }
      request.signal.addEventListener("abort", () => this.queue.remove(queued), { once: true })
      this.next()
    })
  }

  /** Ends all threads; running and queued tasks fail. */
  async stop(): Promise<void> {
    this.isStopped = true
    await Promise.all(this.all.map((thread) => thread.stop()))
  }

  private next(): void {
    const thread = this.isStopped ? undefined : this.idle.pop()
    if (thread === undefined) return
    const queued = this.queue.take()
    if (queued === undefined) {
      this.idle.push(thread)
      return
    }
    const { resolve, reject, request } = queued.item
    void this.attempt(thread, request)
      .then(resolve, reject)
      .finally(() => {
        this.queue.done(queued.org)
        this.idle.push(thread)
        this.next()
      })
    this.next()
  }

  private async attempt(thread: RuleThread, request: PoolRequest, tried = 1): Promise<RuleResult> {
    try {
      return await thread.run(request.task)
    } catch (cause) {
      if (this.isStopped) throw cause
      request.failed(cause, tried < ATTEMPTS)
      if (tried === ATTEMPTS) throw cause
      return this.attempt(thread, request, tried + 1)
    }
  }
}
