/**
 * The commands of every document work, in their order, and print what the document shows (docs/TESTING.md, "Commands of
 * documents"). `ATTESTRY_TEST_DOCUMENT` chooses documents whose path contains a word.
 */
import { assert, describe, it } from "vitest"
import { hasCommands, runDocument } from "./commands/DocumentRun.js"
import * as Tree from "./shared/Tree.js"

const { ATTESTRY_TEST_DOCUMENT: word = "" } = process.env

const RUN_MS_MAX = 300_000

// WHY at once: a document waits for its servers and programs most of the time.
describe.concurrent("the commands of", () => {
  for (const document of Tree.documents().filter(({ path }) => path.includes(word)))
    if (hasCommands(document))
      it(
        document.path,
        async () => {
          const { problems, blocks } = await runDocument(document)
          assert.strictEqual(problems.join("\n"), "")
          assert.isAbove(blocks, 0)
        },
        RUN_MS_MAX
      )
})
