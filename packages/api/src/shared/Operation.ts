/**
 * The rule of an operation: the permission that it requires, the form of its body, and its exceptions.
 *
 * Every endpoint has a rule as an annotation. `RouteTable` throws for an endpoint without one, so a new operation
 * cannot miss its access check. DECISIONS.md, "The order of checks"
 */
import type { Permission } from "@attestry/core/Permission"
import * as Context from "effect/Context"

/** JSON bodies have at most this many bytes. */
export const JSON_BYTES_MAX = 1_048_576
/** Bodies of open operations have at most this many bytes. */
export const OPEN_BYTES_MAX = 4_096
/** Environment reports have at most this many bytes. */
export const REPORT_BYTES_MAX = 16_777_216
/** The JSON part of a form has at most this many bytes. */
export const JSON_PART_BYTES_MAX = 409_600
/** A form has at most this many parts. */
export const PARTS_MAX = 20

/** A form with one part of JSON and any number of files, or plain JSON with the same fields. */
export interface UploadBody {
  readonly _tag: "UploadBody"
  readonly jsonPart: string
  readonly filePart: string
}

/**
 * A file as the whole body, or a form with the file in one part. Other parts of the form are parameters of the query in
 * another place.
 */
export interface FileBody {
  readonly _tag: "FileBody"
  readonly filePart: string
}

/** The form of a body. */
export type BodyRule =
  /** The body is not read; a body such as `null` is ignored. */
  | { readonly _tag: "NoBody" }
  /** JSON; where it is optional, an empty body and `null` mean an empty object. */
  | {
      readonly _tag: "JsonBody"
      readonly bytesMax: number
      readonly optional: boolean
      /** Another media type that is read beside JSON. */
      readonly mediaType?: string
    }
  /**
   * A form with one part of JSON and text files, or plain JSON with the same fields. The specification has JSON, and
   * clients send forms.
   */
  | {
      readonly _tag: "FormBody"
      readonly jsonPart: string
      readonly fileParts: ReadonlyArray<string>
    }
  | UploadBody
  | FileBody
  /** Bytes that the handler reads and decodes itself. */
  | { readonly _tag: "RawBody"; readonly bytesMax: number }

/** A beta feature. */
export type Feature = "controls"

/** The required access: none, any valid credential, or membership or a permission in the org of the path. */
export type AccessRule = "open" | "authenticated" | "member" | Permission

/** An authentication scheme: a key in the header in one of two forms, or a browser session. */
export type Scheme = "bearer" | "basic" | "session"

/** Additional requirements of an operation for some values of its path. */
export interface Narrowing {
  readonly access?: Permission
  readonly gate?: Feature
}

/** The rule of an operation. */
export interface OperationRule {
  readonly access: AccessRule
  readonly body: BodyRule
  /** The authentication schemes that it accepts. SPEC §5 */
  readonly schemes: ReadonlyArray<Scheme>
  /** Its beta feature, if any. */
  readonly gate: Feature | null
  /** The beta feature of some of its bodies, which its handler checks. */
  readonly bodyGate: Feature | null
  /** The additional requirements for some values of the path. */
  readonly narrow: (params: { readonly [name: string]: string }) => Narrowing
  /** The message of a 403: a fixed text, or one with the path. */
  readonly denial: "plain" | "path"
  /** The section of the documentation that replaces a deprecated operation; every response links to it. */
  readonly successor: string | undefined
  /** Other last segments of paths that lead to it, which the document does not list. */
  readonly aliases: ReadonlyArray<string>
  /** Whether its response contains a secret, which is shown once and never stored. */
  readonly answersSecret: boolean
  /** Whether it only reads, although its method is POST: it stores nothing and heeds no key. */
  readonly reads: boolean
  /** Whether callers without access may call it for an org whose log is public. */
  readonly opensPublicLog: boolean
  /** Whether people need a recent sign-in for it, where their org asks for one. */
  readonly isSensitive: boolean
  /** Whether a key for emergencies does for it where people need a recent sign-in. */
  readonly isForEmergencies: boolean
  /** Whether its response contains a credential or a secret URL, which caches must not store. */
  readonly isConfidential: boolean
}

/** The annotation with the rule of an operation. */
export class Operation extends Context.Tag("@attestry/api/Operation")<Operation, OperationRule>() {}

const AS_IS: Narrowing = {}
const asIs = (): Narrowing => AS_IS

/** A rule: the required access, the form of the body, and differences from the defaults. */
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
  bodyGate: options.bodyGate ?? null,
  narrow: options.narrow ?? asIs,
  denial: options.denial ?? "plain",
  successor: options.successor,
  aliases: options.aliases ?? [],
  answersSecret: options.answersSecret ?? false,
  reads: options.reads ?? false,
  opensPublicLog: options.opensPublicLog ?? false,
  isSensitive: options.isSensitive ?? false,
  isForEmergencies: options.isForEmergencies ?? false,
  isConfidential: options.isConfidential ?? options.answersSecret ?? false
})

/** No body. */
export const noBody: BodyRule = { _tag: "NoBody" }

/** A JSON body of the default size. */
export const jsonBody: BodyRule = { _tag: "JsonBody", bytesMax: JSON_BYTES_MAX, optional: false }

/** A JSON body that may be left out. */
export const optionalJsonBody: BodyRule = { ...jsonBody, optional: true }

/** A body that the handler reads and decodes. */
export const rawBody = (bytesMax: number): BodyRule => ({ _tag: "RawBody", bytesMax })

/** A form with JSON in one part, and with files that are stored as they are. */
export const uploadBody = (jsonPart: string, filePart: string): UploadBody => ({
  _tag: "UploadBody",
  jsonPart,
  filePart
})

/** A file as the whole body, or in one part of a form whose other parts are parameters. */
export const fileBody = (filePart: string): FileBody => ({ _tag: "FileBody", filePart })

/** A form with JSON in one part, whose files become fields of the same name. */
export const formBody = (jsonPart: string, ...fileParts: ReadonlyArray<string>): BodyRule => ({
  _tag: "FormBody",
  jsonPart,
  fileParts
})
