/** The judge of this tab: a module worker, whose address is the only thing that the Trusted Types policy makes. */
import { base } from "../shared/Navigation.js"
import * as JudgeClient from "./JudgeClient.js"
import type { Reply } from "./JudgeMessages.js"

/** The name of the worker's file, which the build defines. */
declare const JUDGE_WORKER: string

interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string }
  ) => { readonly createScriptURL: (address: string) => unknown }
}

const prefix = `${base}/_/assets/`

const checked = (address: string): string => {
  if (!address.startsWith(prefix) || !/^[A-Za-z0-9._-]+$/.test(address.slice(prefix.length)))
    throw new TypeError("only files of the application are run")
  return address
}

let made: { readonly createScriptURL: (address: string) => unknown } | undefined

/** WHY once: a page may make a policy of one name once. Browsers without Trusted Types take the text. */
const scriptAddress = (address: string): string => {
  // WHY: the type library does not know this global yet.
  const { trustedTypes } = globalThis as unknown as { readonly trustedTypes?: TrustedTypes }
  made ??= trustedTypes?.createPolicy("attestry", { createScriptURL: checked })
  // WHY: the constructor of workers takes what the policy makes, which its type does not say.
  return (made === undefined ? checked(address) : made.createScriptURL(address)) as string
}

/** The judge; its worker is loaded with the first question. */
export const judge = JudgeClient.make((on) => {
  const worker = new Worker(scriptAddress(`${base}/${JUDGE_WORKER}`), { type: "module" })
  worker.onmessage = ({ data }: MessageEvent<Reply>) => on.message(data)
  worker.onerror = (event) => on.failure(event.message || "the judge cannot be loaded")
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate()
  }
})
