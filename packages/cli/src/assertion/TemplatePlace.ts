/** Finds the entry of a template that a reason refers to. Pure. */
import * as Json from "../shared/Json.js"
import type { Reason } from "./Assertion.js"

type Path = ReadonlyArray<string | number>

/** The path of the attestation with a name in a list. */
const attestationAt = (list: unknown, path: Path, name: string | null): Path | undefined => {
  const at = Json.list(list).findIndex((each) => Json.object(each).name === name)
  return at < 0 ? undefined : [...path, at]
}

const ARTIFACT = /^the artifact `([^`]+)`/

/** The path of the entry; undefined if the template has none. */
export const find = (
  template: unknown,
  { type, rule, attestation_name: name, description }: Reason
): Path | undefined => {
  const trail = Json.object(Json.object(template).trail)
  const artifacts = Json.objects(trail.artifacts)
  if (type === "missing_artifact") {
    const at = artifacts.findIndex((each) => each.name === ARTIFACT.exec(description)?.[1])
    return at < 0 ? undefined : ["trail", "artifacts", at]
  }
  const onTrail = attestationAt(trail.attestations, ["trail", "attestations"], name)
  if (rule?.endsWith("trail") === true) return onTrail
  return artifacts
    .map(({ attestations }, at) =>
      attestationAt(attestations, ["trail", "artifacts", at, "attestations"], name)
    )
    .find((path) => path !== undefined)
}
