/** Light, dark, or as the reader's system has it. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = "while-theme";

export function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEPT);
    return THEMES.find((theme) => theme === kept) ?? "system";
  } catch {
    // A browser that keeps nothing follows its system.
    return "system";
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // It holds until the page is closed.
  }
  show(theme);
}

/** Shows the theme that was chosen on this computer. */
export function followTheme(): void {
  show(keptTheme());
}

function show(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
