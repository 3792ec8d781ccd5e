/**
 * What an operation needs before its body is decoded: a permission, and the form of its body.
 *
 * Every endpoint carries one of these as an annotation; one without does not start (`Operations`), so a
 * new operation cannot forget its access check. DECISION A-28
 */
import type { Permission } from "@attestry/core/Permission"
import * as Context from "effect/Context"
import type { Feature } from "../FeatureFlags.js"

/** JSON bodies have at most this many bytes. DECISION A-14 */
export const JSON_BYTES_MAX = 1_048_576
/** Bodies that come without a credential have at most this many bytes. DECISION B-150 */
export const OPEN_BYTES_MAX = 4_096
/** Environment reports have at most this many bytes. DECISION A-14 */
export const REPORT_BYTES_MAX = 16_777_216
/** The JSON part of a form has at most this many bytes. DECISION A-14 */
export const JSON_PART_BYTES_MAX = 409_600
/** A form has at most this many parts. DECISION A-14 */
export const PARTS_MAX = 20

/** A form with one part of JSON and any number of files, or plain JSON with the same fields. */
export interface UploadBody {
  readonly _tag: "UploadBody"
  readonly jsonPart: string
  readonly filePart: string
}

/** The form of a body. */
export type BodyRule =
  /** No body is read; one that comes anyway, such as `null`, is passed over. */
  | { readonly _tag: "NoBody" }
  /** JSON; where it is optional, nothing and `null` stand for an empty object. */
  | { readonly _tag: "JsonBody"; readonly bytesMax: number; readonly optional: boolean }
  /** A form with one part of JSON and text files, or plain JSON with the same fields. DECISION A-05 */
  | {
      readonly _tag: "FormBody"
      readonly jsonPart: string
      readonly fileParts: ReadonlyArray<string>
    }
  | UploadBody
  /** Bytes that the handler reads and decodes itself. */
  | { readonly _tag: "RawBody"; readonly bytesMax: number }

/** Who may call: anybody, anybody with a key, or whoever has a permission in the path's org. */
export type AccessRule = "open" | "authenticated" | Permission

/** A way to say who calls: a key in the header, by one of two schemes, or a browser's session. */
export type Scheme = "bearer" | "basic" | "session"

/** What an operation may ask for besides, where its path names one kind of thing among several. */
export interface Narrowing {
  readonly access?: Permission
  readonly gate?: Feature
}

/** What an operation needs. */
export interface OperationRule {
  readonly access: AccessRule
  readonly body: BodyRule
  /** The ways to say who calls that it accepts. SPEC §5 */
  readonly schemes: ReadonlyArray<Scheme>
  /** The beta feature that it belongs to, if any. DECISION A-13 */
  readonly gate: Feature | null
  /** What differs for some values of the path. */
  readonly narrow: (params: { readonly [name: string]: string }) => Narrowing
  /** What a refusal for want of permission says: nothing in particular, or the path. */
  readonly denial: "plain" | "path"
  /** The section of the documentation that replaces a deprecated operation; every answer says so. */
  readonly successor: string | undefined
  /** Whether its answer holds a secret, which is shown once and kept nowhere. DECISION B-109 */
  readonly answersSecret: boolean
  /** Whether its answer shows a credential or an address that is one, which no cache may store. */
  readonly isConfidential: boolean
}

/** The annotation that carries an operation's rule. */
export class Operation extends Context.Tag("@attestry/http/Operation")<
  Operation,
  OperationRule
>() {}

const AS_IS: Narrowing = {}
const asIs = (): Narrowing => AS_IS

/** A rule: who may call, the form of the body, and what differs from the usual. */
export const rule = (
  access: AccessRule,
  body: BodyRule,
  options: Partial<Omit<OperationRule, "access" | "body">> = {}
): OperationRule => ({
  access,
  body:
    access === "open" && body._tag === "JsonBody" ? { ...body, bytesMax: OPEN_BYTES_MAX } : body,
  schemes: options.schemes ?? ["bearer", "session"],
  gate: options.gate ?? null,
  narrow: options.narrow ?? asIs,
  denial: options.denial ?? "plain",
  successor: options.successor,
  answersSecret: options.answersSecret ?? false,
  isConfidential: options.isConfidential ?? options.answersSecret ?? false
})

/** No body. */
export const noBody: BodyRule = { _tag: "NoBody" }

/** A JSON body of the usual size. */
export const jsonBody: BodyRule = { _tag: "JsonBody", bytesMax: JSON_BYTES_MAX, optional: false }

/** A JSON body that may be left out. */
export const optionalJsonBody: BodyRule = { ...jsonBody, optional: true }

/** A body that the handler reads itself. */
export const rawBody = (bytesMax: number): BodyRule => ({ _tag: "RawBody", bytesMax })

/** A form whose JSON comes in one part, with files that are kept as they are. */
export const uploadBody = (jsonPart: string, filePart: string): UploadBody => ({
  _tag: "UploadBody",
  jsonPart,
  filePart
})

/** A form whose JSON comes in one part and whose named files become fields of the same name. */
export const formBody = (jsonPart: string, ...fileParts: ReadonlyArray<string>): BodyRule => ({
  _tag: "FormBody",
  jsonPart,
  fileParts
})
