/** A spool entry: one write with its payload and files, its idempotency key, and when it was recorded. */
import { randomBytes } from "node:crypto"
import * as Json from "../shared/Json.js"

/** A file of an entry; its copy in the entry's folder is named by its position. */
export interface SpooledFile {
  readonly filename: string
  readonly size: number
  readonly sha256: string
}

/** An entry. It never contains a credential. */
export interface SpoolEntry {
  readonly id: string
  /** The URL of the deployment. */
  readonly url: string
  /** The org; undefined for the default org of the key. */
  readonly org: string | undefined
  readonly operation: string
  readonly path: { readonly [name: string]: string }
  readonly payload: Json.Fields
  readonly files: ReadonlyArray<SpooledFile>
  readonly idempotencyKey: string
  /** In epoch milliseconds. */
  readonly recordedMs: number
  readonly flow: string
  readonly trail: string
  /** A short description: `generic sbom`. */
  readonly label: string
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_LENGTH = 10
const CHANCE_LENGTH = 16
const MS_MAX = 2 ** 48 - 1

const digits = (value: number, length: number): string => {
  let rest = value
  let text = ""
  for (let at = 0; at < length; at++) {
    text = (ALPHABET[rest % 32] ?? "0") + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Makes an id; ids sort by time. */
export const newId = (nowMs: number): string => {
  const chance = [...randomBytes(CHANCE_LENGTH)].map((byte) => ALPHABET[byte % 32]).join("")
  return digits(Math.min(nowMs, MS_MAX), TIME_LENGTH) + chance
}

/** The time of an id, in epoch milliseconds. */
export const timeOf = (id: string): number =>
  [...id.slice(0, TIME_LENGTH)].reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0)

/** Whether a name is an id. */
export const isId = (name: string): boolean => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(name)

const VERSION = 1

/** Prints an entry as JSON. */
export const print = (entry: SpoolEntry): string =>
  `${JSON.stringify({
    version: VERSION,
    id: entry.id,
    url: entry.url,
    org: entry.org ?? null,
    operation: entry.operation,
    path: entry.path,
    payload: entry.payload,
    files: entry.files,
    idempotency_key: entry.idempotencyKey,
    recorded_at: new Date(entry.recordedMs).toISOString(),
    flow: entry.flow,
    trail: entry.trail,
    label: entry.label
  })}\n`

const textsOf = (value: unknown): { readonly [name: string]: string } =>
  Object.fromEntries(
    Json.members(value).flatMap(([name, text]) =>
      typeof text === "string" ? [[name, text] as const] : []
    )
  )

const fileOf = ({ filename, size, sha256 }: Json.Fields): ReadonlyArray<SpooledFile> =>
  typeof filename === "string" && typeof size === "number" && typeof sha256 === "string"
    ? [{ filename, size, sha256 }]
    : []

/** Parses an entry; undefined for other texts. */
export const parse = (text: string): SpoolEntry | undefined => {
  const read = (): Json.Fields => {
    try {
      return Json.object(JSON.parse(text))
    } catch {
      // WHY: a text that is not JSON is not an entry.
      return {}
    }
  }
  const fields = read()
  const { id, url, operation, idempotency_key: key } = fields
  const recordedMs = Date.parse(Json.text(fields.recorded_at) ?? "")
  const files = Json.objects(fields.files).flatMap(fileOf)
  const isWhole =
    fields.version === VERSION &&
    Json.isObject(fields.payload) &&
    files.length === Json.list(fields.files).length &&
    !Number.isNaN(recordedMs)
  if (!isWhole || typeof id !== "string" || typeof url !== "string") return undefined
  if (typeof operation !== "string" || typeof key !== "string") return undefined
  return {
    id,
    url,
    org: Json.text(fields.org),
    operation,
    path: textsOf(fields.path),
    payload: Json.object(fields.payload),
    files,
    idempotencyKey: key,
    recordedMs,
    flow: Json.text(fields.flow) ?? "",
    trail: Json.text(fields.trail) ?? "",
    label: Json.text(fields.label) ?? operation
  }
}

/** The payload to send; if the operation accepts annotations, one has the time of recording. */
export const sentPayload = ({ operation, payload, recordedMs }: SpoolEntry): Json.Fields =>
  /^(?:attestation|artifact)\./.test(operation)
    ? {
        ...payload,
        annotations: {
          ...Json.object(payload.annotations),
          recorded_at: new Date(recordedMs).toISOString()
        }
      }
    : payload

/** The request of a write: an evidence file is the body, so its fields are parameters. */
export const requestOf = ({
  operation,
  path,
  payload
}: Pick<SpoolEntry, "operation" | "path" | "payload">): {
  readonly path: SpoolEntry["path"]
  readonly payload?: Json.Fields
  readonly urlParams?: Json.Fields
} => (operation === "evidence.submit" ? { path, urlParams: payload } : { path, payload })
