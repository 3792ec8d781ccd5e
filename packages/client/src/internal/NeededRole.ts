/** The lowest role that an operation needs, by the contract; loaded when the server has refused a call. */
import { Api } from "@attestry/api/Api"
import { Operation } from "@attestry/api/Operation"
import * as Permission from "@attestry/core/Permission"
import type { Role } from "@attestry/core/Role"
import * as HttpApi from "@effect/platform/HttpApi"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** The path of a call, as far as the contract reads it. */
type Path = { readonly [name: string]: unknown }

const texts = (path: Path): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]))

const shown = (role: Role): string => (role === "admin" ? role : `${role} or a higher one`)

/** The role of an operation such as `flow.put`; undefined where any valid key or any member will do. */
export const of = (operation: string, path: Path): string | undefined => {
  const found: Array<string> = []
  HttpApi.reflect(Api, {
    predicate: ({ endpoint, group }) => `${group.identifier}.${endpoint.name}` === operation,
    onGroup: () => {},
    onEndpoint: ({ mergedAnnotations }) => {
      const rule = Option.getOrUndefined(Context.getOption(mergedAnnotations, Operation))
      const access = rule?.narrow(texts(path)).access ?? rule?.access ?? "open"
      if (access !== "open" && access !== "authenticated" && access !== "member")
        found.push(shown(Permission.lowest(access)))
    }
  })
  return found[0]
}
