/** The dialogs of the shell, loaded on demand. */
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { type HeldRequest, proposing } from "../shared/HeldRequest.js"
import { type Overlay, overlay, show } from "./Overlay.js"

interface OverlayProps {
  readonly org: string | undefined
  readonly onClose: () => void
}

const LOADERS: {
  readonly [name in Exclude<Overlay, "nothing">]: () => Promise<ComponentType<OverlayProps>>
} = {
  palette: () => import("./CommandPalette.js").then(({ CommandPalette }) => CommandPalette),
  keys: () => import("./KeyHelp.js").then(({ KeyHelp }) => KeyHelp)
}

/** The dialog that proposes a held change; renders nothing while its code is loading. */
const Proposing = () => {
  const loaded = useSignal<ComponentType<{ readonly held: HeldRequest }> | undefined>(undefined)
  const held = proposing.value
  const isWanted = held !== undefined
  useEffect(() => {
    if (!isWanted) return
    import("../proposal/ProposeDialog.js").then(
      ({ ProposeDialog }) => {
        loaded.value = ProposeDialog
      },
      () => {
        proposing.value = undefined
      }
    )
  }, [isWanted, loaded])
  return held === undefined || loaded.value === undefined ? null : <loaded.value held={held} />
}

/** Loads the palette when the browser is idle, so that it opens immediately. */
const usePrefetch = (): void =>
  useEffect(() => {
    if (typeof requestIdleCallback !== "function") return
    const idle = requestIdleCallback(() => void LOADERS.palette().catch(() => {}))
    return () => cancelIdleCallback(idle)
  }, [])

/** The open dialog; renders nothing while its code is loading. */
export const Overlays = ({ org }: { readonly org: string | undefined }) => {
  const name = overlay.value
  const loaded = useSignal<
    { readonly name: Overlay; readonly View: ComponentType<OverlayProps> } | undefined
  >(undefined)
  usePrefetch()
  useEffect(() => {
    if (name === "nothing") return
    let isWanted = true
    LOADERS[name]().then(
      (View) => {
        if (isWanted) loaded.value = { name, View }
      },
      () => show("nothing")
    )
    return () => {
      isWanted = false
    }
  }, [name, loaded])
  const ready = loaded.value
  return (
    <>
      <Proposing />
      {ready === undefined || ready.name !== name ? null : (
        <ready.View org={org} onClose={() => show("nothing")} />
      )}
    </>
  )
}
