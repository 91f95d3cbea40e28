import { useEffect, useRef, useSyncExternalStore } from "react";

/** A key of the keyboard and what it does here. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` has it; two with a space between are pressed one after the other. */
  keys: string;
  /** For the sheet of keys. */
  says: string;
  run: () => void;
}

type Layer = { readonly current: readonly KeyBinding[] };

const layers: Layer[] = [];
const listeners = new Set<() => void>();
let bound: readonly KeyBinding[] = [];

/** How long the second key of a pair may take, in milliseconds. */
const PAIR_MS = 1200;
let first: { key: string; at: number } | null = null;

function changed(): void {
  bound = layers.flatMap(({ current }) => current);
  for (const listener of listeners) listener();
}

/** Binds keys while the caller is on the page. Of two that want the same key the later one has it. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const layer = useRef(bindings);
  layer.current = bindings;
  const names = bindings.map(({ keys, says }) => `${keys} ${says}`).join("\n");
  useEffect(() => {
    layers.push(layer);
    changed();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      changed();
    };
  }, [names]);
}

/** Every key that does something now. */
export function useBoundKeys(): readonly KeyBinding[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => bound,
  );
}

function bindingOf(keys: string): KeyBinding | undefined {
  for (const layer of layers.toReversed()) {
    const found = layer.current.find((binding) => binding.keys === keys);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Keys belong to whoever types: a field keeps them, but for Escape, which leaves it. */
function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  // An open dialog has the keyboard to itself, and closes by Escape on its own.
  if (document.querySelector("dialog[open]") !== null) return;
  if (typing(event.target)) {
    if (event.key !== "Escape") return;
    // A browser empties a search field by this key: one left it, and what was looked for stays.
    event.preventDefault();
    (event.target as HTMLElement).blur();
    return;
  }
  // Enter on a link or a button is the link's or the button's.
  if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.matches("a, button, summary"))
    return;
  const pair = first !== null && event.timeStamp - first.at < PAIR_MS ? `${first.key} ${event.key}` : null;
  first = { key: event.key, at: event.timeStamp };
  const binding = (pair === null ? undefined : bindingOf(pair)) ?? bindingOf(event.key);
  if (binding === undefined) return;
  first = null;
  event.preventDefault();
  binding.run();
}

/** Listens for all bindings; returns how to stop. */
export function listenForKeys(): () => void {
  window.addEventListener("keydown", onKeyDown);
  return () => window.removeEventListener("keydown", onKeyDown);
}
