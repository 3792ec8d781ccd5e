/** Reports of artifacts: complete ones, and few small ones on which sequences of commands collide. */
import type { ArtifactReport } from "@attestry/core/Artifact"
import { SlotName, TrailName } from "@attestry/core/Identifier"
import * as FastCheck from "effect/FastCheck"
import * as Reports from "../EnvironmentReport.js"
import { nonEmptyText, text } from "./Text.js"
import { commitSha, externalUrls, gitCommitInfo, repoInfo, trailName, userData } from "./Trail.js"

/** One of two slots. */
export const slotName: FastCheck.Arbitrary<SlotName> = FastCheck.constantFrom(
  SlotName.make("backend"),
  SlotName.make("__proto__")
)

const place: FastCheck.Arbitrary<Pick<ArtifactReport, "trail_name" | "template_reference_name">> =
  FastCheck.oneof(
    FastCheck.record({ trail_name: trailName, template_reference_name: slotName }),
    FastCheck.constant({})
  )

const content: FastCheck.Arbitrary<ArtifactReport> = FastCheck.record(
  {
    fingerprint: Reports.fingerprint,
    filename: nonEmptyText,
    build_url: nonEmptyText,
    commit_url: nonEmptyText,
    git_commit: commitSha,
    git_commit_info: gitCommitInfo,
    repo_info: repoInfo,
    repo_url: FastCheck.constantFrom("", "https://git.example.org/acme/shop"),
    commits_list: FastCheck.array(gitCommitInfo, { maxLength: 2 }),
    description: text,
    external_urls: externalUrls,
    annotations: FastCheck.constantFrom({}, { team: "shop" }),
    user_data: userData,
    is_compliant: FastCheck.boolean(),
    template: FastCheck.oneof(text, FastCheck.array(text, { maxLength: 2 }))
  },
  { requiredKeys: ["fingerprint", "filename", "build_url", "commit_url"] }
)

/** Every form of report, on a trail or in the old style. */
export const artifactReport: FastCheck.Arbitrary<ArtifactReport> = FastCheck.tuple(
  content,
  place
).map(([report, where]) => ({ ...report, ...where }))

/** Reports with few fingerprints, so that repetitions are common. */
export const smallReport: FastCheck.Arbitrary<ArtifactReport> = FastCheck.tuple(
  FastCheck.constantFrom(...Reports.fingerprints.slice(0, 2)),
  FastCheck.constantFrom(
    { trail_name: TrailName.make("run-1"), template_reference_name: SlotName.make("backend") },
    {}
  )
).map(([fingerprint, where]) => ({
  fingerprint,
  filename: "shop.tar",
  build_url: "https://ci.example.org/1",
  commit_url: "https://git.example.org/1",
  ...where
}))
