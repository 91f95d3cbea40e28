import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { CopyButton } from "./CopyButton.tsx";

export interface CodeProps {
  /** One text, or the same call in several languages by the name of its tab. */
  code: string | Readonly<Record<string, string>>;
  /** What is copied: "the call". */
  what?: string;
}

/** What a reader pastes: whole, wrapped, with a button that copies it. */
export function Code({ code, what = "the call" }: CodeProps): ReactNode {
  const tabs = typeof code === "string" ? null : Object.keys(code);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const text = tabs === null ? (code as string) : (code as Record<string, string>)[tabs[chosen]!]!;
  return (
    <div className="code">
      {tabs !== null && <Tabs id={id} tabs={tabs} chosen={chosen} choose={setChosen} />}
      <pre id={`${id}-panel`} {...(tabs === null ? {} : { role: "tabpanel", "aria-labelledby": `${id}-${chosen}` })}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}

function Tabs({
  id,
  tabs,
  chosen,
  choose,
}: {
  id: string;
  tabs: string[];
  chosen: number;
  choose: (index: number) => void;
}): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (chosen + step + tabs.length) % tabs.length;
    choose(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div className="tabs" role="tablist" onKeyDown={onKeyDown}>
      {tabs.map((tab, index) => (
        <button
          key={tab}
          type="button"
          role="tab"
          className="bare"
          id={`${id}-${index}`}
          aria-selected={index === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={index === chosen ? 0 : -1}
          onClick={() => choose(index)}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}
