/** Finds the known name that is closest to an unknown one. */
import * as NearestName from "@attestry/core/NearestName"
import * as Json from "../shared/Json.js"

/** The operation that lists the names of a parameter, and the member that has the name. */
interface Names {
  readonly operation: string
  readonly member: string
}

const FLOWS: Names = { operation: "flow.list", member: "name" }
const ENVIRONMENTS: Names = { operation: "environment.list", member: "name" }

const BY_PARAMETER: ReadonlyMap<string, Names> = new Map([
  ["env_name", ENVIRONMENTS],
  ["flow_name", FLOWS],
  ["type_name", { operation: "attestationType.list", member: "name" }],
  ["identifier", { operation: "control.list", member: "identifier" }]
])

/** Parameters that are called `name`, by operation group. */
const BY_GROUP: ReadonlyMap<string, Names> = new Map([
  ["policy", { operation: "policy.list", member: "name" }],
  ["serviceAccount", { operation: "serviceAccount.list", member: "name" }],
  ["workloadIdentity", { operation: "serviceAccount.list", member: "name" }]
])

const namesOf = (operation: string, parameter: string): Names | undefined =>
  parameter === "name" ? BY_GROUP.get(operation.split(".")[0] ?? "") : BY_PARAMETER.get(parameter)

/** The items of a list, in whichever member has them. */
const itemsOf = (answer: unknown): ReadonlyArray<Json.Fields> =>
  Array.isArray(answer)
    ? Json.objects(answer)
    : Object.values(Json.object(answer)).flatMap((member) => Json.objects(member))

/** A call that was answered with 404. */
export interface Missed {
  readonly operation: string
  readonly path: Json.Fields
}

/** The closest name to the first unknown parameter; undefined if none is close. */
export const find = async (
  { operation, path }: Missed,
  list: (operation: string) => Promise<unknown>
): Promise<string | undefined> => {
  for (const [parameter, value] of Object.entries(path)) {
    const names = namesOf(operation, parameter)
    if (names === undefined || names.operation === operation || typeof value !== "string") continue
    const items = itemsOf(await list(names.operation))
    const known = items.flatMap((item) => Json.text(item[names.member]) ?? [])
    const near = known.includes(value) ? undefined : NearestName.find(value, known)
    if (near !== undefined) return near
  }
  return undefined
}
