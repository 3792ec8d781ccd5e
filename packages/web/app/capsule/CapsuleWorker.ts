/**
 * Verifies capsules in a worker, so that the page stays responsive and shows the progress. The worker runs the script of
 * the page itself, because the page is one file.
 */
import type { Progress } from "@attestry/core/CapsuleVerifier"
import * as CapsuleCheck from "./CapsuleCheck.js"

type Message =
  | { readonly type: "progress"; readonly done: number; readonly of: number }
  | { readonly type: "checked"; readonly checked: CapsuleCheck.Checked }
  | { readonly type: "failed"; readonly problem: string }

/** Whether the script runs in the worker. */
export const isWorker = typeof document === "undefined"

const send = (message: Message): void => postMessage(message)

/** Verifies the capsules that the page sends. */
export const serve = (): void =>
  addEventListener("message", ({ data }: MessageEvent<Uint8Array>) => {
    CapsuleCheck.check(data, (done, of) => send({ type: "progress", done, of })).then(
      (checked) => send({ type: "checked", checked }),
      (problem: unknown) => send({ type: "failed", problem: String(problem) })
    )
  })

const start = (script: string): Worker => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }))
  const worker = new Worker(address)
  URL.revokeObjectURL(address)
  return worker
}

const inWorker = (script: string, bytes: Uint8Array, progress: Progress) =>
  new Promise<CapsuleCheck.Checked | undefined>((resolve, reject) => {
    const worker = start(script)
    const end = () => worker.terminate()
    worker.addEventListener("error", () => {
      end()
      resolve(undefined)
    })
    worker.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.type === "progress") return progress(data.done, data.of)
      end()
      if (data.type === "checked") resolve(data.checked)
      else reject(new Error(data.problem))
    })
    worker.postMessage(bytes, [bytes.buffer])
  })

/** Verifies a file in a worker, or in the page where the browser starts none. */
export const check = async (
  file: File,
  script: string,
  progress: Progress
): Promise<CapsuleCheck.Checked> => {
  const read = async () => new Uint8Array(await file.arrayBuffer())
  const checked = await inWorker(script, await read(), progress)
  return checked ?? CapsuleCheck.check(await read(), progress)
}
