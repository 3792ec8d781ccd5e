/**
 * Pages beside the API: what a host serves on every path that is not the API's, such as the web application.
 *
 * The API knows nothing about them; it passes requests on.
 */
import type { IncomingRequest, OutgoingResponse } from "./HttpMessage.js"

/** Answers a request for a page or a file; it is total and does not wait. */
export type Site = (
  request: Pick<IncomingRequest, "method" | "url" | "headers">
) => Pick<OutgoingResponse, "status" | "headers"> & { readonly body: string | Uint8Array }

/** Whether a path is never a page: everything below `/api` belongs to the API. */
export const isApiPath = (path: string): boolean => path === "/api" || path.startsWith("/api/")

/** The part of a path before `/api/v2/`; undefined when there is none. */
export const pathBeforeApi = (path: string): string | undefined => {
  const at = path.indexOf("/api/v2/")
  return at > 0 ? path.slice(0, at) : undefined
}
