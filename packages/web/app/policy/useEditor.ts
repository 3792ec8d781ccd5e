/** The text editor, whose code is loaded on demand. */
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import type { EditorProps } from "./Editor.js"

/** Undefined until the code is loaded. */
export const useEditor = (): ComponentType<EditorProps> | undefined => {
  const loaded = useSignal<{ readonly Editor: ComponentType<EditorProps> } | undefined>(undefined)
  useEffect(() => {
    let isWanted = true
    void import("./Editor.js").then(({ Editor }) => {
      if (isWanted) loaded.value = { Editor }
    })
    return () => {
      isWanted = false
    }
  }, [loaded])
  return loaded.value?.Editor
}
