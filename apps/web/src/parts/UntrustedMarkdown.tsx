import { lazy, type ReactNode, Suspense } from "react";

const Body = lazy(() => import("./MarkdownBody.tsx").then(({ MarkdownBody }) => ({ default: MarkdownBody })));

/**
 * Markdown that somebody posted: no HTML of theirs, no pictures, links to http(s) only. Until its reader has come it
 * stands as it was written.
 */
export function UntrustedMarkdown({ text }: { text: string }): ReactNode {
  return (
    <div className="prose markdown" dir="auto">
      <Suspense fallback={<p className="as-written">{text}</p>}>
        <Body text={text} />
      </Suspense>
    </div>
  );
}
