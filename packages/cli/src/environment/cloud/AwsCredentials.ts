/**
 * AWS credentials: from variables, or by AWS's own library from a web identity, from profiles of the shared files
 * (with roles, programs and single sign-on), or from the role of a container or a machine.
 *
 * WHY not the library's default chain: it hides why a configured source failed.
 */
import { type CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import { type Host, variable } from "../../shared/Host.js"
import * as AwsRequests from "./AwsRequests.js"
import type { SigningKey } from "./AwsSignature.js"
import type { CloudRequests } from "./CloudRequests.js"

/** Credentials, and the configured region. */
export interface AwsAccount {
  readonly key: SigningKey
  readonly region: string | undefined
}

interface Identity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** A source of credentials. */
type Source = () => Promise<Identity>

const SESSION = "attestry"
const NOTHING = "no variable, profile or role gives any"

const fromVariables = (host: Host): SigningKey | undefined => {
  const accessKeyId = variable(host, "AWS_ACCESS_KEY_ID")
  const secretAccessKey = variable(host, "AWS_SECRET_ACCESS_KEY")
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, sessionToken: variable(host, "AWS_SESSION_TOKEN") }
}

/** The settings of a profile, from both files; undefined if no file has the profile. */
const profileOf = async (name: string): Promise<{ readonly region?: string } | undefined> => {
  const { loadSharedConfigFiles } = await import("@smithy/core/config")
  const { configFile, credentialsFile } = await loadSharedConfigFiles({ ignoreCache: true })
  const found = { ...configFile[name], ...credentialsFile[name] }
  const { region } = found
  if (Object.keys(found).length === 0) return undefined
  return region === undefined ? {} : { region }
}

/** The configured sources, in AWS's order. A named profile or a container's role excludes the others. */
const sourcesOf = async (
  host: Host,
  requests: CloudRequests,
  region: string
): Promise<ReadonlyArray<Source>> => {
  const { fromHttp, fromIni, fromInstanceMetadata, fromTokenFile } = await import(
    "@aws-sdk/credential-providers"
  )
  const clientConfig = { region, maxAttempts: 1, requestHandler: AwsRequests.handler(requests) }
  // WHY no cache: `--watch` looks up credentials in each round.
  const shared = { ignoreCache: true, clientConfig }
  const named = variable(host, "AWS_PROFILE")
  if (named !== undefined) return [fromIni({ profile: named, ...shared })]
  if (variable(host, "AWS_WEB_IDENTITY_TOKEN_FILE") !== undefined)
    return [fromTokenFile({ roleSessionName: SESSION, clientConfig })]
  const profile = (await profileOf("default")) === undefined ? [] : [fromIni(shared)]
  if (
    variable(host, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") !== undefined ||
    variable(host, "AWS_CONTAINER_CREDENTIALS_FULL_URI") !== undefined
  )
    return [...profile, async () => fromHttp()()]
  if (variable(host, "AWS_EC2_METADATA_DISABLED") === "true") return profile
  const machine = fromInstanceMetadata({ ec2MetadataV1Disabled: true })
  // WHY: the metadata service answers only on AWS machines.
  return [...profile, () => machine().catch(() => Promise.reject(NOTHING))]
}

const isPassedOn = (error: unknown): boolean =>
  error instanceof Error && "tryNextLink" in error && error.tryNextLink === true

const HINT = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"

/** WHY one line: the library's messages have several. */
const failure = (error: unknown): CommandFailure => {
  const message = error instanceof Error ? error.message : String(error)
  return unreadable(
    `there are no credentials of AWS: ${message.replaceAll(/\s+/g, " ").trim()}`,
    HINT,
    error
  )
}

/** The credentials of the first source that has some. */
const firstOf = async (sources: ReadonlyArray<Source>): Promise<Identity> => {
  let last: unknown = NOTHING
  for (const source of sources) {
    try {
      return await source()
    } catch (error) {
      last = error
      if (!isPassedOn(error)) break
    }
  }
  throw failure(last)
}

/** The credentials and the region of a command. */
export const find = async (
  host: Host,
  requests: CloudRequests,
  asked: string | undefined
): Promise<AwsAccount> => {
  const named = variable(host, "AWS_PROFILE")
  const region =
    asked ??
    variable(host, "AWS_REGION") ??
    variable(host, "AWS_DEFAULT_REGION") ??
    (await profileOf(named ?? "default"))?.region
  const own = named === undefined ? fromVariables(host) : undefined
  if (own !== undefined) return { key: own, region }
  const { accessKeyId, secretAccessKey, sessionToken } = await firstOf(
    await sourcesOf(host, requests, region ?? "us-east-1")
  )
  return { key: { accessKeyId, secretAccessKey, sessionToken }, region }
}
