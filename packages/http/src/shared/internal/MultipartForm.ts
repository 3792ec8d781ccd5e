/**
 * Parses `multipart/form-data` as a stream, strictly: no bytes before the first delimiter or after the last one.
 *
 * A form that two parsers could read differently is malformed, because a proxy that checks a form may use another
 * parser. The meaning of the parts is not known here. RFC 2046, RFC 7578. Two readers of one form must not differ.
 */
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as PartHeader from "./PartHeader.js"

/** An event of the parser. */
export type Step =
  | { readonly _tag: "Begin"; readonly info: PartHeader.PartInfo }
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "End" }

/** The header of a part has at most this many bytes. */
export const HEADER_BYTES_MAX = 16_384

const BOUNDARY_LENGTH_MAX = 70

const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const DASH = 45

const isPadding = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

const isBlank = (byte: number): boolean => isPadding(byte) || byte === RETURN || byte === LINE_FEED

/** The boundary in a content type. */
const boundaryOf = (contentType: string): string | undefined => {
  const type = PartHeader.parseParameters(contentType)
  const boundary = type?.parameters.get("boundary") ?? ""
  return type?.value === "multipart/form-data" &&
    boundary.length <= BOUNDARY_LENGTH_MAX &&
    /^[ -~]*[!-~]$/.test(boundary)
    ? boundary
    : undefined
}

const startsWith = (bytes: Uint8Array, at: number, what: Uint8Array): boolean => {
  for (let index = 0; index < what.byteLength; index++) {
    if (bytes[at + index] !== what[index]) return false
  }
  return true
}

/** The position of bytes that begin with a carriage return; -1 where they are absent. */
const find = (bytes: Uint8Array, what: Uint8Array): number => {
  let at = bytes.indexOf(RETURN)
  while (at !== -1 && !startsWith(bytes, at, what)) at = bytes.indexOf(RETURN, at + 1)
  return at
}

const ASCII = new TextEncoder()
const HEADER_END = ASCII.encode("\r\n\r\n")

type State = "start" | "delimiter" | "header" | "content" | "end" | "malformed"

/** The parser of one form. */
export class MultipartForm {
  /** The bytes before each part; before the first part the line break is left out. */
  readonly #delimiter: Uint8Array
  #state: State
  /** Bytes that cannot be parsed before more bytes arrive. */
  #rest: Uint8Array = new Uint8Array()
  #steps: Array<Step> = []

  constructor(contentType: string) {
    const boundary = boundaryOf(contentType)
    this.#delimiter = ASCII.encode(`\r\n--${boundary}`)
    this.#state = boundary === undefined ? "malformed" : "start"
  }

  /** The events of the next piece; undefined when it is malformed. Their bytes are views into the piece. */
  write(piece: Uint8Array): ReadonlyArray<Step> | undefined {
    this.#rest = this.#rest.byteLength === 0 ? piece : Bytes.concat([this.#rest, piece])
    while (this.#advance()) {}
    const steps = this.#steps
    this.#steps = []
    return this.#state === "malformed" ? undefined : steps
  }

  /** Whether the form is complete. */
  get isWhole(): boolean {
    return this.#state === "end"
  }

  /** Parses the bytes of one state; false when more bytes are needed. */
  #advance(): boolean {
    switch (this.#state) {
      case "start":
        return this.#start()
      case "delimiter":
        return this.#afterDelimiter()
      case "header":
        return this.#header()
      case "content":
        return this.#content()
      case "end":
        if (!this.#rest.every(isBlank)) this.#state = "malformed"
        this.#rest = new Uint8Array()
        return false
      case "malformed":
        return false
    }
  }

  #go(state: State, at: number): true {
    this.#state = state
    this.#rest = this.#rest.subarray(at)
    return true
  }

  #start(): boolean {
    // WHY both: some clients begin a form with an empty line.
    const first = this.#rest[0] === RETURN ? this.#delimiter : this.#delimiter.subarray(2)
    if (this.#rest.byteLength < first.byteLength) return false
    return startsWith(this.#rest, 0, first)
      ? this.#go("delimiter", first.byteLength)
      : this.#go("malformed", 0)
  }

  /** A delimiter is followed by the end of its line, or by two dashes when it is the last. */
  #afterDelimiter(): boolean {
    const bytes = this.#rest
    if (bytes[0] === DASH) {
      if (bytes.byteLength < 2) return false
      return this.#go(bytes[1] === DASH ? "end" : "malformed", 2)
    }
    let at = 0
    while (isPadding(bytes[at])) at += 1
    if (at > HEADER_BYTES_MAX) return this.#go("malformed", 0)
    if (bytes.byteLength < at + 2) return false
    // WHY the line break stays: a header without lines begins with the end of the header.
    return bytes[at] === RETURN && bytes[at + 1] === LINE_FEED
      ? this.#go("header", at)
      : this.#go("malformed", 0)
  }

  #header(): boolean {
    const end = find(this.#rest, HEADER_END)
    if (end === -1 || end > HEADER_BYTES_MAX) {
      return this.#rest.byteLength > HEADER_BYTES_MAX ? this.#go("malformed", 0) : false
    }
    const info = PartHeader.parse(this.#rest.subarray(2, Math.max(2, end)))
    if (info === undefined) return this.#go("malformed", 0)
    this.#steps.push({ _tag: "Begin", info })
    return this.#go("content", end + HEADER_END.byteLength)
  }

  #content(): boolean {
    const bytes = this.#rest
    const at = find(bytes, this.#delimiter)
    const end = at === -1 ? this.#safeEnd(bytes) : at
    if (end > 0) this.#steps.push({ _tag: "Bytes", bytes: bytes.subarray(0, end) })
    if (at === -1) {
      this.#rest = bytes.subarray(end)
      return false
    }
    this.#steps.push({ _tag: "End" })
    return this.#go("delimiter", at + this.#delimiter.byteLength)
  }

  /** The end of the bytes that cannot be the beginning of a delimiter. */
  #safeEnd(bytes: Uint8Array): number {
    const from = Math.max(0, bytes.byteLength - this.#delimiter.byteLength + 1)
    const at = bytes.indexOf(RETURN, from)
    return at === -1 ? bytes.byteLength : at
  }
}
