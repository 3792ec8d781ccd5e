/** A write that the protections of an org hold back, which can be proposed to other people. */
import { signal } from "@preact/signals"
import type { OperationName } from "./Api.js"

export interface HeldRequest {
  readonly operation: OperationName
  /** The parameters of the path, with the org. */
  readonly params: { readonly [name: string]: string }
  /** Undefined without a body. */
  readonly body: unknown
}

/** The write that is being proposed: a dialog of the shell asks for the reason. */
export const proposing = signal<HeldRequest | undefined>(undefined)

/** The request of a write; undefined for a file, which no proposal has. */
export const make = (
  operation: OperationName,
  { query: _query, ...params }: { readonly [name: string]: unknown },
  body: unknown
): HeldRequest | undefined =>
  body instanceof Blob
    ? undefined
    : {
        operation,
        params: Object.fromEntries(
          Object.entries(params).map(([name, value]) => [name, String(value)])
        ),
        body
      }
