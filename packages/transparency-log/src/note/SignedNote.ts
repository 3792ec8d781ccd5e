/**
 * Signed notes and their keys, by C2SP signed-note and tlog-cosignature: a text, an empty line, and lines with
 * signatures. Pure: it gives the bytes that a signature must cover, and `Notes` verifies the signature.
 */
import * as Option from "effect/Option"
import * as Base64 from "../bytes/Base64.js"
import * as Bytes from "../bytes/Bytes.js"
import * as Sha256 from "../bytes/Sha256.js"

/** Ed25519 over the text of the note. */
export const ED25519 = 1
/** Ed25519 over the text of the note and a time: cosignatures of witnesses. */
export const COSIGNATURE = 4

/** The largest number of signature lines that are read. */
export const LINES_MAX = 64

const KEY_ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const TIME_BYTES = 8
const LINE_START = "— "

/** A key that verifies signatures. */
export interface VerifierKey {
  readonly name: string
  readonly type: number
  /** 32 bytes. */
  readonly publicKey: Uint8Array
}

/** A line of signatures. */
export interface SignatureLine {
  readonly name: string
  readonly keyId: string
  /** The bytes after the id of the key. */
  readonly signature: Uint8Array
}

/** A note: its text, which ends with a newline, and its signatures. */
export interface SignedNote {
  readonly text: string
  readonly signatures: ReadonlyArray<SignatureLine>
}

/** A message and a signature to verify, and the key. */
export interface SignedMessage {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** Names contain neither Unicode spaces nor a plus. */
const NAME = /^[^\s+\u0085]+$/u

/** Whether a text can be the name of a key. */
export const isName = (text: string): boolean => NAME.test(text)

/** The id of a key, in eight hexadecimal digits. */
export const keyId = ({ name, type, publicKey }: VerifierKey): string =>
  Base64.encodeHex(
    Sha256.digest(Bytes.concat([Sha256.utf8(`${name}\n`), Uint8Array.of(type), publicKey])).slice(
      0,
      KEY_ID_BYTES
    )
  )

/** A key as `name+id+base64`. */
export const printKey = (key: VerifierKey): string =>
  `${key.name}+${keyId(key)}+${Base64.encode(Bytes.concat([Uint8Array.of(key.type), key.publicKey]))}`

/** Reads a key. Returns none for another form, an unknown type of signature, or an id that does not match the key. */
export const parseKey = (text: string): Option.Option<VerifierKey> => {
  const [name = "", id = "", ...rest] = text.split("+")
  return Base64.decode(rest.join("+")).pipe(
    Option.map((bytes) => ({ name, type: bytes[0] ?? 0, publicKey: bytes.slice(1) })),
    Option.filter(
      (key) =>
        isName(name) &&
        key.publicKey.byteLength === PUBLIC_KEY_BYTES &&
        (key.type === ED25519 || key.type === COSIGNATURE) &&
        keyId(key) === id
    )
  )
}

/** A line of a signature, with its newline. */
export const printLine = ({ name, keyId: id, signature }: SignatureLine): string =>
  `${LINE_START}${name} ${Base64.encode(
    Bytes.concat([Option.getOrElse(Base64.decodeHex(id), () => new Uint8Array(0)), signature])
  )}\n`

/** A note as a text. */
export const print = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(printLine).join("")}`

/** Reads a line of a signature, without its newline. */
export const parseLine = (line: string): Option.Option<SignatureLine> => {
  const [name = "", base64 = "", ...rest] = line.slice(LINE_START.length).split(" ")
  if (!line.startsWith(LINE_START) || rest.length > 0 || !isName(name)) return Option.none()
  return Base64.decode(base64).pipe(
    Option.filter((bytes) => bytes.byteLength > KEY_ID_BYTES),
    Option.map((bytes) => ({
      name,
      keyId: Base64.encodeHex(bytes.slice(0, KEY_ID_BYTES)),
      signature: bytes.slice(KEY_ID_BYTES)
    }))
  )
}

/** ASCII control characters other than the newline. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a note may not have them, so they are looked for.
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/

/** Reads a note. The text ends before the last empty line. */
export const parse = (note: string): Option.Option<SignedNote> => {
  const end = note.lastIndexOf("\n\n")
  if (end < 0 || !note.endsWith("\n") || CONTROL.test(note)) return Option.none()
  const lines = note.slice(end + 2, -1).split("\n")
  if (lines.length > LINES_MAX) return Option.none()
  return Option.map(Option.all(lines.map(parseLine)), (signatures) => ({
    text: note.slice(0, end + 1),
    signatures
  }))
}

const seconds = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0)

/** The bytes that a signature of a note covers. */
export const messageOf = (text: string): Uint8Array => Sha256.utf8(text)

/** The bytes that a cosignature at a time, in seconds, covers. */
export const cosigned = (text: string, time: number): Uint8Array =>
  Sha256.utf8(`cosignature/v1\ntime ${time}\n${text}`)

/** When a cosignature was made, in seconds. */
export const cosignedAt = ({ signature }: SignatureLine): number =>
  seconds(signature.slice(0, TIME_BYTES))

/** The content of a cosignature line: the time in eight bytes, and the signature. */
export const cosignature = (time: number, signature: Uint8Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(TIME_BYTES)
  for (
    let place = TIME_BYTES - 1, rest = time;
    place >= 0;
    place--, rest = Math.floor(rest / 256)
  ) {
    bytes[place] = rest % 256
  }
  return Bytes.concat([bytes, signature])
}

/** Whether a line names this key, by name and id. */
export const isBy = (key: VerifierKey, line: SignatureLine): boolean =>
  line.name === key.name && line.keyId === keyId(key)

/** The claim of a line by a known key; none if its length does not match the key's type. */
export const claimed = (
  { text }: SignedNote,
  { key, line }: { readonly key: VerifierKey; readonly line: SignatureLine }
): Option.Option<SignedMessage> => {
  const { publicKey } = key
  const { signature } = line
  if (key.type === ED25519) {
    return signature.byteLength === SIGNATURE_BYTES
      ? Option.some({ publicKey, message: messageOf(text), signature })
      : Option.none()
  }
  return signature.byteLength === TIME_BYTES + SIGNATURE_BYTES
    ? Option.some({
        publicKey,
        message: cosigned(text, cosignedAt(line)),
        signature: signature.slice(TIME_BYTES)
      })
    : Option.none()
}

/** A line by a known key with its claim; none if it cannot be a signature of that key. */
export interface Claim {
  readonly key: VerifierKey
  readonly signed: Option.Option<SignedMessage>
}

/**
 * The claims to verify before a note is trusted: every line by one of the keys. There must be at least one, and all
 * must be true. Lines by other keys prove nothing.
 */
export const claims = (note: SignedNote, keys: ReadonlyArray<VerifierKey>): ReadonlyArray<Claim> =>
  keys.flatMap((key) =>
    note.signatures
      .filter((line) => isBy(key, line))
      .map((line) => ({ key, signed: claimed(note, { key, line }) }))
  )
