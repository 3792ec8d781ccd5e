/** A browser that signs in at a server under test. */
import { Effect } from "effect"
import type { Answer, CallOptions, TestServer } from "../shared/TestServer.js"

/** What a navigation answered. */
export interface Navigated {
  readonly status: number
  readonly location: string
  readonly cookie: string
  readonly setCookie: string
  readonly body: string
  readonly headers: { readonly [name: string]: string }
}

/** Navigates to a path of the deployment. */
export const navigate = async (
  { serve, run }: Pick<TestServer, "serve" | "run">,
  url: string,
  { cookie = "", method = "GET", remoteAddress = "" } = {}
): Promise<Navigated> => {
  const served = await run(
    serve({
      method,
      url,
      headers: (name) => (name === "cookie" && cookie !== "" ? [cookie] : []),
      remoteAddress,
      body: {
        [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) })
      }
    }).pipe(Effect.scoped)
  )
  const setCookie = served.headers["set-cookie"] ?? ""
  return {
    status: served.status,
    location: served.headers.location ?? "",
    setCookie,
    cookie: setCookie.split(";")[0] ?? "",
    body: String(served.body),
    headers: served.headers
  }
}

/** Signs in with a provider, and returns how the callback answered. */
export const signIn = async (
  server: TestServer,
  { provider = "okta", next = "/acme" } = {}
): Promise<Navigated> => {
  const path = `/_/sign-in/${provider}`
  const begun = await navigate(server, `${path}?next=${encodeURIComponent(next)}`)
  return await navigate(server, `${path}/callback?code=c&state=s`, { cookie: begun.cookie })
}

/** A caller by the cookie of a session, with its token for writes. */
export const caller = async (server: TestServer, cookie: string) => {
  const session = await server.call("GET /session", { as: "nobody", headers: { cookie } })
  const { csrf_token: token = "" } = Object(session.body)
  return {
    session,
    call: (operation: string, options: CallOptions = {}): Promise<Answer> =>
      server.call(operation, {
        ...options,
        as: "nobody",
        headers: { ...options.headers, cookie, "x-csrf-token": String(token) }
      })
  }
}
