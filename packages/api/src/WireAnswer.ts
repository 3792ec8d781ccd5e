/**
 * The types of operations by their names: the endpoint of the contract, and its answer as JSON on the wire.
 *
 * Types alone, so that a program without schemas is typed by the contract too.
 */
import type { Timestamp } from "@attestry/core/Timestamp"
import type * as HttpApi from "@effect/platform/HttpApi"
import type { HttpApiEndpoint } from "@effect/platform/HttpApiEndpoint"
import type { HttpApiGroup } from "@effect/platform/HttpApiGroup"
import type * as Brand from "effect/Brand"
import type { Api } from "./Api.js"
import type { OperationName } from "./OperationIndex.js"

/** The groups of the contract, and the errors that every operation has. */
export type ContractParts =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer ApiError, infer _R>
    ? { readonly groups: Groups; readonly error: ApiError }
    : never

/** The name of a group. */
export type GroupName = HttpApiGroup.Name<ContractParts["groups"]>

/** An operation of the contract, by group and name. */
export type Endpoint<Group extends GroupName, Name extends string> = HttpApiEndpoint.WithName<
  HttpApiGroup.Endpoints<HttpApiGroup.WithName<ContractParts["groups"], Group>>,
  Name
>

/** A value as JSON: instants are epoch seconds, and nothing has a brand. */
export type Wire<A> = A extends Timestamp
  ? number
  : A extends Brand.Brand<infer _>
    ? Brand.Brand.Unbranded<A>
    : A extends object
      ? { readonly [Key in keyof A]: Wire<A[Key]> }
      : A

/** The answer of an operation on the wire. */
export type WireAnswer<Name extends OperationName> =
  Name extends `${infer Group extends GroupName}.${infer Operation}`
    ? Wire<HttpApiEndpoint.Success<Endpoint<Group, Operation>>>
    : never
