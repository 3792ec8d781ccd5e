/** The operations of the agent accounts of an org. */
import { AgentAccounts } from "@attestry/core/AgentAccounts"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** The operations of the agent accounts of an org. */
export class AgentAccountApi extends HttpApiGroup.make("agentAccount")
  .add(
    HttpApiEndpoint.get("list")`/agent-accounts/${org}`
      .addSuccess(AgentAccounts)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the accounts of agents")
      .annotate(
        OpenApi.Description,
        "Answers the accounts that count as agents in pull requests, beside the programs that forges mark themselves."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/agent-accounts/${org}`
      .setPayload(AgentAccounts)
      .addSuccess(AgentAccounts)
      .annotate(Operation, rule("agent-account.write", jsonBody))
      .annotate(OpenApi.Summary, "Set the accounts of agents")
      .annotate(
        OpenApi.Description,
        "Replaces the accounts that count as agents, in any case. They count for attestations that are recorded " +
          "afterwards."
      )
  )
  .annotate(OpenApi.Title, "Agent accounts")
  .annotate(
    OpenApi.Description,
    "Agent accounts: accounts of forges with which programs write and review pull requests."
  ) {}
