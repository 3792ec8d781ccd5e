/** Parses an artifact argument (a path, an image or a fingerprint) and computes its fingerprint. */
import { existsSync, lstatSync, statSync } from "node:fs"
import { basename, resolve } from "node:path"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"

/** The types of artifacts. */
export const TYPES = ["file", "dir", "tree", "docker", "oci", "oci-layout"] as const
/** One of `TYPES`. */
export type ArtifactType = (typeof TYPES)[number]

/** An artifact with its fingerprint. */
export interface FoundArtifact {
  readonly type: ArtifactType
  readonly fingerprint: string
  /** The base name of a path, or the reference of an image. */
  readonly name: string
  /** The entries of a folder that the fingerprint covers. */
  readonly entries?: ReadonlyArray<string>
  readonly leftOut?: number
}

/** An artifact argument with the flags that apply to it. */
export interface ArtifactRequest {
  readonly target: string
  readonly type: string | undefined
  readonly exclude: ReadonlyArray<string>
  readonly ignoreFiles: ReadonlyArray<string>
  readonly registryUsername?: string | undefined
  /** For `-t oci`: fingerprints the manifest of one platform instead of the index. */
  readonly platform?: string | undefined
}

const guessed = (path: string, target: string): ArtifactType => {
  if (!existsSync(path))
    throw unreadable(
      `there is no file or folder ${target}`,
      "an image is never guessed: say -t docker for the engine on this machine, or -t oci for the registry"
    )
  return statSync(path).isDirectory() ? "dir" : "file"
}

const mustExist = (path: string, target: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
    throw unreadable(`there is no file or folder ${target}`)
}

const ofPath = async (
  type: "file" | "dir" | "tree",
  path: string,
  request: ArtifactRequest
): Promise<FoundArtifact> => {
  const { target, exclude, ignoreFiles } = request
  mustExist(path, target)
  const name = basename(path)
  const isFolder = statSync(path).isDirectory()
  if ((type === "file") === isFolder)
    throw unreadable(`${target} is ${isFolder ? "a folder" : "no folder"}`, `leave -t ${type} out`)
  const DirectoryFingerprint = await import("./DirectoryFingerprint.js")
  if (type === "file") return { type, name, fingerprint: DirectoryFingerprint.ofFile(path) }
  if (type === "dir") {
    const found = DirectoryFingerprint.of(path, { exclude, ignoreFiles })
    return { type, name, ...found }
  }
  const { fingerprint } = await import("@attestry/client/node/PromiseEvidence")
  return { type, name, fingerprint: await fingerprint(path, { exclude }) }
}

/** Splits an OCI layout into its path and the tag after the last colon, unless the whole text is an existing path. */
const layoutOf = (cwd: string, target: string): readonly [string, string | undefined] => {
  const whole = resolve(cwd, target)
  const at = target.lastIndexOf(":")
  if (existsSync(whole) || at < 1) return [whole, undefined]
  return [resolve(cwd, target.slice(0, at)), target.slice(at + 1)]
}

const translated = (cause: unknown, target: string): CommandFailure => {
  if (cause instanceof CommandFailure) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return unreadable(`${target} cannot be read: ${why}`, undefined, cause)
}

const typeOf = (text: string): ArtifactType => {
  const type = TYPES.find((each) => each === text)
  if (type === undefined) throw usage(`\`${text}\` is no type: there is ${TYPES.join(", ")}`)
  return type
}

const PLATFORM = /^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9.]+)?$/

const checkPlatform = ({ platform }: ArtifactRequest, type: ArtifactType): void => {
  if (platform === undefined) return
  if (type !== "oci") throw usage("--platform is for -t oci: a manifest of a registry's index")
  if (!PLATFORM.test(platform))
    throw usage(`--platform: \`${platform}\` is no platform`, "write OS/ARCH, such as linux/arm64")
}

const read = async (
  { host, settings, output }: CommandContext,
  request: ArtifactRequest
): Promise<FoundArtifact> => {
  const { target } = request
  const path = resolve(host.cwd, target)
  const type = request.type === undefined ? guessed(path, target) : typeOf(request.type)
  checkPlatform(request, type)
  switch (type) {
    case "docker": {
      const { fingerprintOf } = await import("./DockerEngine.js")
      return { type, name: target, fingerprint: await fingerprintOf(host, target) }
    }
    case "oci": {
      const { fingerprintOf } = await import("./OciRegistry.js")
      const { timeoutMs, caFile } = await settings()
      const fingerprint = await fingerprintOf(
        {
          host,
          output,
          timeoutMs,
          caFile: caFile?.value,
          username: request.registryUsername,
          platform: request.platform
        },
        target
      )
      return { type, name: target, fingerprint }
    }
    case "oci-layout": {
      const { fingerprintOf } = await import("./OciLayout.js")
      const [layout, tag] = layoutOf(host.cwd, target)
      mustExist(layout, target)
      return { type, name: basename(layout), fingerprint: fingerprintOf(layout, tag) }
    }
    default:
      return ofPath(type, path, request)
  }
}

/** Computes the fingerprint of an artifact. */
export const find = (context: CommandContext, request: ArtifactRequest): Promise<FoundArtifact> =>
  read(context, request).catch((cause: unknown) => {
    throw translated(cause, request.target)
  })

/** The request for a target, from `-t`, `-x`, `--ignore-file` and the repository's file. */
export const requestOf = async (
  { settings }: CommandContext,
  args: Arguments,
  target: string
): Promise<ArtifactRequest> => {
  const given = args.texts("ignore-file")
  return {
    target,
    type: args.text("type"),
    exclude: args.texts("exclude"),
    ignoreFiles: given.length > 0 ? given : ((await settings()).repository?.ignoreFiles ?? []),
    registryUsername: args.text("registry-username"),
    platform: args.text("platform")
  }
}

const FINGERPRINT = /^[0-9a-f]{64}$/

/** The fingerprint that a text is; undefined for other texts. */
const fingerprintIn = (text: string): string | undefined => {
  const fingerprint = text.replace(/^sha256:/, "").toLowerCase()
  return FINGERPRINT.test(fingerprint) ? fingerprint : undefined
}

/** Parses a fingerprint; fails for other texts. */
export const parseFingerprint = (text: string): string => {
  const fingerprint = fingerprintIn(text)
  if (fingerprint !== undefined) return fingerprint
  throw usage(`\`${text}\` is no fingerprint: it has 64 hexadecimal characters`)
}

/** A fingerprint, and the name of the artifact if it was computed from one. */
export interface NamedFingerprint {
  readonly fingerprint: string
  readonly name: string | undefined
}

/**
 * The fingerprint that an argument is, or that of the path or image that it names. A file whose name looks like a
 * fingerprint is named as `./NAME`, or with `-t`.
 */
export const named = async (
  context: CommandContext,
  args: Arguments,
  target: string
): Promise<NamedFingerprint> => {
  const fingerprint = args.text("type") === undefined ? fingerprintIn(target) : undefined
  if (fingerprint !== undefined) return { fingerprint, name: undefined }
  return find(context, await requestOf(context, args, target))
}

/** The fingerprint by `--fingerprint` or `--artifact`; undefined without both. */
export const flagged = async (
  context: CommandContext,
  args: Arguments
): Promise<string | undefined> => {
  const given = args.text("fingerprint")
  const artifact = args.text("artifact")
  if (given !== undefined && artifact !== undefined)
    throw usage("--fingerprint and --artifact name the same thing: give one of them")
  if (given !== undefined) return parseFingerprint(given)
  return artifact === undefined ? undefined : (await named(context, args, artifact)).fingerprint
}
