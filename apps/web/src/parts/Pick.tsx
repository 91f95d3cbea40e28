import type { ReactNode } from "react";

export interface PickProps {
  label: string;
  value: string;
  options: readonly (string | { value: string; label: string })[];
  onPick: (value: string) => void;
}

/** A choice inside a sentence. */
export function Pick({ label, value, options, onPick }: PickProps): ReactNode {
  return (
    <label className="pick">
      <span className="sr">{label}</span>
      <select value={value} onChange={(event) => onPick(event.target.value)}>
        {options.map((option) => {
          const { value, label } = typeof option === "string" ? { value: option, label: option } : option;
          return (
            <option key={value} value={value}>
              {label}
            </option>
          );
        })}
      </select>
    </label>
  );
}
