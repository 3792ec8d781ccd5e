/**
 * Every write refuses unknown fields at every level, with their names. The operations come from the published
 * document, so that a new operation is covered at once.
 */
import { assert, describe, it } from "vitest"
import * as Example from "../../src/meta/internal/Example.js"
import {
  all,
  document,
  type PublishedOperation,
  resolve,
  type Schema
} from "../fuzz/PublishedOperation.js"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

type Place = ReadonlyArray<string | number>

const listOf = (value: unknown): ReadonlyArray<Schema> => (Array.isArray(value) ? value : [])

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isClosed = (schema: Schema): boolean => schema.additionalProperties === false

/** The paths of closed objects in an example. */
function* closedPlaces(given: Schema, value: unknown, at: Place = []): Generator<Place> {
  const schema = resolve(given)
  const members = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].map(resolve)
  if (members.length > 0) {
    const objects = members.filter(({ type }) => type === "object" || type === "array")
    const [only] = objects
    if (objects.length === 1 && only !== undefined) yield* closedPlaces(only, value, at)
    else if (isObject(value) && objects.length > 1 && objects.every(isClosed)) yield at
    return
  }
  if (Array.isArray(value) && isObject(schema.items)) {
    for (const [index, item] of value.entries())
      yield* closedPlaces(schema.items, item, [...at, index])
  }
  if (!isObject(value) || schema.type !== "object") return
  if (isClosed(schema)) yield at
  for (const [name, property] of Object.entries(
    isObject(schema.properties) ? schema.properties : {}
  )) {
    if (isObject(property) && name in value) {
      yield* closedPlaces(property, value[name], [...at, name])
    }
  }
}

/** The value with one more field at a path. */
const spoiled = (value: unknown, [step, ...rest]: Place): unknown => {
  if (step === undefined) return { ...(value as object), surprise: 1 }
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? spoiled(item, rest) : item))
  }
  const fields = value as { readonly [name: string]: unknown }
  return { ...fields, [step]: spoiled(fields[step], rest) }
}

const bodyOf = ({ content }: PublishedOperation) => content["application/json"]

/** A new browser session, in place of a key. */
const sessionOf = async (call: TestServer["call"]): Promise<CallOptions> => {
  const opened = await call("POST /session", {})
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";")
  const { csrf_token: token } = opened.body as { readonly csrf_token: string }
  return { as: "nobody", headers: { cookie, "x-csrf-token": token } }
}

const writes = all.filter(
  (operation) => operation.method !== "GET" && bodyOf(operation) !== undefined
)

/** Operations that only browser sessions may call. */
const OF_SESSIONS: ReadonlyArray<string> = ["session.offer", "signIn.link"]

onEveryStore("unknown fields", ({ call }) => {
  const KINDS = /\/report\/([A-Za-z0-9-]+)$/
  const examplePath = ({ parameters }: PublishedOperation) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === "path")
        .map(({ name, example }) => [name, name === "org" ? "acme" : String(example)])
    )

  describe("are refused by name", () => {
    for (const operation of writes) {
      const media = bodyOf(operation)
      // WHY the extent of a response: such an example has every field, also optional ones.
      const example = Example.make(document.components.schemas, media?.schema, {
        extent: "response"
      })
      const places = [...closedPlaces(media?.schema ?? {}, example)]
      it(`${operation.id}, in ${places.length} places`, async () => {
        assert.isAtLeast(places.length, 1)
        const [, kind] = KINDS.exec(operation.path) ?? []
        const path = {
          ...examplePath(operation),
          ...(kind === undefined ? {} : { env_name: kind })
        }
        if (kind !== undefined) {
          await call("PUT /environments/{org}", { body: { name: kind, type: kind } })
        }
        const credential = OF_SESSIONS.includes(operation.id) ? await sessionOf(call) : {}
        for (const place of places) {
          const body = spoiled(example, place)
          const answer = await call(`${operation.method} ${operation.path}`, {
            path,
            body,
            ...credential
          })
          const said = `${place.join(".")}: ${JSON.stringify(answer.body)}`
          assert.strictEqual(answer.status, 400, said)
          const { errors } = answer.body as { readonly errors: object | null }
          assert.match(Object.keys(errors ?? {}).join(" "), /surprise/, said)
        }
      })
    }
  })
})
