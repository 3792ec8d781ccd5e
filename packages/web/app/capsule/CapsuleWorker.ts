/**
 * Verifies capsules in a worker, so that the page stays responsive and shows the progress. The worker runs the script
 * of the page itself, because the page is one file.
 */
import type { Progress } from "@attestry/core/CapsuleVerifier"
import * as CapsuleCheck from "./CapsuleCheck.js"

type Message =
  | { readonly type: "progress"; readonly done: number; readonly of: number }
  | { readonly type: "checked"; readonly checked: CapsuleCheck.Checked }
  | { readonly type: "failed"; readonly problem: string }

/** Whether the script runs in the worker. */
export const isWorker = typeof document === "undefined"

interface Asked {
  readonly bytes: Uint8Array
  readonly answers: MessagePort
}

/** Verifies the capsules that the page sends. */
export const serve = (): void =>
  addEventListener("message", ({ data: { answers, bytes } }: MessageEvent<Asked>) => {
    const send = (message: Message): void => answers.postMessage(message)
    CapsuleCheck.check(bytes, (done, of) => send({ type: "progress", done, of })).then(
      (checked) => send({ type: "checked", checked }),
      (problem: unknown) => send({ type: "failed", problem: String(problem) })
    )
  })

/** Verifies a file; tells how many entries were opened, of how many. */
export type Checking = (file: File, progress: Progress) => Promise<CapsuleCheck.Checked>

const inWorker = (worker: Worker, bytes: Uint8Array, progress: Progress) =>
  new Promise<CapsuleCheck.Checked>((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === "progress") return progress(data.done, data.of)
      port1.close()
      if (data.type === "checked") resolve(data.checked)
      else reject(new Error(data.problem))
    }
    const asked: Asked = { bytes, answers: port2 }
    worker.postMessage(asked, [bytes.buffer, port2])
  })

/** Starts the worker, so that it is ready when a file comes; where the browser starts none, the page verifies. */
export const start = (script: string): Checking => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }))
  const worker = new Worker(address)
  const isLost = new Promise<undefined>((resolve) => {
    worker.addEventListener("error", () => resolve(undefined))
  })
  return async (file, progress) => {
    const read = async () => new Uint8Array(await file.arrayBuffer())
    const checked = await Promise.race([isLost, inWorker(worker, await read(), progress)])
    return checked ?? CapsuleCheck.check(await read(), progress)
  }
}
