/** Asks the worker that checks proofs; each question has a worker of its own, which ends with its answer. */
import { base } from "../shared/Navigation.js"
import { scriptAddress } from "../shared/WorkerAddress.js"
import type { ProofAnswer, ProofQuestion } from "./ProofMessages.js"

/** The name of the worker's file, which the build defines. */
declare const PROOF_WORKER: string

/** WHY: a proof has at most 63 hashes; a check that takes longer does not end. */
const PATIENCE_MS = 10_000

type Reply = { readonly answer: ProofAnswer } | { readonly failure: string }

/** The facts that a receipt proves; rejects if the worker cannot run. */
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
