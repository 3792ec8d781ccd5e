/** Writes and reads resources with the values of every field of their published payloads. */
import { assert } from "vitest"
import * as PublishedOperation from "../fuzz/PublishedOperation.js"
import type { TestServer } from "../shared/TestServer.js"
import * as FieldValue from "./FieldValue.js"
import type { Place, Shown, Update, WritableResource } from "./WritableResource.js"

type Fields = { readonly [name: string]: PublishedOperation.Schema }
type Payload = { readonly [field: string]: unknown }

const operationOf = (id: string): PublishedOperation.PublishedOperation => {
  const found = PublishedOperation.all.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`the document has no operation ${id}`)
  return found
}

/** The alternatives of a schema; a union may be within another. */
const alternatives = (
  given: PublishedOperation.Schema
): ReadonlyArray<PublishedOperation.Schema> => {
  const schema = PublishedOperation.resolve(given)
  return Array.isArray(schema.anyOf) ? schema.anyOf.flatMap(alternatives) : [schema]
}

const objectSchema = (given: PublishedOperation.Schema, index = 0): PublishedOperation.Schema =>
  alternatives(given)[index] ?? PublishedOperation.resolve(given)

/** The schema of the fields that an operation writes. */
const schemaOf = (resource: WritableResource, id: string): PublishedOperation.Schema => {
  const body = objectSchema(
    operationOf(id).content["application/json"]?.schema ?? {},
    resource.alternative
  )
  return resource.within === undefined
    ? body
    : objectSchema((body.properties as Fields)[resource.within] ?? {})
}

/** The values of every field that an operation writes. */
export const pairsOf = (
  resource: WritableResource,
  name: string,
  by: string
): ReadonlyArray<readonly [field: string, FieldValue.Pair]> => {
  const values = resource.values(name)
  return Object.entries((schemaOf(resource, by).properties ?? {}) as Fields)
    .filter(([field]) => !(field in (resource.without ?? {})))
    .map(([field, schema]) => [field, values[field] ?? FieldValue.make(schema, field)])
}

const required = (resource: WritableResource, by: string): ReadonlyArray<string> => {
  const { required: names } = schemaOf(resource, by)
  return Array.isArray(names) ? names : []
}

const bodyOf = (resource: WritableResource, name: string, payload: Payload): Payload =>
  resource.within === undefined ? payload : { name, [resource.within]: payload }

/** Whether a shown value contains a sent one: objects may have more members. */
const contains = (shown: Shown, sent: Shown): boolean => {
  if (Array.isArray(sent)) {
    return (
      Array.isArray(shown) &&
      shown.length === sent.length &&
      sent.every((each, index) => contains(shown[index], each))
    )
  }
  if (typeof sent === "object" && sent !== null) {
    return (
      typeof shown === "object" &&
      shown !== null &&
      Object.entries(sent).every(([name, each]) => contains(shown[name], each))
    )
  }
  return shown === sent
}

/** Writes and reads one resource on a server. */
export const make = ({ call }: TestServer, resource: WritableResource) => {
  const send = async (id: string, place: Place, body?: Payload): Promise<Shown> => {
    const { method, path } = operationOf(id)
    const answer = await call(`${method} ${path}`, {
      path: place,
      ...(body === undefined ? {} : { body })
    })
    assert.include([200, 201], answer.status, `${id}: ${JSON.stringify([body, answer.body])}`)
    return answer.body
  }

  const write = async (id: string, name: string, place: Place, payload: Payload) =>
    send(id, place, bodyOf(resource, name, payload))

  /** Creates a resource with the first value of every field. */
  const create = async (name: string) => {
    const first = pairsOf(resource, name, resource.create)
    const payload = Object.fromEntries(first.map(([field, [value]]) => [field, value]))
    const { findPlace } = resource
    const named = resource.place(name, {})
    const look = async (): Promise<Place> =>
      findPlace === undefined ? named : findPlace.place(await send(findPlace.by, named), name)
    const before = findPlace?.isFirst === true ? await look() : named
    const created = await write(resource.create, name, before, payload)
    const place = findPlace === undefined ? resource.place(name, created) : await look()
    return { payload, place }
  }

  /** The fields of a payload that a read does not show. */
  const lost = async (place: Place, payload: Payload): Promise<ReadonlyArray<string>> => {
    const found: Array<string> = []
    for (const { by, find = (body: Shown) => body, omits = [] } of resource.reads) {
      const shown = find(await send(by, place), place)
      for (const [field, sent] of Object.entries(payload)) {
        if (field in (resource.hidden ?? {}) || omits.includes(field)) continue
        const read = resource.shown?.[field]?.(shown) ?? shown?.[field]
        if (!contains(read, sent)) {
          found.push(`${by} ${field}: ${JSON.stringify(sent)}, shown ${JSON.stringify(read)}`)
        }
      }
    }
    return found
  }

  /** The fields that are lost by a change of one field, with the others kept or repeated. */
  const lostByChange = async (update: Update, field: string, name: string) => {
    const { payload, place } = await create(name)
    const pairs = new Map(pairsOf(resource, name, update.by))
    const second = { [field]: pairs.get(field)?.[1] }
    const needed = [...required(resource, update.by), ...(update.needs ?? [])]
    const repeated = [...pairs]
      .filter(([each]) => !update.keeps || needed.includes(each))
      .map(([each, [first]]) => [each, payload[each] ?? first])
    await write(update.by, name, place, { ...Object.fromEntries(repeated), ...second })
    return lost(place, { ...payload, ...second })
  }
  return { create, lost, lostByChange }
}
