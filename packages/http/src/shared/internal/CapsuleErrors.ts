/** Translates the errors of audit capsules to HTTP errors. */
import { BadRequest, type HttpError, NotFound, Unavailable } from "@attestry/api/HttpError"
import type {
  CapsuleArtifactNotFound,
  CapsuleBusy,
  CapsulePending,
  CapsuleTooLarge
} from "@attestry/core/CapsuleFailure"

/** The domain errors of capsules. */
export type CapsuleError = CapsuleArtifactNotFound | CapsuleBusy | CapsulePending | CapsuleTooLarge

const tags: { readonly [Tag in CapsuleError["_tag"]]: true } = {
  CapsuleArtifactNotFound: true,
  CapsuleBusy: true,
  CapsulePending: true,
  CapsuleTooLarge: true
}

/** Whether an error is one of these. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, CapsuleError> => error._tag in tags

/** The HTTP error of a domain error. */
export const translate = (error: CapsuleError): HttpError => {
  switch (error._tag) {
    case "CapsuleArtifactNotFound":
      return new NotFound({
        message: `Artifact with fingerprint '${error.fingerprint}' does not exist in organization '${error.org}'`
      })
    case "CapsuleBusy":
      return new Unavailable({
        message: `Another capsule of '${error.org}' is being made: please try again`
      })
    case "CapsulePending":
      return new Unavailable({
        message: "The log does not have every selected snapshot yet: please try again"
      })
    case "CapsuleTooLarge":
      return new BadRequest({
        message:
          `The selection has ${error.count} ${error.what}, and a capsule has at most ${error.max}: ` +
          "please select less"
      })
  }
}
