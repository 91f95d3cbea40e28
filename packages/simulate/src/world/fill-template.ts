import { isObject, type Json } from "@while/schema";

/** Draws for one place of a template: a number below 1 for a label. */
export type Draw = (label: string) => number;

const PEOPLE = [
  "Mira Okafor",
  "Jonas Lind",
  "Ada Castillo",
  "Piet Vermeer",
  "Sana Iqbal",
  "Tom Hale",
  "Lea Brandt",
  "Noa Peretz",
];
const DATE = /^\d{4}-\d{2}-\d{2}(?=$|T)/;
const ID = /^([A-Za-z]{1,12}[-_]?)\d{3,}$/;
const PERSON_KEY = /^(?:name|customer|customer_name|full_name|owner|contact|assignee|recipient)$/;
const FIRST_YEAR = 2022;
const N_DAYS = 5 * 365;
const DAY_MS = 86_400_000;

/**
 * An answer in the shape of an example: keys and free text stay, ids, dates and people are drawn anew, numbers move by up
 * to a third, a list has 1 to 5 items. What the call itself gave under the same key is echoed.
 */
export function fillTemplate(template: Json, given: Readonly<Record<string, unknown>>, draw: Draw): Json {
  return fill(template, "", "", given, draw);
}

function fill(value: Json, key: string, path: string, given: Readonly<Record<string, unknown>>, draw: Draw): Json {
  if (Array.isArray(value)) {
    const [first] = value;
    if (first === undefined) return [];
    const n = 1 + Math.floor(draw(`${path}#`) * 5);
    return Array.from({ length: n }, (_, i) => fill(value[i % value.length]!, key, `${path}[${i}]`, {}, draw));
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([name, item]) => [
        name,
        fill(item, name, `${path}.${name}`, given, draw),
      ]),
    );
  }
  const echoed = Object.hasOwn(given, key) ? given[key] : undefined;
  if (typeof echoed === typeof value && echoed !== undefined) return echoed as Json;
  if (typeof value === "number") return moved(value, draw(path));
  if (typeof value !== "string") return value;
  if (DATE.test(value)) return dayOf(draw(path)) + value.slice(10);
  const [, stem] = ID.exec(value) ?? [];
  if (stem !== undefined) return `${stem}${1000 + Math.floor(draw(path) * 89_000)}`;
  return PERSON_KEY.test(key) ? personOf(draw(path)) : value;
}

/** The number moved by up to a third, a whole one staying whole. */
function moved(value: number, unit: number): number {
  const x = value * (1 + (2 * unit - 1) / 3);
  return Number.isInteger(value) ? Math.round(x) : Math.round(x * 100) / 100;
}

/** A day of 2022 to 2026. */
export function dayOf(unit: number): string {
  const time = Date.UTC(FIRST_YEAR, 0, 1) + Math.floor(unit * N_DAYS) * DAY_MS;
  return new Date(time).toISOString().slice(0, 10);
}

export function personOf(unit: number): string {
  return PEOPLE[Math.floor(unit * PEOPLE.length)]!;
}
