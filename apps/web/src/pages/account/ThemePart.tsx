import { type ReactNode, useState } from "react";
import { Part } from "../../parts/Part.tsx";
import { chooseTheme, keptTheme, THEMES, type Theme } from "../../shell/theme.ts";

const NAMES: Readonly<Record<Theme, string>> = { system: "as the system has it", light: "light", dark: "dark" };

/** Light or dark, kept in this browser. */
export function ThemePart(): ReactNode {
  const [theme, setTheme] = useState(keptTheme);
  return (
    <Part id="theme" title="Light and dark" note="Kept in this browser, not in the account.">
      <fieldset className="bare-set">
        <legend className="sr">Light and dark</legend>
        <div className="ticks">
          {THEMES.map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="theme"
                checked={choice === theme}
                onChange={() => {
                  setTheme(choice);
                  chooseTheme(choice);
                }}
              />
              {NAMES[choice]}
            </label>
          ))}
        </div>
      </fieldset>
    </Part>
  );
}
