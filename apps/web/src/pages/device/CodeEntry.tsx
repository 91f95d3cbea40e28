import { type FormEvent, type ReactNode, useState } from "react";
import { shownCode } from "./shown-code.ts";

/** A code typed from another screen. */
export function CodeEntry({ onEnter }: { onEnter: (code: string) => void }): ReactNode {
  const [typed, setTyped] = useState("");
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const code = shownCode(typed);
    if (code === "") return;
    setTyped("");
    onEnter(code);
  };
  return (
    <form className="one-field" onSubmit={onSubmit}>
      <label>
        <span>Code in your terminal</span>
        <input
          className="field code-field"
          name="user-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          placeholder="XXXX-XXXX"
          maxLength={16}
          value={typed}
          onChange={(event) => setTyped(event.target.value.toUpperCase())}
        />
      </label>
      <button className="button" type="submit">
        Look it up
      </button>
    </form>
  );
}
