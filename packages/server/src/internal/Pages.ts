/** The web application beside the API, as the configuration asks for it. */
import type { Site } from "@attestry/http/Site"
import * as SiteFiles from "@attestry/web/SiteFiles"
import * as StaticSite from "@attestry/web/StaticSite"
import * as Effect from "effect/Effect"
import type { ServerConfig } from "../ServerConfig.js"

/** The site of a deployment; undefined where it is off. Fails when its files are missing. */
export const make = (
  config: Pick<ServerConfig, "ATTESTRY_WEB">,
  publicUrl: string
): Effect.Effect<Site | undefined, SiteFiles.SiteNotBuilt> =>
  Effect.try({
    try: () => {
      if (config.ATTESTRY_WEB === "off") return undefined
      const read = (): Site => StaticSite.make({ files: SiteFiles.load(), publicUrl })
      const first = read()
      return config.ATTESTRY_WEB === "on" ? first : (request) => read()(request)
    },
    // WHY: every failure to read the files means that the build did not finish.
    catch: () => new SiteFiles.SiteNotBuilt()
  })
