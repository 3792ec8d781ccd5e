/** Client of one AWS service in one region, or of a compatible service at another URL. */

import type { StreamedAnswer } from "@attestry/client/node/NodeFetch"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { unreadable, usage } from "../../shared/CommandFailure.js"
import { variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as AwsCredentials from "./AwsCredentials.js"
import { type Signable, sign } from "./AwsSignature.js"
import * as CloudRequests from "./CloudRequests.js"

/** A request to the service. */
export interface ServiceRequest {
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** A client of the service. */
export interface AwsService {
  readonly region: string
  /** The body of an answer as text; fails for an error status. */
  readonly text: (request: ServiceRequest) => Promise<string>
  /** The body of an answer as JSON. */
  readonly json: (request: ServiceRequest) => Promise<Json.Fields>
  readonly stream: (request: ServiceRequest) => Promise<StreamedAnswer>
}

const endpointOf = (
  { host }: CommandContext,
  args: Arguments,
  { service, region, name }: { service: string; region: string; name: string }
): string => {
  const given =
    args.text("endpoint") ??
    variable(host, `AWS_ENDPOINT_URL_${name}`) ??
    variable(host, "AWS_ENDPOINT_URL")
  if (given === undefined) return `https://${service}.${region}.amazonaws.com`
  if (!URL.canParse(given)) throw usage(`--endpoint: \`${given}\` is no URL`)
  return given
}

const urlOf = (base: string, { path, query = {} }: ServiceRequest): URL => {
  const url = new URL(`${base.replace(/\/+$/, "")}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url
}

/** Connects to a service; `name` is its name in variables. */
export const connect = async (
  context: CommandContext,
  args: Arguments,
  { service, name }: { readonly service: string; readonly name: string }
): Promise<AwsService> => {
  const { host, output } = context
  const requests = await CloudRequests.make(context)
  const [asked, ...others] = args.texts("region")
  if (others.length > 0) throw usage("--region is given twice: a report is about one region")
  const account = await AwsCredentials.find(host, requests, asked)
  const { key } = account
  output.hide(key.secretAccessKey)
  if (key.sessionToken !== undefined) output.hide(key.sessionToken)
  const isElsewhere = args.text("endpoint") !== undefined
  const region = account.region ?? (isElsewhere ? "us-east-1" : undefined)
  if (region === undefined)
    throw usage("the region is not known", "give --region, or set AWS_REGION")
  const base = endpointOf(context, args, { service, region, name })
  const signed = (request: ServiceRequest) => {
    const { method = "GET", headers = {}, body = "" } = request
    const url = urlOf(base, request)
    const signable: Signable = { method, url, headers, body, service, region }
    return { method, url: url.href, body, headers: sign(signable, key, host.now()) }
  }
  /** WHY: a GET has no body at all. */
  const outgoing = (request: ServiceRequest): CloudRequests.CloudRequest => {
    const { body, ...rest } = signed(request)
    return request.body === undefined ? rest : { ...rest, body }
  }
  const text = async (request: ServiceRequest): Promise<string> => {
    const answer = await requests.send(() => outgoing(request))
    if (answer.status !== 200) throw CloudRequests.refusal(urlOf(base, request).href, answer)
    return answer.text
  }
  return {
    region,
    text,
    json: async (request) => {
      const body = await text(request)
      try {
        return Json.object(JSON.parse(body))
      } catch (cause) {
        throw unreadable(`${base} answered something that is no JSON`, undefined, cause)
      }
    },
    stream: (request) => requests.stream(outgoing(request))
  }
}
