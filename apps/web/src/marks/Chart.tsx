import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { type ChartPoint, PointReader } from "./PointReader.tsx";

export interface ChartProps {
  /** What the drawing shows, with its numbers, in one sentence. */
  label: string;
  /** Pixels; a function where a narrow drawing is taller. */
  height: number | ((width: number) => number);
  /** Under the drawing, for who reads it. */
  caption?: ReactNode;
  /** The same numbers as a table. */
  table?: ReactNode;
  /** Where its points stand, so that they can be read one by one with the keyboard. */
  points?: (width: number, height: number) => readonly ChartPoint[];
  /** Draws for the width there is: charts are redrawn, not scaled. */
  children: (width: number, height: number) => ReactNode;
}

/** A drawing with its table one click away. It is drawn once it is near what is read. */
export function Chart({ label, height, caption, table, points, children }: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const near = useNear(box);
  const [opened, setOpened] = useState(false);
  const tall = typeof height === "function" ? height(width) : height;
  return (
    <figure className="chart">
      <div ref={box} className="drawing" style={{ minHeight: tall }}>
        {width > 0 && near && (
          <svg viewBox={`0 0 ${width} ${tall}`} width={width} height={tall} role="img" aria-label={label}>
            {children(width, tall)}
          </svg>
        )}
        {points !== undefined && width > 0 && near && (
          <PointReader label={`Points of: ${label}`} points={() => points(width, tall)} width={width} height={tall} />
        )}
      </div>
      {caption !== undefined && <figcaption>{caption}</figcaption>}
      {table !== undefined && <Folded open={opened} onOpen={() => setOpened(true)} table={table} />}
    </figure>
  );
}

/** The table is made when it is first asked for, and for print: a thousand rows that nobody looks at take their time too. */
function Folded({ open, onOpen, table }: { open: boolean; onOpen: () => void; table: ReactNode }): ReactNode {
  const seen = useRef(onOpen);
  seen.current = onOpen;
  useEffect(() => {
    const show = (): void => seen.current();
    window.addEventListener("beforeprint", show);
    return () => window.removeEventListener("beforeprint", show);
  }, []);
  return (
    <details onToggle={(event) => event.currentTarget.open && onOpen()}>
      <summary>Table</summary>
      {open && table}
    </details>
  );
}

/** Width of an element in whole pixels, as it changes; 0 before it is laid out. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** True from when an element first comes within a screen of what is read, and when the page is printed. */
export function useNear(box: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null || near) return;
    const seen = (): void => setNear(true);
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && seen(), { rootMargin: "100% 0px" });
    observer.observe(element);
    window.addEventListener("beforeprint", seen);
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", seen);
    };
  }, [box, near]);
  return near;
}
