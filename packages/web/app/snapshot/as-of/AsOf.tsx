/** Loads the as-of slider when a snapshot is shown; the page is complete without it. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import type { ShownSnapshot } from "./AsOfPart.js"

interface Props {
  readonly route: Route.Route
  readonly shown: ShownSnapshot
}

/** Renders nothing until it is loaded. */
export const AsOf = (props: Props) => {
  const loaded = useSignal<{ readonly Part: ComponentType<Props> } | undefined>(undefined)
  useEffect(() => {
    import("./AsOfPart.js").then(
      ({ AsOfPart }) => {
        loaded.value = { Part: AsOfPart }
      },
      () => undefined
    )
  }, [loaded])
  const found = loaded.value
  return found === undefined ? null : <found.Part {...props} />
}
