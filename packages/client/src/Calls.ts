/**
 * The types of calls, from the contract: requests and answers of operations, as Effects and as Promises.
 *
 * Instants are `DateTime.Utc` for Effects and `Date` for Promises, in requests and in answers; a number that could be
 * seconds, milliseconds or microseconds is neither. The org may be left out where the client has one.
 */
import type { ContractParts, Endpoint, GroupName } from "@attestry/api/WireAnswer"
import type { WriteResult } from "@attestry/api/WriteResult"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { HttpApiEndpoint } from "@effect/platform/HttpApiEndpoint"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import type * as Brand from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { Simplify } from "effect/Types"
import type { Attachment, Progress } from "./Attachment.js"
import type { ClientError } from "./ClientError.js"

/** Every group of the contract. */
export type Groups = ContractParts["groups"]

/** Every HTTP error of any operation. */
export type WireError = Exclude<ContractParts["error"], HttpApiDecodeError>

/** How a client answers: with Effects or with Promises. */
export type AnyFace = "effect" | "promise"

/** An operation of a client. */
export type Call<Face extends AnyFace, Group extends GroupName, Name extends string> = [
  Face
] extends ["effect"]
  ? Method<Endpoint<Group, Name>>
  : PromiseMethod<Endpoint<Group, Name>>

/** A value with `DateTime.Utc` for its instants. */
export type Instants<A> = A extends Timestamp
  ? DateTime.Utc
  : A extends Brand.Brand<infer _> | FormData | Uint8Array
    ? A
    : A extends object
      ? { readonly [Key in keyof A]: Instants<A[Key]> }
      : A

/** A value without brands on its strings and numbers, and with `Date` for its instants. */
export type Plain<A> = A extends Timestamp
  ? Date
  : A extends Brand.Brand<"Cursor">
    ? string
    : A extends Brand.Brand<infer _>
      ? Brand.Brand.Unbranded<A>
      : A extends FormData | Uint8Array
        ? A
        : A extends object
          ? { readonly [Key in keyof A]: Plain<A[Key]> }
          : A

/** The parameters of a path: the org is optional, and a snapshot expression is a text. */
type PathOf<Path> = Simplify<
  {
    readonly [Key in Exclude<keyof Path, "org">]: Key extends "snapshot_expression"
      ? string
      : Path[Key]
  } & ("org" extends keyof Path ? { readonly org?: Path["org"] } : unknown)
>

type PathPart<Path> = [Path] extends [never]
  ? unknown
  : Partial<PathOf<Path>> extends PathOf<Path>
    ? { readonly path?: PathOf<Path> }
    : { readonly path: PathOf<Path> }

/** The query of a request: optional where all of its parameters are. */
export type Query<UrlParams> = [UrlParams] extends [never]
  ? unknown
  : Partial<UrlParams> extends UrlParams
    ? { readonly urlParams?: UrlParams }
    : { readonly urlParams: UrlParams }

/** An operation, from its request to the body of its response; HTTP errors keep their classes. */
export type Method<Endpoint> =
  Endpoint extends HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Payload,
    infer Headers,
    infer Success,
    infer Refusal,
    infer _R,
    infer _RE
  >
    ? <WithResponse extends boolean = false>(
        request: Simplify<
          HttpApiEndpoint.ClientRequest<never, never, Payload, Headers, WithResponse> &
            PathPart<Path> &
            Instants<Query<UrlParams>>
        >
      ) => Effect.Effect<
        WithResponse extends true ? [Instants<Success>, HttpClientResponse] : Instants<Success>,
        Refusal | WireError | ClientError
      >
    : never

/** An answer in which the effect of a write replaces a word such as `"OK"`. */
export type Described<A> = A extends "OK" | "revoked" ? WriteResult : A

/** Options of one call of a Promise. */
export interface CallOptions {
  /** Files of an attestation, or the one file of a call without a payload. */
  readonly attachments?: ReadonlyArray<Attachment>
  readonly onProgress?: (progress: Progress) => void
  /** The idempotency key: the server handles the same call under the same key once in a day. */
  readonly idempotencyKey?: string
  /** Checks everything and answers as the write would, but stores nothing; refused for reads. */
  readonly dryRun?: boolean
  /** `"representation"`: a write answers its effect instead of a word such as `"OK"`. */
  readonly returns?: "minimal" | "representation"
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Options under which a write answers its effect. */
export type Describing = CallOptions & { readonly returns: "representation" }

type Asking<Request, Answer> =
  Partial<Request> extends Request
    ? {
        (request: Request | undefined, options: Describing): Promise<Described<Answer>>
        (request?: Request, options?: CallOptions): Promise<Answer>
      }
    : {
        (request: Request, options: Describing): Promise<Described<Answer>>
        (request: Request, options?: CallOptions): Promise<Answer>
      }

/** An operation, from its request to a promise of the body of its response. */
export type PromiseMethod<Endpoint> =
  Endpoint extends HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Payload,
    infer Headers,
    infer Success,
    infer _Refusal,
    infer _R,
    infer _RE
  >
    ? Asking<
        Plain<
          Omit<
            HttpApiEndpoint.ClientRequest<never, never, Payload, Headers, false>,
            "withResponse"
          > &
            PathPart<Path> &
            Query<UrlParams>
        >,
        Plain<Success>
      >
    : never

/** The answer of an operation, for Effects. */
export type Answer<Group extends GroupName, Name extends string> = Instants<
  HttpApiEndpoint.Success<Endpoint<Group, Name>>
>

/** The answer of an operation, for Promises. */
export type PromiseAnswer<Group extends GroupName, Name extends string> = Plain<
  HttpApiEndpoint.Success<Endpoint<Group, Name>>
>
