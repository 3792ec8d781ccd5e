/** Sends a question to a new proof worker, which ends after its answer. */
import { base } from "../shared/Navigation.js"
import { scriptAddress } from "../shared/WorkerAddress.js"
import type { ProofAnswer, ProofQuestion } from "./ProofMessages.js"

/** The file name of the worker, which the build defines. */
declare const PROOF_WORKER: string

/** WHY: a proof has at most 63 hashes, so a verification that takes longer is stuck. */
const PATIENCE_MS = 10_000

type Reply = { readonly answer: ProofAnswer } | { readonly failure: string }

/** Has a worker verify a receipt; rejects if the worker cannot run. */
export const check = (question: ProofQuestion): Promise<ProofAnswer> =>
  new Promise<ProofAnswer>((resolve, reject) => {
    const worker = new Worker(scriptAddress(`${base}/${PROOF_WORKER}`), { type: "module" })
    const timer = setTimeout(() => end(() => reject(new Error("it took too long"))), PATIENCE_MS)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      worker.terminate()
      settle()
    }
    worker.onmessage = ({ data }: MessageEvent<Reply>) =>
      end(() => ("answer" in data ? resolve(data.answer) : reject(new Error(data.failure))))
    worker.onerror = () => end(() => reject(new Error("its file cannot be loaded")))
    worker.postMessage(question)
  })
