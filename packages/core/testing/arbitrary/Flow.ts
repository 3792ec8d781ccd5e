/** Flows: any name and content, and few names on which sequences of commands collide. */
import * as Flow from "@attestry/core/Flow"
import { FlowName, TemplateId } from "@attestry/core/Identifier"
import * as FastCheck from "effect/FastCheck"
import { text, timestamp } from "./Text.js"

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9.\-_~]{0,12}$/

/** Any name. */
export const flowName: FastCheck.Arbitrary<FlowName> = FastCheck.oneof(
  FastCheck.stringMatching(NAME),
  FastCheck.constantFrom("0", "constructor", "a".repeat(255))
).map((name) => FlowName.make(name))

/** The content of a flow, without its identity. */
export const flowContent: FastCheck.Arbitrary<Omit<Flow.Flow, "org_id" | "id">> = FastCheck.record({
  name: flowName,
  description: text,
  visibility: FastCheck.constantFrom("public" as const, "private" as const),
  template: FastCheck.oneof(FastCheck.constant(Flow.EMPTY_TEMPLATE), text),
  template_id: FastCheck.uuid().map((id) => TemplateId.make(id)),
  tags: FastCheck.constantFrom({}, { team: "a", constructor: "é" }),
  archived_at: FastCheck.constant(null),
  created_at: timestamp,
  last_modified_at: timestamp
})

/** Drafts of two flows with few contents, so that repetitions are common. */
export const flowDraft: FastCheck.Arbitrary<Flow.FlowDraft> = FastCheck.record(
  {
    name: FastCheck.constantFrom(FlowName.make("build"), FlowName.make("release")),
    description: FastCheck.constantFrom("", "builds it"),
    visibility: FastCheck.constantFrom("public" as const, "private" as const),
    template: FastCheck.constantFrom(
      Flow.EMPTY_TEMPLATE,
      "version: 1\ntrail:\n  attestations:\n    - name: unit\n      type: junit\n",
      "version: 2\n"
    )
  },
  { requiredKeys: ["name", "description"] }
)
