/** The functions of this folder as Promises, for callers without Effect; they reject with an `EvidenceError`. */
import type { Attachment } from "@attestry/client/Attachments"
import type { JunitPayload } from "@attestry/core/AttestationPayload"
import type { GitCommitInfo } from "@attestry/core/GitCommit"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ContentFingerprint from "./ContentFingerprint.js"
import type { EvidenceError } from "./EvidenceError.js"
import * as FileAttachment from "./FileAttachment.js"
import * as JunitFolder from "./JunitFolder.js"
import * as WorkingTree from "./WorkingTree.js"

const promise = async <A>(work: Effect.Effect<A, EvidenceError>): Promise<A> => {
  const exit = await Effect.runPromiseExit(work)
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

/** The fingerprint of a file or of a folder. */
export const fingerprint = (
  path: string,
  options?: ContentFingerprint.FolderOptions
): Promise<string> => promise(ContentFingerprint.of(path, options))

/** The results of test suites below a folder. */
export const junit = (folder: string, options?: JunitFolder.JunitOptions): Promise<JunitPayload> =>
  promise(JunitFolder.read(folder, options))

/** A commit of a working tree. */
export const commit = (
  folder: string,
  options?: WorkingTree.CommitOptions
): Promise<GitCommitInfo> => promise(WorkingTree.commit(folder, options))

/** The fetch URL of a remote of a working tree. */
export const remoteUrl = (folder: string, remote?: string): Promise<string | undefined> =>
  promise(WorkingTree.remoteUrl(folder, remote))

/** A file on a disk as an attachment. */
export const attachment = (path: string, filename?: string): Promise<Attachment> =>
  promise(FileAttachment.fromFile(path, filename))
