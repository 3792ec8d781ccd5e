/** References to images of the command line as package URLs; one that has none is wrong use. */
import * as BaseImage from "@attestry/core/BaseImage"
import { type CommandFailure, usage } from "../shared/CommandFailure.js"

const HINT = "such as node:20-alpine, ghcr.io/acme/base:1 or node@sha256:…"

const failureOf = (image: string, problem: BaseImage.BaseImageProblem): CommandFailure => {
  switch (problem) {
    case "without_name":
      return usage(
        "--base-image needs the name of the image beside its digest",
        `NAME@${image.includes(":") ? image : `sha256:${image}`}`
      )
    case "no_reference":
      return usage(`\`${image}\` is no reference to an image`, HINT)
    case "no_sha256":
      return usage(`the digest of \`${image}\` is not sha256: and 64 hexadecimal characters`, HINT)
  }
}

/** The package URL of a reference: in its tag or digest, or without one in all tags. */
export const purlOf = (image: string): string => {
  const found = BaseImage.purlOf(image)
  if ("problem" in found) throw failureOf(image, found.problem)
  return found.purl
}
