/** A SCIM client of the org of a test server. */
import { assert } from "vitest"
import type { Answer, Caller, TestServer } from "../shared/TestServer.js"

const TYPE = "application/scim+json"

/** A resource, or an error. */
export interface Resource {
  readonly [name: string]: unknown
}

/** The answer to a request of the client. */
export interface ScimAnswer {
  readonly status: number
  readonly body: Resource
  readonly headers: Headers
}

/** One request: its method, its path below the org, and its body. */
export type Send = (request: string, body?: unknown, as?: Caller) => Promise<ScimAnswer>

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"

/** Every answer has the media type and, from 400 on, the form of the protocol; none is a failure of the server. */
const checked = ({ body, headers, status }: Answer): ScimAnswer => {
  assert.isBelow(status, 500, JSON.stringify(body))
  assert.strictEqual(headers.get("content-type"), TYPE)
  const text = String(body)
  const resource: Resource = text === "" ? {} : JSON.parse(text)
  if (status >= 400) {
    assert.deepStrictEqual(resource.schemas, [ERROR])
    assert.strictEqual(resource.status, String(status))
    assert.isString(resource.detail)
  }
  return { status, body: resource, headers }
}

/** A client with the key of an admin. */
export const client =
  ({ call }: TestServer): Send =>
  async (request, body, as = "admin") => {
    const [method = "GET", path = ""] = request.split(/ (.*)/s)
    const raw = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    return checked(
      await call(`${method} /scim/{org}${path}`, {
        as,
        ...(raw === undefined ? {} : { raw, headers: { "content-type": TYPE } })
      })
    )
  }

/** The resources of a list. */
export const resourcesOf = ({ body }: ScimAnswer): ReadonlyArray<Resource> =>
  Array.isArray(body.Resources) ? body.Resources : []

/** The body of a patch. */
export const patchOf = (...Operations: ReadonlyArray<Resource>): Resource => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations
})
