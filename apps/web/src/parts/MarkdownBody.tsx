import { type ReactNode, useId } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { httpUrl } from "./http-url.ts";

/** A heading of a note is bold: the outline of the page is the page's own. */
function Heading({ children }: { children?: ReactNode }): ReactNode {
  return (
    <p>
      <strong>{children}</strong>
    </p>
  );
}

const COMPONENTS: Components = {
  ...{ h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading },
  a: ({ href, children }) =>
    href ? (
      <a href={href} rel="noopener nofollow noreferrer" target="_blank">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // A picture from elsewhere would tell elsewhere who reads.
  img: ({ alt }) => <span className="none">[picture{alt ? `: ${alt}` : ""}]</span>,
  input: ({ checked }) => <span>{checked ? "[x] " : "[ ] "}</span>,
};

/** The part of `UntrustedMarkdown` that is fetched when it is first needed. HTML in the text is shown as text. */
export function MarkdownBody({ text }: { text: string }): ReactNode {
  const prefix = `${useId()}-`;
  return (
    <Markdown
      remarkPlugins={[remarkGfm]}
      remarkRehypeOptions={{ clobberPrefix: prefix }}
      components={COMPONENTS}
      urlTransform={(url) => (url.startsWith(`#${prefix}`) ? url : (httpUrl(url) ?? ""))}
    >
      {text}
    </Markdown>
  );
}
