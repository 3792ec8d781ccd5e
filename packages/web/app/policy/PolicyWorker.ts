/** The policy worker of this tab, as a module worker. */
import { base } from "../shared/Navigation.js"
import { scriptAddress } from "../shared/WorkerAddress.js"
import * as PolicyWorkerClient from "./PolicyWorkerClient.js"
import type { Reply } from "./PolicyWorkerMessages.js"

/** The file name of the worker, which the build defines. */
declare const POLICY_WORKER: string

/** The worker starts with the first question. */
export const policyWorker = PolicyWorkerClient.make((on) => {
  const worker = new Worker(scriptAddress(`${base}/${POLICY_WORKER}`), { type: "module" })
  worker.onmessage = ({ data }: MessageEvent<Reply>) => on.message(data)
  worker.onerror = (event) => on.failure(event.message || "the policy worker cannot be loaded")
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate()
  }
})
