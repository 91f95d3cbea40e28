import { useEffect, useRef, useState } from "react";

export interface HandOptions {
  /** Place in the list, from 1, of the first that is drawn, and how many are there. */
  first: number;
  count: number;
  total: number;
  /** What is drawn is of before: nothing of it gets the focus. */
  stale: boolean;
  /** Name of the element that has the focus for a place. */
  idOf: (place: number) => string;
  /** Brings a place near that is not drawn. */
  bring?: (index: number) => void;
}

export interface Hand {
  place: number | null;
  take: (place: number) => void;
  touch: (place: number) => void;
}

/** Which of a list the keyboard is on. It gets the focus as soon as it is drawn. */
export function useHand({ first, count, total, stale, idOf, bring }: HandOptions): Hand {
  const [place, setPlace] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    const place = wanted.current;
    if (place === null || stale || place < first || place >= first + count) return;
    const button = document.getElementById(idOf(place));
    if (button === null) {
      bring?.(place - first);
      return;
    }
    wanted.current = null;
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: "nearest" });
  });
  return {
    place: place !== null && place <= total ? place : null,
    take: (wantedPlace) => {
      wanted.current = wantedPlace;
      setPlace(wantedPlace);
    },
    touch: setPlace,
  };
}
