/** Lists the objects of a bucket in S3 or a compatible service, and reads them as streams. */
import { createHash } from "node:crypto"
import { unreadable } from "../../shared/CommandFailure.js"
import type { AwsService } from "./AwsService.js"
import { encode } from "./AwsSignature.js"

/** An object of a bucket. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  /** In epoch seconds. */
  readonly modified: number
}

/** The maximum number of objects. */
export const OBJECTS_MAX = 100_000

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"]
])

const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(\d{1,7});/g, (_, code) =>
      String.fromCodePoint(Math.min(Number(code), 0x10ffff))
    )
    .replaceAll(/&[a-z]+;/g, (entity) => ENTITIES.get(entity) ?? entity)

const element = (xml: string, name: string): string | undefined => {
  const found = xml.split(`<${name}>`)[1]?.split("<")[0]
  return found === undefined ? undefined : unescaped(found)
}

/** WHY: the request asks for URL-encoded keys, because XML cannot represent every character. */
const keyOf = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    // WHY: a service that does not encode returns the key itself.
    return text
  }
}

const objectOf = (xml: string): StoredObject => ({
  key: keyOf(element(xml, "Key") ?? ""),
  size: Number(element(xml, "Size") ?? 0),
  modified: Math.floor(Date.parse(element(xml, "LastModified") ?? "") / 1_000) || 0
})

/** Parses one page of a list. */
export const pageOf = (
  xml: string
): { readonly objects: ReadonlyArray<StoredObject>; readonly next: string | undefined } => {
  if (!xml.includes("<ListBucketResult"))
    throw unreadable("the object store answered something that is no list")
  const isCut = element(xml, "IsTruncated") === "true"
  return {
    objects: xml.split("<Contents>").slice(1).map(objectOf),
    next: isCut ? element(xml, "NextContinuationToken") : undefined
  }
}

/** The objects of a bucket below a prefix; undefined if there are too many. */
export const list = async (
  service: AwsService,
  bucket: string,
  prefix: string
): Promise<ReadonlyArray<StoredObject> | undefined> => {
  const found: Array<StoredObject> = []
  let next: string | undefined
  do {
    const xml = await service.text({
      path: `/${encode(bucket)}`,
      query: {
        "list-type": "2",
        "encoding-type": "url",
        ...(prefix === "" ? {} : { prefix }),
        ...(next === undefined ? {} : { "continuation-token": next })
      }
    })
    const page = pageOf(xml)
    found.push(...page.objects)
    if (found.length > OBJECTS_MAX) return undefined
    next = page.next
  } while (next !== undefined && next !== "")
  return found
}

const pathOf = (bucket: string, key: string): string =>
  `/${encode(bucket)}/${key.split("/").map(encode).join("/")}`

/** The SHA-256 of an object, computed from its stream. */
export const digestOf = async (
  service: AwsService,
  bucket: string,
  { key, size }: StoredObject
): Promise<string> => {
  const answer = await service.stream({ path: pathOf(bucket, key) })
  const hash = createHash("sha256")
  let read = 0
  try {
    if (answer.status !== 200)
      throw unreadable(`${bucket}/${key}: the store answered ${answer.status}`)
    for await (const piece of answer.body) {
      read += piece.length
      hash.update(piece)
    }
  } finally {
    answer.close()
  }
  if (read !== size) throw unreadable(`${bucket}/${key} changed while it was read`)
  return hash.digest("hex")
}
