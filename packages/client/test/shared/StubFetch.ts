/** A `fetch` that answers from a script and remembers what it was asked. */

/** One answer: a response, or the error of a connection that fails. */
export type Scripted = Response | Error | "real" | "never"

/** A scripted `fetch` and its memory. */
export interface StubFetch {
  readonly fetch: typeof globalThis.fetch
  readonly requests: Array<Request>
}

const forever = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason))
  })

/** Answers by the script in order, and then repeats its last step; `"real"` calls the underlying `fetch`. */
export const make = (
  script: ReadonlyArray<Scripted>,
  behind?: typeof globalThis.fetch
): StubFetch => {
  const requests: Array<Request> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const next = script[Math.min(requests.length, script.length - 1)]
    requests.push(request)
    if (next === "never") return forever(request.signal)
    if (next instanceof Error) throw next
    if (next instanceof Response) return next.clone()
    if (behind === undefined) throw new Error("the script ends here")
    return behind(request)
  }
  return { fetch, requests }
}

/** A JSON answer. */
export const json = (
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {}
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers }
  })
