/** Translates the errors of evidence files to HTTP errors. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  EvidenceIsArchive,
  EvidenceReadersBusy,
  EvidenceTooLarge,
  EvidenceUnreadable
} from "@attestry/core/EvidenceReader"
import type {
  EvidenceAboutOther,
  EvidenceDocumentNotFound,
  EvidenceNotOnTrail,
  EvidenceNotVerified,
  EvidenceTargetUnknown,
  EvidenceTypeTaken,
  EvidenceWithoutSubject
} from "@attestry/core/EvidenceRecord"

/** The domain errors of evidence files. */
export type IntakeError =
  | EvidenceAboutOther
  | EvidenceDocumentNotFound
  | EvidenceIsArchive
  | EvidenceNotOnTrail
  | EvidenceNotVerified
  | EvidenceReadersBusy
  | EvidenceTargetUnknown
  | EvidenceTooLarge
  | EvidenceTypeTaken
  | EvidenceUnreadable
  | EvidenceWithoutSubject

const TAGS: { readonly [Tag in IntakeError["_tag"]]: true } = {
  EvidenceAboutOther: true,
  EvidenceDocumentNotFound: true,
  EvidenceIsArchive: true,
  EvidenceNotOnTrail: true,
  EvidenceNotVerified: true,
  EvidenceReadersBusy: true,
  EvidenceTargetUnknown: true,
  EvidenceTooLarge: true,
  EvidenceTypeTaken: true,
  EvidenceUnreadable: true,
  EvidenceWithoutSubject: true
}

/** Whether an error is one of evidence files. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, IntakeError> => error._tag in TAGS

const unreadable = ({ line, problem }: EvidenceUnreadable) =>
  line === null
    ? new HttpError.BadRequest({ message: problem })
    : new HttpError.BadRequest({
        message: `Line ${line}: ${problem}`,
        errors: { [`line ${line}`]: problem }
      })

/** The HTTP error of a domain error. */
export const translate = (error: IntakeError, busy: string): HttpError.HttpError => {
  switch (error._tag) {
    case "EvidenceUnreadable":
      return unreadable(error)
    case "EvidenceNotOnTrail": {
      const named = error.digests.length === 0 ? "none" : error.digests.join(", ")
      const message = `No subject of this document is an artifact of trail '${error.trail}'; it names ${named}`
      return new HttpError.BadRequest({ message })
    }
    case "EvidenceAboutOther":
      return new HttpError.BadRequest({
        message: `The document is not about fingerprint ${error.fingerprint}`
      })
    case "EvidenceWithoutSubject":
      return new HttpError.BadRequest({
        message: "Name a trail or a fingerprint: this file does not say what it is about"
      })
    case "EvidenceNotVerified": {
      const why = error.reason === null ? "" : `, ${error.reason}`
      return new HttpError.BadRequest({
        message: `The document is not verified: ${error.state}${why}`
      })
    }
    case "EvidenceTargetUnknown":
      return new HttpError.NotFound({
        message: `Artifact with fingerprint '${error.fingerprint}' does not exist in organization '${error.org}'`
      })
    case "EvidenceDocumentNotFound":
      return new HttpError.NotFound({
        message: `No evidence ${error.digest} in organization '${error.org}'`
      })
    case "EvidenceTypeTaken":
      return new HttpError.Conflict({
        message:
          `The organization has its own attestation type '${error.name}'; rename it before ` +
          "evidence of this kind is accepted"
      })
    case "EvidenceTooLarge":
      return new HttpError.PayloadTooLarge({ message: error.problem })
    case "EvidenceIsArchive":
      return new HttpError.UnsupportedMediaType({
        message: "Archives are not read; send the files one by one"
      })
    case "EvidenceReadersBusy":
      return new HttpError.Unavailable({ message: busy })
  }
}
